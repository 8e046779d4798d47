import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readSchema, schemaCheck } from './compile-schema.ts';
import { isMultiple } from './multiple-of.ts';

test.each([
  [0.07, 0.01, true],
  [-0.07, 0.01, true],
  [19.99, 0.01, true],
  [1.1, 0.1, true],
  [4.35, 0.01, true],
  [0.075, 0.01, false],
  [1.000_000_000_001, 1, false],
  [0, 0.01, true],
  [1e308, 1, true],
  [1e308, 5e-324, true],
  [5e-324, 1e308, false],
  [9, 3, true],
  [10, 3, false],
  [7.5, 2.5, true],
])('%d as a multiple of %d: %s', (value, step, expected) => {
  expect(isMultiple(value, step)).toBe(expected);
});

test('every price in cents is a multiple of a cent, and no half cent is', () => {
  assert(
    property(integer({ min: -1_000_000, max: 1_000_000 }), (cents) => {
      expect(isMultiple(cents / 100, 0.01)).toBe(true);
      expect(isMultiple((cents * 2 + 1) / 200, 0.01)).toBe(false);
    }),
  );
});

test('a schema checks it so', () => {
  const check = schemaCheck(readSchema({ multipleOf: 0.01 }));
  expect(check(0.07)).toBeNull();
  expect(check(0.075)).toMatchObject([{ message: 'must be multiple of 0.01', params: { multipleOf: 0.01 } }]);
  expect(check('0.075')).toBeNull();
});
