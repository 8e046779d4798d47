import { NodeError } from '#sdk';
import type { SqlValue } from '../contract.ts';
import { integerValue } from '../rows.ts';

/** Type numbers of pg_type.h. */
const INT8 = 20;
const NUMBERS = new Set([21, 23, 26, 700, 701]);
const JSON_TYPES = new Set([114, 3802]);
const BOOL = 16;
const BYTEA = 17;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

/**
 * A value from its text. Exact decimals (`numeric`, `money`) stay text, because a number would lose digits; NaN and
 * Infinity stay text, because JSON does not have them; so do all types that are not listed here.
 */
export function postgresValue(type: number, text: string): unknown {
  if (type === INT8) return integerValue(BigInt(text));
  if (NUMBERS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === BOOL) return text === 't';
  if (JSON_TYPES.has(type)) return JSON.parse(text);
  if (type === BYTEA && text.startsWith('\\x')) return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  if (type === TIMESTAMP) return text.replace(' ', 'T');
  if (type === TIMESTAMPTZ) return zonedTime(text);
  return text;
}

/** `2026-03-01 06:00:00.5+00` as RFC 3339; `infinity` unchanged. */
function zonedTime(text: string): string {
  const [, day, time, sign, hours, minutes] = /^(\S+) ([\d:.]+)([+-])(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (day === undefined) return text;
  return hours === '00' && minutes === undefined
    ? `${day}T${time}Z`
    : `${day}T${time}${sign}${hours}:${minutes ?? '00'}`;
}

/**
 * The value in a form that the server parses; the server determines the type. Throws NodeError `param_invalid` for a
 * text with NUL.
 */
export function postgresParam(value: SqlValue): string | Buffer | null {
  if (value === null) return value;
  if (typeof value === 'string') {
    if (!value.includes('\0')) return value;
    throw new NodeError('param_invalid', 'a parameter: expected a string without the character NUL, for PostgreSQL');
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}
