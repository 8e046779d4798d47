import { jsonText, NodeError } from '#sdk';

/** Bytes of one value's JSON. */
export const VALUE_BYTES_MAX = 256 * 1024;

/**
 * A value as its JSON; what JSON has no word for (undefined) is null, bytes are base64.
 * Throws NodeError `variable_invalid` or `variable_too_large`.
 */
export function encodeValue(name: string, value: unknown): string {
  const text = value === undefined ? 'null' : asJson(name, value);
  const bytes = Buffer.byteLength(text);
  if (bytes <= VALUE_BYTES_MAX) return text;
  throw new NodeError(
    'variable_too_large',
    `${name}: expected a value of at most ${VALUE_BYTES_MAX} bytes of JSON; it has ${bytes}`,
  );
}

function asJson(name: string, value: unknown): string {
  try {
    return jsonText(value);
  } catch (cause) {
    const reason = cause instanceof RangeError ? 'it nests too deeply' : 'it holds something that has no JSON form';
    throw new NodeError('variable_invalid', `${name}: the value cannot be kept: ${reason}`, { cause });
  }
}

/** A key named `__proto__` becomes a plain property of the object, as any other key does: nothing is assigned by it. */
export function decodeValue(json: string): unknown {
  return JSON.parse(json) as unknown;
}

/** Whether two JSON texts stand for the same value; the order of keys does not count. */
export function sameJson(one: string, other: string): boolean {
  return one === other || same(decodeValue(one), decodeValue(other));
}

function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && sameList(one, other);
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && same(own(one, name), own(other, name)));
}

function sameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => same(value, other[index]));
}

/** Only asked for own names, so that `__proto__` too gives what the object holds under it. */
function own(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name];
}
