import { expect, test } from 'vitest';
import { linePath, roundMax, thinned, timeTicks } from './chart-points.ts';

const frame = { from: 0, to: 100_000, max: 10 };

test('a line goes from left to right and grows upwards', () => {
  expect(
    linePath(
      [
        { at: 0, value: 0 },
        { at: 10_000, value: 5 },
        { at: 20_000, value: 10 },
      ],
      frame,
    ),
  ).toBe('M0.0 150.0L90.0 75.0L180.0 0.0');
});

test('a line breaks at missing values', () => {
  const path = linePath(
    [
      { at: 0, value: 1 },
      { at: 2000, value: 1 },
      { at: 60_000, value: 1 },
    ],
    frame,
  );
  expect(path.match(/M/g)).toHaveLength(2);
});

test('points outside the frame are clamped to its edge', () => {
  expect(linePath([{ at: 200_000, value: 99 }], frame)).toBe('M900.0 0.0h2');
});

test('an empty series draws nothing, and a frame without a span does not divide by zero', () => {
  expect(linePath([], frame)).toBe('');
  expect(linePath([{ at: 5, value: 0 }], { from: 5, to: 5, max: 0 })).toBe('M0.0 150.0h2');
});

test('the maximum of a count axis has an integer half', () => {
  expect([0, 1, 3, 9, 12, 21, 41, 8364].map(roundMax)).toEqual([2, 2, 4, 10, 20, 40, 100, 10_000]);
});

test('ticks are at round local times, five at most', () => {
  const halfPastTwo = Date.UTC(2026, 9, 13, 12, 32);
  const ticks = timeTicks(halfPastTwo, halfPastTwo + 6.5 * 3_600_000, 2 * 3_600_000);
  expect(ticks.stepMs).toBe(2 * 3_600_000);
  expect(ticks.at.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['14:00', '16:00', '18:00']);
  for (const span of [60_000, 900_000, 86_400_000, 3e10])
    expect(timeTicks(halfPastTwo, halfPastTwo + span, 0).at.length).toBeLessThanOrEqual(5);
});

test('a thinned line keeps its ends', () => {
  const points = Array.from({ length: 1000 }, (_, index) => ({ at: index, value: index }));
  const thin = thinned(points, 100);
  expect(thin).toHaveLength(100);
  expect(thin[0]).toEqual(points[0]);
  expect(thin.at(-1)).toEqual(points.at(-1));
});
