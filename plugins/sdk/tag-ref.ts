import { isTagPattern, TAG_PATTERN } from '#common/model/tag.ts';
import type { Message } from '#common/model/message.ts';
import { NodeError } from './kind.ts';
import { fillTemplate, parseTemplate, type Template } from './template.ts';
import { expected } from '#common/errors/rules.ts';

const TAG_EXPECTED = expected('form_exact', {
  what: 'a tag path',
  example: 'line7/filler/speed',
  also: ': up to 8 names of letters, digits, "_" or "-"',
});
const TAG_CHARS_MAX = 1_024;

/** A tag path, or a pattern of paths, that can contain `{{payload.…}}`. */
export interface TagRef {
  /** As it was written. */
  readonly text: string;
  readonly template: Template;
  /** Whether its author wrote a `*`. */
  readonly pattern: boolean;
}

/** Throws RangeError with a plain sentence for a text that can never be a tag path or pattern. */
export function parseTagRef(text: string, options: { readonly patterns: boolean }): TagRef {
  if (text.length > TAG_CHARS_MAX) throw new RangeError(`expected at most ${TAG_CHARS_MAX} characters`);
  const template = parseTemplate(text);
  const fixed = template.filter((part) => typeof part === 'string').join('');
  const pattern = isTagPattern(fixed);
  if (pattern && !options.patterns) throw new RangeError(`${TAG_EXPECTED}, without "*"`);
  const whole = template.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  if (!TAG_PATTERN.test(whole)) throw new RangeError(`${TAG_EXPECTED}; it is "${text.slice(0, 60)}"`);
  return { text, template, pattern };
}

/**
 * The path or pattern for one message. Throws NodeError `tag_path_invalid` if it is invalid, and for a `*` from the
 * message: a sender must not read more tags than the author specified.
 */
export function fillTagRef({ text, template }: TagRef, message: Message): string {
  const parts = template.map((part) => (typeof part === 'string' ? part : filled(text, part, message)));
  const path = parts.join('');
  if (TAG_PATTERN.test(path)) return path;
  throw new NodeError('tag_path_invalid', `"${text}" gave "${path.slice(0, 100)}", which is not a tag path`);
}

function filled(text: string, part: Template[number], message: Message): string {
  const value = fillTemplate([part], message);
  if (!isTagPattern(value)) return value;
  throw new NodeError('tag_path_invalid', `"${text}": a "*" may not come with the message`);
}
