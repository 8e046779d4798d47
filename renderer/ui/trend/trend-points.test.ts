import { expect, test } from 'vitest';
import {
  alignedColumns,
  byUnit,
  dashOf,
  extremes,
  heightFromZero,
  lastValue,
  moved,
  spreadLabels,
  valueAt,
  zoomed,
  type TrendSeries,
} from './trend-points.ts';

const series = (points: TrendSeries['points'], more: Partial<TrendSeries> = {}): TrendSeries => ({
  label: 's',
  unit: '',
  points,
  ...more,
});

test('a value holds until the next one, and there is no value before the first or after a break', () => {
  const points = [
    [10, 1],
    [20, null],
    [30, 3],
  ] as const;
  expect([9, 10, 19, 20, 29, 30, 99].map((at) => valueAt(points, at))).toEqual([null, 1, 1, null, null, 3, 3]);
  expect([lastValue(points), lastValue([])]).toEqual([3, null]);
});

test('series with different times share one list of times, and breaks are kept', () => {
  const both = [
    series([
      [1, 10],
      [3, null],
    ]),
    series([
      [2, 5],
      [4, 6],
    ]),
  ];
  expect(alignedColumns(both)).toEqual({
    times: [1, 2, 3, 4],
    values: [
      [10, 10, null, null],
      [null, 5, 5, 6],
    ],
  });
});

test('each of four series has its own dash pattern, unless it defines one', () => {
  expect(new Set([0, 1, 2, 3].map((index) => dashOf(series([]), index).join(' '))).size).toBe(4);
  expect(dashOf(series([], { dash: [1, 1] }), 0)).toEqual([1, 1]);
});

test('extremes ignore breaks, include spans, and are missing for an empty series', () => {
  const points = [
    [1, 4],
    [2, null],
    [3, -2],
  ] as const;
  expect(extremes([series(points)])).toEqual({ low: -2, high: 4 });
  expect(extremes([series(points, { spans: [[1, -5, 9]] })])).toEqual({ low: -5, high: 9 });
  expect(extremes([series([[1, null]])])).toBeNull();
});

test('a range moves by a share of its length, zooms around its middle, and is at least a second long', () => {
  expect(moved({ from: 0, to: 1000 }, -0.5)).toEqual({ from: -500, to: 500 });
  expect(zoomed({ from: 0, to: 10_000 }, 0.5)).toEqual({ from: 2500, to: 7500 });
  expect(zoomed({ from: 0, to: 1000 }, 0.5)).toEqual({ from: 0, to: 1000 });
});

test('each unit has its own chart, and a line keeps its place in the legend', () => {
  const named = (label: string, unit: string) => ({ ...series([]), label, unit });
  const drawings = byUnit([named('calls', '/s'), named('refused', '/min'), named('failed', '/s')]);
  expect(drawings.map((own) => own.map(({ label, place }) => `${label} ${place}`))).toEqual([
    ['calls 0', 'failed 2'],
    ['refused 1'],
  ]);
});

test('a rate axis begins at zero with room above it, and has a height even if all values are zero', () => {
  expect(heightFromZero(0)).toEqual([0, 1]);
  const [low, high] = heightFromZero(50);
  expect([low, high > 50]).toEqual([0, true]);
});

test('the labels at the ends of lines do not overlap', () => {
  expect(spreadLabels([10, 100], 16)).toEqual([10, 100]);
  expect(spreadLabels([30, 20, 25], 16)).toEqual([52, 20, 36]);
});
