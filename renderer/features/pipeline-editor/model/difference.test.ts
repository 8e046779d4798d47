import { expect, test } from 'vitest';
import { countOf, differenceOf } from './difference.ts';
import { sameValue } from '#ui/form/same-value.ts';
import { draftOf, nodeAt } from './kinds.testing.ts';

const BEFORE = draftOf([nodeAt('log', 0, 0, { message: 'a', level: 'info' }), 'reply'], ['log out reply']);

test('additions, deletions, edits and wires are reported', () => {
  const after = draftOf([nodeAt('log', 0, 0, { message: 'b', level: 'info' }), 'timer'], ['timer out log']);
  const difference = differenceOf(BEFORE, after);
  expect(difference.added.map(({ id }) => id)).toEqual(['timer']);
  expect(difference.deleted.map(({ id }) => id)).toEqual(['reply']);
  expect(difference.edited.map(({ changes }) => changes)).toEqual([[{ field: 'message', before: 'a', after: 'b' }]]);
  expect(difference.wired).toHaveLength(1);
  expect(difference.unwired).toHaveLength(1);
  expect(countOf(difference)).toBe(5);
});

test('a moved node or another order of its settings is not a difference', () => {
  const after = draftOf([nodeAt('log', 400, 80, { level: 'info', message: 'a' }), 'reply'], ['log out reply']);
  expect(countOf(differenceOf(BEFORE, after))).toBe(0);
});

test('switching off, renaming and changes of the pipeline itself are differences', () => {
  const [log, ...rest] = BEFORE.nodes;
  if (log === undefined) throw new Error('it has a first node');
  const after = { ...BEFORE, name: 'Other', nodes: [{ ...log, off: true, name: 'Note' }, ...rest] };
  const { edited, pipeline } = differenceOf(BEFORE, after);
  expect(edited[0]?.changes.map(({ field }) => field)).toEqual(['name', 'off']);
  expect(pipeline).toEqual([{ field: 'name', before: 'Orders', after: 'Other' }]);
});

test('values are equal in any order of their fields', () => {
  expect(sameValue({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(sameValue({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
});
