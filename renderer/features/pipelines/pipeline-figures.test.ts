import { expect, test } from 'vitest';
import type { RouteTraffic } from '#common/model/traffic.ts';
import { figuresOf } from './pipeline-figures.ts';

const route = (pipeline: string, more: Partial<RouteTraffic>) =>
  ({
    project: 'line-7',
    pipeline,
    callsPerSecond: null,
    calls: 0,
    errorShare: null,
    series: { from: '2026-01-01T00:00:00Z', stepSeconds: 10, values: [null, null] },
    lastCall: null,
    ...more,
  }) as RouteTraffic;
const series = (...values: (number | null)[]) => ({ from: '2026-01-01T00:00:00Z', stepSeconds: 10, values });
const called = (at: string) => ({ at, keyId: null, name: null, ip: '10.0.0.1' });

test('the figures of a pipeline cover all its routes, weighted by their calls', () => {
  const figures = figuresOf([
    route('orders', {
      callsPerSecond: 1,
      calls: 90,
      errorShare: 0,
      series: series(1, null),
      lastCall: called('2026-01-01T08:00:00Z'),
    }),
    route('orders', {
      callsPerSecond: 0.5,
      calls: 10,
      errorShare: 0.5,
      series: series(2, null),
      lastCall: called('2026-01-01T09:00:00Z'),
    }),
    route('labels', {}),
  ]);
  expect(figures.get('line-7/orders')).toEqual({
    callsPerSecond: 1.5,
    errorShare: 0.05,
    series: series(3, null),
    lastCallAt: '2026-01-01T09:00:00Z',
  });
});

test('unknown figures stay unknown', () => {
  expect(figuresOf([route('labels', {})]).get('line-7/labels')).toEqual({
    callsPerSecond: null,
    errorShare: null,
    series: series(null, null),
    lastCallAt: null,
  });
});
