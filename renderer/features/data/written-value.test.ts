import { expect, test } from 'vitest';
import { writtenValue } from './written-value.ts';

test.each([
  ['number', '80,5', 80.5],
  ['number', '0,125', 0.125],
  ['integer', '-3', -3],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['text', '42', '42'],
  ['json', '{"a":1}', { a: 1 }],
] as const)('%s: %s', (type, text, value) => {
  expect(writtenValue(type, text)).toEqual({ kind: 'value', value });
});

test.each([
  ['number', ''],
  ['number', '80 bar'],
  ['integer', '1.5'],
  ['json', '{'],
  // An ambiguous thousands separator.
  ['number', '1,000'],
  ['integer', '1.000'],
  ['number', 'Infinity'],
] as const)('an invalid %s is rejected as such: %s', (type, text) => {
  expect(writtenValue(type, text)).toEqual({ kind: type });
});
