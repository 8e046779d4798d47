import { expect, test } from 'vitest';
import { fieldTime, rangeOf } from './journal-range.ts';

const now = new Date(2026, 9, 13, 14, 32);
const midnight = new Date(2026, 9, 13).toISOString();
const of = (address: Record<string, string>, one = false) => rangeOf((name) => address[name] ?? '', one, now);

test('today unless somebody asks for one consumer or request', () => {
  expect(of({})).toEqual({ name: 'today', from: midnight });
  expect(of({}, true)).toEqual({ name: 'all' });
  expect(of({ range: 'today' }, true)).toEqual({ name: 'today', from: midnight });
  expect(of({ range: 'rubbish' })).toEqual({ name: 'today', from: midnight });
});

test('seven days are today and the six before', () => {
  expect(of({ range: '7d' })).toEqual({ name: '7d', from: new Date(2026, 9, 7).toISOString() });
});

test('an own range may be open at either end', () => {
  const from = '2026-10-01T06:00:00.000Z';
  expect(of({ range: 'own', from, to: 'x' })).toEqual({ name: 'own', from });
  expect(fieldTime(new Date(2026, 0, 2, 3, 4).toISOString())).toBe('2026-01-02T03:04');
  expect(fieldTime(undefined)).toBe('');
});
