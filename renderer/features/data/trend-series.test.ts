import { expect, test } from 'vitest';
import { trendOf } from './trend-series.ts';

const at = (ms: number) => new Date(ms).toISOString();
const good = (ms: number, value: unknown) => ({ time: at(ms), value, quality: 'good' as const });
const bad = (ms: number) => ({ time: at(ms), value: null, quality: 'bad' as const });
const history = { tag: 'a', unit: 'm', interval: null, before: null, lows: [], highs: [] };

test('the value held at the start of the range comes first, and the last value extends to now', () => {
  const line = trendOf({ ...history, before: good(1000, 3), values: [good(2000, 4)] }, { from: 1000, until: 5000 });
  expect(line.points).toEqual([
    [1000, 3],
    [2000, 4],
    [5000, 4],
  ]);
});

test('a bad or non-numeric value breaks the line, and true is 1', () => {
  const values = [good(1, true), bad(2), good(3, 'text'), good(4, false)];
  expect(trendOf({ ...history, values }, { from: 0, until: 4 }).points).toEqual([
    [1, 1],
    [2, null],
    [3, null],
    [4, 0],
  ]);
});

test('an interval without lows and highs has a span of only its mean', () => {
  const values = [good(0, 5), good(10, 6)];
  const line = trendOf(
    { ...history, interval: 10, values, lows: [good(0, 4), bad(10)], highs: [good(0, 9), bad(10)] },
    { from: 0, until: 10 },
  );
  expect(line.spans).toEqual([
    [0, 4, 9],
    [10, 6, 6],
  ]);
});
