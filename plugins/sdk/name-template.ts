import type { z } from 'zod';
import { templateField } from './fields.ts';

/**
 * A setting that is a name (of a variable, a file, a channel) which may take `{{payload.…}}`. One without such places
 * is checked when the pipeline is saved; the others are checked by the call that gets them.
 */
export function nameTemplateField(literal: z.ZodType<string>) {
  return templateField.superRefine((template, context) => {
    if (template.some((part) => typeof part !== 'string')) return;
    const read = literal.safeParse(template.join(''));
    if (read.success) return;
    context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'the name is not valid' });
  });
}
