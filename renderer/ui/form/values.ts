/** Objects of settings, and the paths of their values. */
export type Values = Readonly<Record<string, unknown>>;

export function join(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** In the same order; `value` undefined removes the setting. */
export function withValue(values: Values, name: string, value: unknown): Record<string, unknown> {
  if (value !== undefined) return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));
}

export function isValues(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a simple value; '' for other values. */
export function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** A secret that the server keeps is read as `{ "set": true }`. */
export function isStoredSecret(value: unknown): boolean {
  return isValues(value) && value['set'] === true;
}
