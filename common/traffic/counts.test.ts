import { describe, expect, test } from 'vitest';
import { addCounts, quantileOf, sumCounts, totalOf } from './counts.ts';
import { Histogram } from './histogram.ts';
import { BUCKETS, bucketOf, middleOf } from './log-buckets.ts';

describe('buckets', () => {
  test('a value read from a bucket is off by at most 5 %', () => {
    for (let ms = 0.011; ms < 3e8; ms *= 1.013) {
      const read = middleOf(bucketOf(ms));
      expect(Math.abs(read - ms) / ms, `${ms} ms`).toBeLessThanOrEqual(0.0501);
    }
  });

  test('rise with the time, and accept values below or above the range and invalid ones', () => {
    expect([0, -1, Number.NaN, 0.01].map(bucketOf)).toEqual([0, 0, 0, 0]);
    expect(bucketOf(0.0101)).toBe(1);
    expect([1e12, Number.POSITIVE_INFINITY].map(bucketOf)).toEqual([BUCKETS - 1, BUCKETS - 1]);
    let before = 0;
    for (let ms = 0.001; ms < 1e9; ms *= 1.01) {
      expect(bucketOf(ms)).toBeGreaterThanOrEqual(before);
      before = bucketOf(ms);
    }
  });
});

describe('counts', () => {
  test('are added bucket by bucket, in order', () => {
    expect(addCounts([1, 2, 5, 1], [1, 3, 4, 7, 9, 1])).toEqual([1, 5, 4, 7, 5, 1, 9, 1]);
    expect(addCounts([], [3, 1])).toEqual([3, 1]);
    expect(addCounts([3, 1], [])).toEqual([3, 1]);
    expect(sumCounts([[1, 2, 5, 1], [], [1, 3, 4, 7, 9, 1], [255, 2]])).toEqual([1, 5, 4, 7, 5, 1, 9, 1, 255, 2]);
    expect([sumCounts([]), sumCounts([[3, 1]])]).toEqual([[], [3, 1]]);
    expect(totalOf([1, 5, 4, 7])).toBe(12);
  });

  test('give the quantiles of what was counted, merged or not', () => {
    const [first, second] = [new Histogram(), new Histogram()];
    for (let ms = 1; ms <= 1000; ms++) (ms % 2 ? first : second).add(ms);
    const merged = addCounts(first.take(), second.take());
    expect(totalOf(merged)).toBe(1000);
    for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
      const read = quantileOf(merged, share) ?? 0;
      expect(Math.abs(read - share * 1000) / (share * 1000)).toBeLessThanOrEqual(0.0501);
    }
    expect(quantileOf([], 0.5)).toBeNull();
    expect(quantileOf([100, 1], 0)).toBe(middleOf(100));
  });

  test('a histogram starts again from zero once it was read', () => {
    const histogram = new Histogram();
    histogram.add(1);
    expect(totalOf(histogram.take())).toBe(1);
    expect(histogram.take()).toEqual([]);
    histogram.add(500);
    expect(histogram.take()).toEqual([bucketOf(500), 1]);
  });
});
