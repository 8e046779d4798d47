import type { z } from 'zod';
import { templateField } from './fields.ts';

/**
 * A name setting (of a variable, a file, a channel) that can contain `{{payload.…}}`. A name without placeholders is
 * checked when the pipeline is saved; the others are checked by the call that receives them.
 */
export function nameTemplateField(literal: z.ZodType<string>) {
  return templateField.superRefine((template, context) => {
    if (template.some((part) => typeof part !== 'string')) return;
    const read = literal.safeParse(template.join(''));
    if (read.success) return;
    context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'the name is not valid' });
  });
}
