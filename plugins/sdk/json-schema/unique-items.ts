import type { FuncKeywordDefinition } from 'ajv/dist/2020.js';
import type { PartNumbers } from './part-numbers.ts';

/** `uniqueItems` in time linear in the value: ajv's own compares every pair of items. */
export function uniqueItems(numbers: PartNumbers): FuncKeywordDefinition {
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (enabled: boolean, list: readonly unknown[]) =>
      !enabled || new Set(list.map(numbers.numberOf)).size === list.length,
  };
}
