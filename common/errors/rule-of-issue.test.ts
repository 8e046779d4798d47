import { expect, test } from 'vitest';
import { unknownFields } from './rule-of-issue.ts';

test('unknown fields are named, but no more than 20 of them', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `field ${index}`);
  const { message, rule, params } = unknownFields(names);
  expect([rule, (params as { names: string[] }).names.length]).toEqual(['unknown_field', 20]);
  expect(message).toMatch(/^unknown field "field 0", .*"field 19"$/);
});
