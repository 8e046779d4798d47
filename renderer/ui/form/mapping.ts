import { parsePath, readPath } from '#common/model/message-path.ts';
import { templateParts } from '#common/model/template-parts.ts';

/** A path in the message that a node receives. */
export interface KnownPath {
  path: string;
  /** From the last run; undefined: unknown. */
  value?: unknown;
}

/** The message that a node receives, as far as it is known. */
export interface Mapping {
  paths: readonly KnownPath[];
  /** From the last run; null: there is none. */
  message: Readonly<Record<string, unknown>> | null;
}

/**
 * How a text contains paths of the message: `path` is a single one, `template` has them as `{{path}}`, and `value` is a
 * template that keeps the type of a value which is its only content.
 */
export type Places = 'path' | 'template' | 'value';

/** The result for the last message; null: nothing to show. `undefined` in it: there is no value at the path. */
export function resultOf(text: string, places: Places, { message }: Mapping): { value: unknown } | null {
  if (message === null || text.trim() === '') return null;
  try {
    if (places === 'path') return { value: readPath(message, parsePath(text)) };
    const parts = templateParts(text);
    const [only] = parts;
    if (parts.every((part) => typeof part === 'string')) return null;
    if (parts.length === 1 && typeof only === 'object' && places === 'value')
      return { value: readPath(message, parsePath(only.place)) };
    return { value: parts.map((part) => (typeof part === 'string' ? part : filled(message, part.place))).join('') };
  } catch {
    // Incomplete input: not a path yet.
    return null;
  }
}

/** As the gateway fills in a template. */
function filled(message: unknown, place: string): string {
  const value = readPath(message, parsePath(place));
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SHOWN_CHARS_MAX = 120;

/** A value in one line. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}
