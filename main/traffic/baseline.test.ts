import { expect, test } from 'vitest';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import { type Minute, sameHours, SAMPLES_MIN, baselineOf, baselineOfCounts, BaselineMinutes } from './baseline.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Local time, because baselines are by the hour of the host's day. */
const now = new Date(2026, 2, 10, 14, 20).getTime();

const minute = (at: number, calls: number, more: Partial<Minute> = {}): Minute => ({
  at,
  measuredMs: MINUTE,
  calls,
  refused: 0,
  p99Ms: null,
  ...more,
});

test('the baseline is the 5th to the 95th percentile, and unknown under 50 samples', () => {
  const samples = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(baselineOf(samples)).toEqual({ low: 5, high: 95 });
  expect(baselineOf(samples.slice(0, SAMPLES_MIN - 1))).toBeNull();
  expect(baselineOf(samples.slice(0, SAMPLES_MIN))).not.toBeNull();
});

test('the baseline of a histogram is within a bucket', () => {
  expect(baselineOfCounts([bucketOf(10), SAMPLES_MIN - 1])).toBeNull();
  const usual = baselineOfCounts([bucketOf(10), 40, bucketOf(200), 10]);
  expect(usual?.low).toBeCloseTo(10, -0.5);
  expect(Math.abs((usual?.high ?? 0) - 200)).toBeLessThan(10);
});

test('only minutes of the same hour of the day count', () => {
  const minutes = new BaselineMinutes();
  const hourFrom = (at: number, calls: number) => {
    for (let n = 0; n < 60; n++) minutes.add(minute(at + n * MINUTE, calls));
  };
  hourFrom(now - 2 * DAY, 6000);
  hourFrom(now - DAY, 6000);
  hourFrom(now - HOUR, 60);
  expect(minutes.ofHour(14)).toMatchObject({ days: 3, callsPerSecond: { low: 1, high: 100 } });
  expect(minutes.ofHour(13)).toMatchObject({ days: 1, callsPerSecond: null });
  expect(minutes.ofHour(15)).toMatchObject({ days: 2, callsPerSecond: null });
  expect(minutes.ofHour(3).callsPerSecond).toBeNull();
});

test('minutes older than 14 days are dropped, and a partly measured minute counts by its measured part', () => {
  const minutes = new BaselineMinutes();
  const start = new Date(2026, 2, 10, 14, 0).getTime();
  for (let n = 0; n < 60; n++) minutes.add(minute(start - 15 * DAY + n * MINUTE, 6000));
  for (const day of [2, 1, 0])
    for (let n = 0; n < 60; n++) minutes.add(minute(start - day * DAY + n * MINUTE, 30, { measuredMs: 30_000 }));
  expect(minutes.ofHour(14).callsPerSecond).toEqual({ low: 1, high: 1 });
});

test('the share of refusals needs calls, and the p99 needs calls that ran', () => {
  const minutes = new BaselineMinutes();
  const start = new Date(2026, 2, 10, 14, 0).getTime();
  const part = (n: number) => (n < 50 ? minute(0, 0) : minute(0, 10, { refused: 1 }));
  for (const day of [2, 1, 0])
    for (let n = 0; n < 60; n++) minutes.add({ ...part(n), at: start - day * DAY + n * MINUTE });
  expect(minutes.ofHour(14)).toEqual({
    days: 3,
    callsPerSecond: { low: 0, high: 10 / 60 },
    refusedShare: null,
    p99Ms: null,
  });
  minutes.addPast(
    Array.from({ length: 60 }, (_, n) => minute(start - 3 * DAY + n * MINUTE, 10, { refused: 1, p99Ms: 12 })),
  );
  expect(minutes.ofHour(14)).toMatchObject({ refusedShare: { low: 0.1, high: 0.1 }, p99Ms: { low: 12, high: 12 } });
});

test('the same hours reach 14 days back and no further', () => {
  const hours = sameHours(now);
  expect(hours).toHaveLength(15);
  expect(hours.every(([from]) => new Date(from).getHours() === 14)).toBe(true);
  expect(hours[0]).toEqual([new Date(2026, 2, 10, 14).getTime(), new Date(2026, 2, 10, 15).getTime()]);
  expect(Math.min(...hours.map(([from]) => from))).toBe(now - 14 * DAY);
});
