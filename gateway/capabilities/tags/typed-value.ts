import type { TagType } from '#common/model/tag.ts';
import { jsonText } from '#sdk';

/** Characters of one text, or of one JSON value's text. */
export const VALUE_CHARS_MAX = 65_536;

/**
 * `chars`: length of a text or of the JSON text, 0 for other types; `fault`: why the value is not of the type, as half
 * a sentence.
 */
export type Typed = { readonly value: unknown; readonly chars: number } | { readonly fault: string };

/**
 * Converts a value to a tag's type. Only unambiguous values are converted: 0 and 1 to a boolean, a bigint to a number
 * if the number is exact, a date to its RFC 3339 text. A text is never converted to a number. JSON is copied and
 * frozen, so that it cannot be changed afterwards.
 */
export function typedValue(type: TagType, raw: unknown): Typed {
  switch (type) {
    case 'number':
      return numberOf(exact(raw));
    case 'integer':
      return integerOf(exact(raw));
    case 'boolean':
      return booleanOf(raw);
    case 'text':
      return textOf(raw);
    case 'json':
      return jsonOf(raw);
  }
}

function numberOf(raw: unknown): Typed {
  if (typeof raw !== 'number') return { fault: `expected a number; it is ${nameOf(raw)}` };
  return Number.isFinite(raw) ? plain(raw) : { fault: `expected a finite number; it is ${raw}` };
}

function integerOf(raw: unknown): Typed {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return plain(raw);
  return { fault: `expected a whole number; it is ${typeof raw === 'number' ? raw : nameOf(raw)}` };
}

function booleanOf(raw: unknown): Typed {
  if (typeof raw === 'boolean') return plain(raw);
  if (raw === 0 || raw === 1) return plain(raw === 1);
  return { fault: `expected true or false; it is ${nameOf(raw)}` };
}

function textOf(raw: unknown): Typed {
  const text = raw instanceof Date && !Number.isNaN(raw.getTime()) ? raw.toISOString() : raw;
  if (typeof text !== 'string') return { fault: `expected a string; it is ${nameOf(raw)}` };
  return text.length <= VALUE_CHARS_MAX ? { value: text, chars: text.length } : tooLong(text.length);
}

function jsonOf(raw: unknown): Typed {
  const text = attemptJson(raw);
  if (text === null) return { fault: `expected a JSON value; it is ${nameOf(raw)} without a JSON form` };
  if (text.length > VALUE_CHARS_MAX) return tooLong(text.length);
  return { value: deepFrozen(JSON.parse(text)), chars: text.length };
}

function attemptJson(raw: unknown): string | null {
  if (typeof raw === 'number' && !Number.isFinite(raw)) return null;
  try {
    return jsonText(raw);
  } catch {
    return null;
  }
}

function plain(value: number | boolean): Typed {
  return { value, chars: 0 };
}

function exact(raw: unknown): unknown {
  return typeof raw === 'bigint' && Number.isSafeInteger(Number(raw)) ? Number(raw) : raw;
}

function tooLong(chars: number): Typed {
  return { fault: `expected at most ${VALUE_CHARS_MAX} characters; there are ${chars}` };
}

function nameOf(raw: unknown): string {
  if (raw === null || raw === undefined) return 'nothing';
  if (Array.isArray(raw)) return 'a list';
  if (raw instanceof Uint8Array) return 'bytes';
  return { string: 'a string', object: 'an object' }[typeof raw as string] ?? `a ${typeof raw}`;
}

/** The depth is bounded, because the JSON parser has already refused deeper values. */
function deepFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const entry of Object.values(value)) deepFrozen(entry);
  return Object.freeze(value);
}
