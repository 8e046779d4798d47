import { _, type CodeKeywordDefinition } from 'ajv/dist/2020.js';

/** `uniqueItems` in time linear in the value: ajv's own compares every pair of items. */
export const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  code(keyword) {
    if (keyword.schema === true) keyword.fail(_`!(self.slot.work.areUnique(${keyword.data}))`);
  },
};
