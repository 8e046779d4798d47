import { expect, test } from 'vitest';
import type { KeyDelta } from '#common/control/traffic.ts';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import { Caller, HOSTS_PER_KEY_MAX, isSilent, usualGapSeconds } from './callers.ts';
import { Level } from './level.ts';
import { emptyTally, keySeries } from './tally.ts';

const START = Date.parse('2026-03-01T06:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function delta(atMs: number, calls: Record<string, number>, codes: Record<string, number> = {}): KeyDelta {
  const sources = Object.entries(calls).map(([ip, count]) => ({ ip, calls: count, at: atMs }));
  const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const refused = Object.values(codes).reduce((sum, count) => sum + count, 0);
  return {
    id: 'k',
    calls: total,
    refused,
    codes,
    gaps: [],
    last: { at: atMs, ip: '', route: '' },
    sources,
    routes: [],
  };
}

test('hosts have their calls of 10 minutes, the latest first, and are removed after a day', () => {
  const caller = new Caller();
  caller.take(delta(START, { a: 5, b: 1 }), START);
  caller.take(delta(START + 9 * MINUTE, { a: 2 }), START + 9 * MINUTE);
  const at = (ms: number) => caller.hosts(START + ms).map(({ ip, calls }) => [ip, calls]);
  expect(at(9 * MINUTE)).toEqual([
    ['a', 7],
    ['b', 1],
  ]);
  expect(at(10 * MINUTE)).toEqual([
    ['a', 2],
    ['b', 0],
  ]);
  expect(at(24 * HOUR + MINUTE)).toEqual([['a', 0]]);
});

test('a limited number of hosts is remembered, and the one that called longest ago is removed first', () => {
  const caller = new Caller();
  caller.take(delta(START, { first: 1 }), START);
  for (let n = 0; n < HOSTS_PER_KEY_MAX; n++) {
    caller.take(delta(START + n, { [`h${n}`]: 1 }), START + n);
    if (n === 10) caller.take(delta(START + n, { first: 1 }), START + n);
  }
  const hosts = caller.hosts(START + SECOND).map(({ ip }) => ip);
  expect(hosts).toHaveLength(HOSTS_PER_KEY_MAX);
  expect(hosts).toContain('first');
  expect(hosts).not.toContain('h0');
});

test('reports the most frequent code of the last 15 minutes', () => {
  const caller = new Caller();
  caller.take(delta(START, { a: 5 }, { rate_limited: 5 }), START);
  caller.take(delta(START + MINUTE, { a: 3 }, { scope_missing: 3 }), START + MINUTE);
  expect(caller.refusedCode(START + MINUTE)).toBe('rate_limited');
  expect(caller.refusedCode(START + 15 * MINUTE)).toBe('scope_missing');
  expect(caller.refusedCode(START + 17 * MINUTE)).toBeNull();
});

test('the baseline gap is the median of the 24 h up to the last call, and unknown under three calls', () => {
  const hours = new Level(HOUR, 168, true);
  const add = (atMs: number, gaps: readonly [number, number][]) =>
    hours.add(keySeries('k'), atMs, {
      ...emptyTally(),
      calls: 1,
      times: gaps.flatMap(([seconds, count]) => [bucketOf(seconds * SECOND), count]),
    });
  add(START, [[2, 100]]);
  expect(Math.abs((usualGapSeconds(hours, 'k', START) ?? 0) - 2)).toBeLessThan(0.1);
  add(START + 30 * HOUR, [[60, 1]]);
  expect(usualGapSeconds(hours, 'k', START + 30 * HOUR)).toBeNull();
  add(START + 31 * HOUR, [[60, 1]]);
  expect(Math.abs((usualGapSeconds(hours, 'k', START + 31 * HOUR) ?? 0) - 60)).toBeLessThan(3);
  expect(usualGapSeconds(hours, 'other', START)).toBeNull();
});

test('silent: five baseline gaps without a call, at least 60 s, and only while calls could arrive', () => {
  const silentAfter = (gap: number | null, seconds: number, heardSince: number | null = START - HOUR) =>
    isSilent(gap, START, heardSince, START + seconds * SECOND);
  expect([60, 61].map((seconds) => silentAfter(2, seconds))).toEqual([false, true]);
  expect([150, 151].map((seconds) => silentAfter(30, seconds))).toEqual([false, true]);
  expect(silentAfter(null, 9999)).toBe(false);
  expect(silentAfter(2, 9999, null)).toBe(false);
  expect([9_960, 9_961].map((seconds) => silentAfter(2, seconds, START + 9_900 * SECOND))).toEqual([false, true]);
});
