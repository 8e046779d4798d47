import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readSchema, schemaCheck } from './compile-schema.ts';
import { multiplesOf } from './multiple-of.ts';

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
  expect(multiplesOf(step)(value)).toBe(expected);
});

const cent = multiplesOf(0.01);

test('every price in cents is a multiple of a cent, and half a cent never is', () => {
  assert(
    property(integer({ min: -1_000_000, max: 1_000_000 }), (cents) => {
      expect(cent(cents / 100)).toBe(true);
      expect(cent((cents * 2 + 1) / 200)).toBe(false);
    }),
  );
});

test('a schema checks it in the same way', () => {
  const check = schemaCheck(readSchema({ multipleOf: 0.01 }));
  expect(check(0.07)).toBeNull();
  expect(check(0.075)).toMatchObject([{ message: 'must be multiple of 0.01', params: { multipleOf: 0.01 } }]);
  expect(check('0.075')).toBeNull();
});

test('numbers on both sides of the point where the comparison changes have consistent results', () => {
  expect(cent(9_999_999_999_999.99)).toBe(true);
  expect(cent(10_000_000_000_000.01)).toBe(true);
  expect(cent(9_999_999_999_999.998)).toBe(false);
  expect(multiplesOf(1e-15)(0.3)).toBe(true);
  expect(multiplesOf(3e-16)(0.3)).toBe(true);
  expect(multiplesOf(1e23)(1e23)).toBe(true);
});

test('only large numbers take long, and a list of them no longer than the budget of its check', () => {
  let large = 0;
  const fits = multiplesOf(0.01, () => (large += 1));
  expect([1.25, 0.07, 1e12 + 0.5, 0.075, 1e308].map(fits)).toEqual([true, true, true, false, true]);
  expect(large).toBe(1);
  const check = schemaCheck(readSchema({ items: { multipleOf: 0.01 } }));
  const list = (value: number) => Array.from({ length: 20_000 }, () => value);
  expect(check(list(1.25))).toBeNull();
  expect(check(list(1e308))).toMatchObject([{ message: expect.stringContaining('takes too long to check') as string }]);
});
