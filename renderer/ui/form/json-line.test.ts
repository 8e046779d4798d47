import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { lineOf, readLine, typeOf } from './json-line.ts';

test('a plain value is read with the type that it appears to have', () => {
  const read = (line: string) => readLine(line).value;
  expect(read('8')).toBe(8);
  expect(read(' urgent ')).toBe('urgent');
  expect(read('true')).toBe(true);
  expect(read('"8"')).toBe('8');
  expect(read('["a", 1]')).toEqual(['a', 1]);
  expect(read('')).toBeUndefined();
  expect(read('""')).toBe('');
});

test('a text that begins like JSON but is invalid is an error', () => {
  for (const line of ['[1', '{a: 1}', '"open']) expect(readLine(line).ok, line).toBe(false);
});

test('every JSON value is read back from its line', () => {
  assert(
    property(jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(readLine(lineOf(plain))).toEqual({ ok: true, value: plain });
    }),
  );
});

test('a plain text needs no quotes', () => {
  expect(lineOf('urgent')).toBe('urgent');
  expect(lineOf('8')).toBe('"8"');
  expect(lineOf(' padded')).toBe('" padded"');
  expect(typeOf(null)).toBe('null');
});
