import { z } from 'zod';
import { templateText } from '#common/model/template-parts.ts';
import { parsePath, type Path } from '#common/model/message-path.ts';
import { parseTemplate, type Template } from './template.ts';
import { expected } from '#common/errors/rules.ts';

const PATH_CHARS_MAX = 1_024;

/** A setting that is a path into the message, read into its names. */
export const pathField = z
  .string({ error: expected('form', { what: 'a path', example: 'payload.body.id' }) })
  .max(PATH_CHARS_MAX, expected('length_max', { max: PATH_CHARS_MAX }))
  .transform((text, context): Path => attempt(() => parsePath(text), context));

/** A setting that is a text with `{{path}}` places, parsed. */
export const templateField = templateText.transform((text, context): Template =>
  attempt(() => parseTemplate(text), context),
);

/** Runs a reader inside a zod transform; what it throws becomes the field's error. */
export function attempt<T>(read: () => T, context: z.RefinementCtx): T {
  try {
    return read();
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'the value is not valid' });
    return z.NEVER;
  }
}
