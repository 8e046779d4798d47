import { replyHeaderSettings } from '#common/model/reply-headers.ts';
import { type Template, templateField, z } from '#sdk';

export interface HeaderTemplate {
  /** Lower-case. */
  readonly name: string;
  readonly template: Template;
}

/** Parses `{ name: template }` into lower-case names and parsed templates; refuses the same headers as a save. */
export const replyHeaders = replyHeaderSettings
  .pipe(z.record(z.string(), templateField))
  .transform((headers): HeaderTemplate[] =>
    Object.entries(headers).map(([name, template]) => ({ name: name.toLowerCase(), template })),
  );
