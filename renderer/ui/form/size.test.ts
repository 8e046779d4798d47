import { expect, test } from 'vitest';
import { readNumber, readSize, writeSize } from './size.ts';

test('a size has an amount and a unit', () => {
  expect(readSize(4096)).toEqual({ amount: 4096, unit: 'B' });
  expect(readSize('512 kb')).toEqual({ amount: 512, unit: 'KB' });
  expect(readSize('1.5MB')).toEqual({ amount: 1.5, unit: 'MB' });
  for (const text of ['', 'many', '1 GB', null, undefined]) expect(readSize(text), String(text)).toBeNull();
  expect(writeSize({ amount: 1, unit: 'MB' })).toBe('1 MB');
  expect(writeSize({ amount: 4096, unit: 'B' })).toBe(4096);
});

test('a number may have a decimal comma', () => {
  expect(readNumber('0,5')).toBe(0.5);
  expect(readNumber(' 1e3 ')).toBe(1000);
  for (const text of ['', 'x', '1,2,3', '.', '1 000', '0x10']) expect(readNumber(text), text).toBeNull();
});
