/**
 * Estimates of the memory that message values take, in bytes. Every value is visited, because the sender of a message
 * could manipulate a sample; a value that is shared with another message counts nothing.
 */
const VALUES_MAX = 20_000;
export const VALUE_BYTES = 16;

let left = 0;

/**
 * The additional memory of `value` beside `held`; `Infinity` if it cannot be determined cheaply, because there are too
 * many values or they are nested too deeply.
 */
export function addedBytes(value: unknown, held: unknown): number {
  left = VALUES_MAX;
  try {
    const bytes = measure(value, held);
    return left < 0 ? Infinity : bytes;
  } catch {
    return Infinity;
  }
}

export function leafBytes(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length * 2;
  return value instanceof Uint8Array ? 4 * VALUE_BYTES + value.byteLength : VALUE_BYTES;
}

function measure(value: unknown, held: unknown): number {
  left--;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? leafBytes(value) : VALUE_BYTES;
  if (value === held) return 0;
  if (value instanceof Uint8Array) return leafBytes(value);
  return Array.isArray(value) ? measureList(value, held) : measureObject(value, held);
}

function measureList(list: readonly unknown[], held: unknown): number {
  const others: readonly unknown[] = Array.isArray(held) ? held : [];
  let bytes = 2 * VALUE_BYTES;
  for (let i = 0; i < list.length && left >= 0; i++) bytes += measure(list[i], others[i]);
  return bytes;
}

function measureObject(value: object, held: unknown): number {
  const others = typeof held === 'object' && held !== null ? (held as Record<string, unknown>) : undefined;
  let bytes = 2 * VALUE_BYTES;
  for (const name in value) {
    if (left < 0) break;
    bytes += name.length + measure((value as Record<string, unknown>)[name], others?.[name]);
  }
  return bytes;
}
