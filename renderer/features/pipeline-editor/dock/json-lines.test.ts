import { expect, test } from 'vitest';
import { jsonText, pairLines } from './json-lines.ts';

const rows = (before: unknown, after: unknown) =>
  pairLines(jsonText(before), jsonText(after)).map(({ before: old, after: now }) => [old?.trim(), now?.trim()]);

test('equal and changed lines are paired, and others are alone', () => {
  expect(rows({ a: 1, b: 2, c: 3 }, { a: 1, b: 5, d: 4, c: 3 })).toEqual([
    ['{', '{'],
    ['"a": 1,', '"a": 1,'],
    ['"b": 2,', '"b": 5,'],
    [undefined, '"d": 4,'],
    ['"c": 3', '"c": 3'],
    ['}', '}'],
  ]);
});

test('an added or removed text is shown completely', () => {
  expect(rows(undefined, 7)).toEqual([[undefined, '7']]);
  expect(rows(7, undefined)).toEqual([['7', undefined]]);
});

test('every line of both texts is reported once, in order', () => {
  const [before, after] = ['a\nb\nc\nd\ne', 'b\nx\nd\ny\nz\ne'];
  const pairs = pairLines(before, after);
  expect(pairs.flatMap((pair) => pair.before ?? []).join('\n')).toBe(before);
  expect(pairs.flatMap((pair) => pair.after ?? []).join('\n')).toBe(after);
});

test('texts too long to compare are reported as completely different', () => {
  const long = Array.from({ length: 2_100 }, (_, line) => `${line}`).join('\n');
  expect(pairLines(long, long)).toHaveLength(4_200);
});
