import { expect, test } from 'vitest';
import { backoffMs, jittered } from './backoff.ts';

const limits = { msMin: 200, msMax: 30_000 };

test('the wait doubles from the shortest to the longest and then stays the same', () => {
  expect([0, 1, 2, 7, 8, 1_000_000].map((failures) => backoffMs(failures, limits))).toEqual([
    200, 400, 800, 25_600, 30_000, 30_000,
  ]);
});

test('jitter keeps to its ratio', () => {
  expect([0, 0.5, 1].map((random) => jittered(1_000, 0.2, random))).toEqual([800, 1_000, 1_200]);
});
