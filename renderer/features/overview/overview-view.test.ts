import { expect, test } from 'vitest';
import type { RouteTraffic } from '#common/model/traffic.ts';
import { isUnusual } from '#ui/band-gauge.tsx';
import { isFailing, refusedFigure, routeGroups } from './overview-view.ts';

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

test('a route counts as failing at one error in a hundred calls, but not at a single error', () => {
  expect(isFailing({ errorShare: 0.01, calls: 100 })).toBe(false);
  expect(isFailing({ errorShare: 0.01, calls: 200 })).toBe(true);
  expect(isFailing({ errorShare: null, calls: 0 })).toBe(false);
});

const patterns = (routes: readonly RouteTraffic[]) => routes.map(({ pattern }) => pattern);

test('abnormal routes come first, then busy and stopped ones, and idle ones are folded', () => {
  const routes = [
    route('/a', { answers: false }),
    route('/b'),
    route('/c', { errorShare: 0.5 }),
    route('/d', { lastCall: { at: '', keyId: 'gone', name: 'Andon', ip: '' }, calls: 0 }),
    route('/a-idle', { calls: 0 }),
    route('/e-idle', { calls: 0 }),
  ];
  const { shown, idle } = routeGroups(routes, new Set(['gone']));
  expect([patterns(shown), patterns(idle)]).toEqual([
    ['/c', '/d', '/b', '/a'],
    ['/a-idle', '/e-idle'],
  ]);
});

test('idle routes are not folded while no route is busy or abnormal', () => {
  const { shown, idle } = routeGroups([route('/a', { answers: false }), route('/b', { calls: 0 })], new Set());
  expect([patterns(shown), patterns(idle)]).toEqual([['/b', '/a'], []]);
});

test('refusals are compared with a fixed share until their usual share is known, unless there are few', () => {
  const share = (value: number, refused: number, usual: { low: number; high: number } | null = null) =>
    refusedFigure({ refusedShare: { value, usual }, refused });
  expect(share(0.24, 24)).toEqual({ value: 24, usual: { low: 0, high: 5 }, isFixed: true });
  expect(share(0.24, 2)).toEqual({ value: 24, usual: null, isFixed: false });
  expect(share(0.24, 24, { low: 0.2, high: 0.3 })).toEqual({ value: 24, usual: { low: 20, high: 30 }, isFixed: false });
});

test('no value is unusual without a usual range, and refusals are unusual only above theirs', () => {
  expect(isUnusual(99, null, 'either')).toBe(false);
  expect(isUnusual(1, { low: 5, high: 9 }, 'either')).toBe(true);
  expect(isUnusual(1, { low: 5, high: 9 }, 'above')).toBe(false);
  expect(isUnusual(10, { low: 5, high: 9 }, 'above')).toBe(true);
});
