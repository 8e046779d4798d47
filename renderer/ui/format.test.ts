import { expect, test } from 'vitest';
import { ageOf, clockTime, preciseTime, utcTime } from './format.ts';

const now = new Date('2026-10-13T12:32:07.118Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('an age is shown in its largest unit', () => {
  expect(ageOf(before(0), now)).toEqual({ unit: 'now' });
  expect(ageOf(before(40), now)).toEqual({ unit: 'seconds', count: 40 });
  expect(ageOf(before(59), now)).toEqual({ unit: 'seconds', count: 59 });
  expect(ageOf(before(60), now)).toEqual({ unit: 'minutes', count: 1 });
  expect(ageOf(before(130), now)).toEqual({ unit: 'minutes', count: 2 });
  expect(ageOf(before(7300), now)).toEqual({ unit: 'hours', count: 2 });
  expect(ageOf(before(86_400), now)).toEqual({ unit: 'date' });
});

test('a time slightly in the future is shown as now, never as a negative age', () => {
  expect(ageOf(before(-3), now)).toEqual({ unit: 'now' });
});

test('times have two digits everywhere and three for milliseconds', () => {
  const early = new Date(2026, 9, 3, 4, 5, 6, 7);
  expect(clockTime(early)).toBe('04:05:06');
  expect(preciseTime(early)).toBe('04:05:06.007');
});

test('the tooltip shows the same time in UTC', () => {
  expect(utcTime(now)).toBe('2026-10-13 12:32:07.118 UTC');
});
