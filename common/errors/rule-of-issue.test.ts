import { expect, test } from 'vitest';
import { z } from 'zod';
import { expected } from './rules.ts';
import { ruleOf, unknownFields } from './rule-of-issue.ts';

test('unknown fields are named, but no more than 20 of them', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `field ${index}`);
  const { message, rule, params } = unknownFields(names);
  expect([rule, (params as { names: string[] }).names.length]).toEqual(['unknown_field', 20]);
  expect(message).toMatch(/^unknown field "field 0", .*"field 19"$/);
});

test('a missing JSON value is reported with the sentence that its field declares', () => {
  const field = z.strictObject({ schema: z.json({ error: expected('json_schema') }) });
  const { error } = field.safeParse({});
  expect(error?.issues.map(ruleOf)).toEqual([
    { message: 'expected a JSON Schema: an object, or true or false', rule: 'json_schema', params: {} },
  ]);
});
