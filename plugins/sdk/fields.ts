import { z } from 'zod';
import { templateText } from '#common/model/template-parts.ts';
import { parsePath, type Path } from '#common/model/message-path.ts';
import { parseTemplate, type Template } from './template.ts';
import { expected } from '#common/errors/rules.ts';

const PATH_CHARS_MAX = 1_024;

/** A setting that is a path into the message, parsed into its names. */
export const pathField = z
  .string({ error: expected('form', { what: 'a path', example: 'payload.body.id' }) })
  .max(PATH_CHARS_MAX, expected('length_max', { max: PATH_CHARS_MAX }))
  .transform((text, context): Path => attempt(() => parsePath(text), context));

/** A text setting with `{{path}}` placeholders, parsed. */
export const templateField = templateText.transform((text, context): Template =>
  attempt(() => parseTemplate(text), context),
);

/** Runs a parser inside a Zod transform; its error becomes that of the field. */
export function attempt<T>(read: () => T, context: z.RefinementCtx): T {
  try {
    return read();
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'the value is not valid' });
    return z.NEVER;
  }
}
