import { expect, test } from 'vitest';
import type { RouteDelta } from '#common/control/traffic.ts';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import { DURATION_BOUNDS, RouteTotals, TOTALS_MAX } from './route-totals.ts';

const HOUR_MS = 3_600_000;
const delta = (id: string, more: Partial<RouteDelta> = {}): RouteDelta => ({
  id,
  method: 'POST',
  pattern: '/orders',
  calls: 1,
  refused: 0,
  undelivered: 0,
  statuses: [1, 0, 0, 0],
  durations: [bucketOf(20), 1],
  durationMs: 20,
  last: null,
  ...more,
});

test('statuses, durations and their sum add up over the reports', () => {
  const totals = new RouteTotals();
  totals.add(delta('line-1/orders/in', { durations: [bucketOf(0.5), 2, bucketOf(400), 1], durationMs: 401 }), 0);
  totals.add(
    delta('line-1/orders/in', { statuses: [0, 0, 3, 1], durations: [bucketOf(90_000), 1], durationMs: 9e4 }),
    1,
  );
  const [total] = totals.list();
  expect(total).toMatchObject({ project: 'line-1', pipeline: 'orders', node: 'in', method: 'POST', route: '/orders' });
  expect(total?.statuses).toEqual([1, 0, 3, 1]);
  expect(total?.durationSeconds).toBeCloseTo(90.401);
  const counted = total?.buckets.flatMap((count, at) =>
    count === 0 ? [] : [[DURATION_BOUNDS[at] ?? Infinity, count]],
  );
  expect(counted).toEqual([
    [0.001, 2],
    [0.5, 1],
    [Infinity, 1],
  ]);
});

test('a route with another pattern is another series', () => {
  const totals = new RouteTotals();
  totals.add(delta('a/b/in'), 0);
  totals.add(delta('a/b/in', { pattern: '/orders/v2' }), 0);
  expect(totals.list().map(({ route }) => route)).toEqual(['/orders', '/orders/v2']);
});

test('routes beyond the limit share one total, until a quiet one makes room', () => {
  const totals = new RouteTotals();
  for (let n = 0; n < TOTALS_MAX + 5; n++) totals.add(delta(`a/p${n}/in`), n === 0 ? 0 : 20 * HOUR_MS);
  expect(totals.list()).toHaveLength(TOTALS_MAX + 1);
  expect(totals.list().at(-1)).toMatchObject({ method: 'other', route: 'other', statuses: [5, 0, 0, 0] });
  totals.add(delta('a/late/in'), 24 * HOUR_MS);
  expect(totals.list().map(({ pipeline }) => pipeline)).not.toContain('p0');
  expect(totals.list().map(({ pipeline }) => pipeline)).toContain('late');
  expect(totals.list()).toHaveLength(TOTALS_MAX + 1);
});

test('a deleted project removes its totals', () => {
  const totals = new RouteTotals();
  totals.add(delta('a/b/in'), 0);
  totals.add(delta('ab/b/in'), 0);
  totals.forgetProject('a');
  expect(totals.list().map(({ project }) => project)).toEqual(['ab']);
});
