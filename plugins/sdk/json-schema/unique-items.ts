import type { FuncKeywordDefinition } from 'ajv/dist/2020.js';

/** `uniqueItems` in time linear in the list: ajv's own compares every pair, so a long list would block the gateway. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  error: { message: 'must NOT have duplicate items' },
  validate: (wanted: boolean, list: readonly unknown[]) => !wanted || !hasTwins(list),
};

function hasTwins(list: readonly unknown[]): boolean {
  return new Set(list.map(canonical)).size < list.length;
}

/** One text per JSON value: object keys in order, so that equal values have equal texts. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Uint8Array) return `bytes ${value.join()}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join()}}`;
}
