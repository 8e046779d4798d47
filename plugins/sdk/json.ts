/**
 * JSON text of a message value; bytes in it are base64. Throws TypeError for values without a JSON form (cycles,
 * bigints), RangeError for values that are nested too deeply.
 */
export function jsonText(value: unknown): string {
  const text: unknown = JSON.stringify(holdsBytes(value) ? withBase64(value) : value);
  if (typeof text === 'string') return text;
  throw new TypeError(`a ${typeof value} has no JSON form`);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Searched first: rebuilding every value costs more than its JSON. */
function holdsBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.some(holdsBytes);
  for (const name in value) if (holdsBytes((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Not with the replacer of `JSON.stringify`: it receives a Buffer only after its `toJSON`. */
function withBase64(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(withBase64);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withBase64(entry)]));
}
