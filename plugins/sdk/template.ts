import { templateParts } from '#common/model/template-parts.ts';
import { base64, jsonText } from './json.ts';
import { NodeError } from './kind.ts';
import { type Path, parsePath, readPath } from '#common/model/message-path.ts';

/** A text with `{{path}}` placeholders, parsed once at the start. */
export type Template = readonly (string | Path)[];

/** Characters of the result: a short template can contain a long payload many times. */
export const FILLED_CHARS_MAX = 16 * 1024 * 1024;

/** Throws RangeError if a placeholder is not a path. */
export function parseTemplate(text: string): Template {
  return templateParts(text).map((part) => (typeof part === 'string' ? part : parsePath(part.place)));
}

/**
 * Fills in a template: texts unchanged, null and undefined as nothing, bytes as base64, everything else as JSON. Throws
 * NodeError `text_too_long`.
 */
export function fillTemplate(template: Template, root: unknown): string {
  let text = '';
  for (const part of template) {
    text += typeof part === 'string' ? part : asText(readPath(root, part));
    if (text.length > FILLED_CHARS_MAX)
      throw new NodeError('text_too_long', `a template made more than ${FILLED_CHARS_MAX} characters`);
  }
  return text;
}

/** Fills in a template up to this many characters; for texts that are clipped anyway. */
export function fillTemplateUpTo(template: Template, root: unknown, charsMax: number): string {
  let text = '';
  for (const part of template) {
    text += typeof part === 'string' ? part : asText(readPath(root, part)).slice(0, charsMax + 1);
    if (text.length > charsMax) return `${text.slice(0, charsMax)}…`;
  }
  return text;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? base64(value) : jsonText(value);
}
