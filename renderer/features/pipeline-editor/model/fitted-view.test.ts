import { expect, test } from 'vitest';
import { fittedView } from './fitted-view.ts';

const LIMITS = { edge: { top: 28, right: 18, bottom: 64, left: 18 }, zoomMin: 0.8, zoomMax: 1 };
const AREA = { width: 1108, height: 636 };
const box = (x: number, y: number) => ({ x, y, width: 216, height: 96 });

test('a small graph is centred at 100 %', () => {
  const { x, y, zoom } = fittedView([box(0, 0), box(240, 0)], AREA, LIMITS);
  expect(zoom).toBe(1);
  expect(x + 456 / 2).toBe(18 + (1108 - 36) / 2);
  expect(y + 96 / 2).toBe(28 + (636 - 92) / 2);
});

test('a larger graph is shown completely if its zoom is at least 80 %', () => {
  const { x, zoom } = fittedView([box(0, 0), box(960, 0)], AREA, LIMITS);
  expect(zoom).toBeCloseTo(1072 / 1176, 5);
  expect(x).toBe(18);
});

test('the beginning of a graph that is too large at 80 % is shown', () => {
  const { x, y, zoom } = fittedView([box(40, 20), box(5000, 4000)], AREA, LIMITS);
  expect(zoom).toBe(0.8);
  expect(40 * zoom + x).toBe(18);
  expect(20 * zoom + y).toBe(28);
});

test('the origin is visible if there are no nodes', () => {
  expect(fittedView([], AREA, LIMITS)).toEqual({ x: 18, y: 28, zoom: 1 });
});
