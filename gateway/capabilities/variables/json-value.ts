import { jsonText, NodeError } from '#sdk';

/** Size limit of the JSON of one value, in bytes. */
export const VALUE_BYTES_MAX = 256 * 1024;

/**
 * A value as JSON. Values that JSON does not have (undefined) become null, bytes become base64. Throws NodeError
 * `variable_invalid` or `variable_too_large`.
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

/** A key named `__proto__` becomes an own property like any other key; the prototype is not assigned. */
export function decodeValue(json: string): unknown {
  return JSON.parse(json) as unknown;
}

/** Whether two JSON texts have the same value; the order of keys is irrelevant. */
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

/** Called only for own names, so that `__proto__` also returns the own property. */
function own(holder: object, name: string): unknown {
  return (holder as Record<string, unknown>)[name];
}
