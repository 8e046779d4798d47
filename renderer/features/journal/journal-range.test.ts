import { expect, test } from 'vitest';
import { rangeOf, rangeStep } from './journal-range.ts';

const now = new Date(2026, 9, 13, 14, 32);
const midnight = new Date(2026, 9, 13).toISOString();
const of = (address: Record<string, string>, one = false) => rangeOf((name) => address[name] ?? '', one, now);

test('the range is today, unless a consumer or request is selected', () => {
  expect(of({})).toEqual({ name: 'today', from: midnight });
  expect(of({}, true)).toEqual({ name: 'all' });
  expect(of({ range: 'today' }, true)).toEqual({ name: 'today', from: midnight });
  expect(of({ range: 'rubbish' })).toEqual({ name: 'today', from: midnight });
});

test('the last seven days are today and the six days before', () => {
  expect(of({ range: '7d' })).toEqual({ name: '7d', from: new Date(2026, 9, 7).toISOString() });
});

test('a custom range may be open at either end', () => {
  const from = '2026-10-01T06:00:00.000Z';
  expect(of({ range: 'own', from, to: 'x' })).toEqual({ name: 'own', from });
});

const local = (...parts: [number, number, number, number]) => new Date(...parts).getTime();
const span = (range: string, at: Date) => {
  const { from, to } = rangeOf((name) => (name === 'range' ? range : ''), false, at);
  return [from, to].map((time) => (time === undefined ? null : Date.parse(time)));
};

test.each([
  ['in the afternoon', new Date(2026, 9, 13, 14, 32)],
  ['before the night is over', new Date(2026, 9, 13, 3, 0)],
  ['late in the evening', new Date(2026, 9, 13, 23, 0)],
])('last night, selected %s, is from 22:00 to 06:00 today', (_, at) => {
  expect(span('night', at)).toEqual([local(2026, 9, 12, 22), local(2026, 9, 13, 6) - 1]);
});

test('yesterday is the whole previous day', () => {
  expect(span('yesterday', now)).toEqual([local(2026, 9, 12, 0), local(2026, 9, 13, 0) - 1]);
});

test.each([
  ['early', 6, local(2026, 9, 13, 6)],
  ['early until 14:00', 13, local(2026, 9, 13, 6)],
  ['late', 14, local(2026, 9, 13, 14)],
  ['night', 22, local(2026, 9, 13, 22)],
  ['night after midnight', 5, local(2026, 9, 12, 22)],
])('the current shift begins at 06:00, 14:00 or 22:00: %s', (_, hour, from) => {
  expect(span('shift', new Date(2026, 9, 13, hour, 30))).toEqual([from, null]);
});

test('the last hour moves in steps of ten minutes', () => {
  const step = rangeStep(new Date(2026, 9, 13, 14, 38));
  expect(step).toBe(new Date(2026, 9, 13, 14, 30).getTime());
  expect(span('hour', new Date(step))).toEqual([new Date(2026, 9, 13, 13, 30).getTime(), null]);
});
