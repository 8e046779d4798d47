import { expect, test } from 'vitest';
import { adminCodeOf, isNodeCode, NODE_CODES, type NodeCode, refusalOf } from './node-codes.ts';
import { errors as de } from '../languages/de/errors.ts';
import { errors as en } from '../languages/en/errors.ts';

test("a request value that a node cannot use is the caller's fault, everything else is the pipeline's", () => {
  const codes = Object.keys(NODE_CODES).filter(isNodeCode);
  const refusals = Object.groupBy(codes, refusalOf);
  expect(refusals.value_invalid).toEqual(['tag_path_invalid', 'param_missing', 'param_invalid']);
  expect(refusals.scope_missing).toEqual(['scope_missing']);
  expect(refusals.limit_missing).toEqual(['limit_missing']);
  expect(refusals.interlock).toEqual(['interlock']);
  expect(refusals.write_stopped).toEqual(['write_stopped']);
  expect(refusals.storage_unavailable).toEqual(['disk_reserve', 'outbox_full', 'outbox_unavailable']);
  expect(refusalOf('of_a_later_version' as NodeCode)).toBe('pipeline_failed');
});

test('the admin API answers 404 for what does not exist, 400 for wrong arguments and otherwise 409', () => {
  expect(adminCodeOf('query_unknown')).toBe('unknown');
  expect(adminCodeOf('param_missing')).toBe('invalid');
  expect(adminCodeOf('db_constraint')).toBe('conflict');
  expect(adminCodeOf('interlock')).toBe('interlock');
});

test('meaning and remedy are complete sentences in both languages', () => {
  for (const { nodeCodes } of [en, de])
    for (const [code, { meaning, remedy }] of Object.entries(nodeCodes))
      for (const text of [meaning, remedy]) expect(text, code).toMatch(/^([A-ZÄÖÜ]|await).*\.$/);
});
