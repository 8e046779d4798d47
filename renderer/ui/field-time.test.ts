import { expect, test } from 'vitest';
import { fieldTime } from './field-time.ts';

test('a time field shows local time and returns the time that it received', () => {
  const at = new Date(2026, 2, 1, 6, 5).getTime();
  expect(fieldTime(at)).toBe('2026-03-01T06:05');
  expect(Date.parse(fieldTime(at))).toBe(at);
});
