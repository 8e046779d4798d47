import { expect, test } from 'vitest';
import { fieldTime } from './field-time.ts';

test('a field for a time holds local time, and gives back what it got', () => {
  const at = new Date(2026, 2, 1, 6, 5).getTime();
  expect(fieldTime(at)).toBe('2026-03-01T06:05');
  expect(Date.parse(fieldTime(at))).toBe(at);
});
