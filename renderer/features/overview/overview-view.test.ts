import { expect, test } from 'vitest';
import type { RouteTraffic } from '#common/model/traffic.ts';
import { isUnusual } from '#ui/band-gauge.tsx';
import { isFailing, routesInOrder } from './overview-view.ts';

const route = (pattern: string, more: Partial<RouteTraffic> = {}): RouteTraffic => ({
  project: 'p',
  pipeline: 'x',
  pipelineName: 'X',
  node: 'in',
  method: 'GET',
  pattern,
  answers: true,
  authType: 'api_key',
  requiredScopes: [],
  callsPerSecond: 1,
  calls: 100,
  refused: 0,
  errorShare: 0,
  p50Ms: 1,
  p99Ms: 2,
  p99Usual: null,
  series: { from: '2026-11-21T12:00:00Z', stepSeconds: 10, values: [] },
  lastCall: { at: '2026-11-21T12:00:00Z', keyId: 'k', name: 'MES', ip: '10.0.0.1' },
  ...more,
});

test('one error among many calls is no failing route; one in a hundred is', () => {
  expect(isFailing({ errorShare: 0.01, calls: 100 })).toBe(false);
  expect(isFailing({ errorShare: 0.01, calls: 200 })).toBe(true);
  expect(isFailing({ errorShare: null, calls: 0 })).toBe(false);
});

test('abnormal routes come first, stopped ones last', () => {
  const routes = [
    route('/a', { answers: false }),
    route('/b'),
    route('/c', { errorShare: 0.5 }),
    route('/d', { lastCall: { at: '', keyId: 'gone', name: 'Andon', ip: '' } }),
  ];
  expect(routesInOrder(routes, new Set(['gone'])).map(({ pattern }) => pattern)).toEqual(['/c', '/d', '/b', '/a']);
});

test('without a usual range nothing is unusual; few refusals never are', () => {
  expect(isUnusual(99, null, 'either')).toBe(false);
  expect(isUnusual(1, { low: 5, high: 9 }, 'either')).toBe(true);
  expect(isUnusual(1, { low: 5, high: 9 }, 'above')).toBe(false);
  expect(isUnusual(10, { low: 5, high: 9 }, 'above')).toBe(true);
});
