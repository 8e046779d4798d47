import { expect, test } from 'vitest';
import { testKey } from '#common/model/key-record.testing.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { CallerTraffic, KeyRoute, KeyTraffic } from '#common/model/traffic.ts';
import { predecessorOf, stateOf, successorOf } from './key-view.ts';
import { chartExtent, hostRows, pointsOf, rangeSince, routeRows, verdictOf } from './rotation-view.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();
const key = (name: string, more: Partial<KeyRecord> = {}) =>
  testKey({ id: name, name, project: 'line', createdAt: ago(100), lastUsedAt: ago(1), ...more });
const traffic = (more: Partial<CallerTraffic>): CallerTraffic => ({
  keyId: '',
  project: 'line',
  name: '',
  ip: null,
  lastCallAt: null,
  usualGapSeconds: null,
  silent: false,
  calls: 0,
  refused: 0,
  refusedCode: null,
  ...more,
});

test('a successor is the newest valid key that a rotation named after this one', () => {
  const keys = [key('MES'), key('MES (2)'), key('MES (3)', { revokedAt: ago(1) }), key('MES line (2)')];
  expect(successorOf(key('MES'), keys)?.name).toBe('MES (2)');
  expect(successorOf(key('MES (2)'), keys)).toBeNull();
  expect(predecessorOf(key('MES (2)'), keys)?.name).toBe('MES');
  expect(predecessorOf(key('MES'), keys)).toBeNull();
});

test('a row shows its most urgent state', () => {
  const states = (more: Partial<KeyRecord>, seen?: Partial<CallerTraffic>, others: KeyRecord[] = []) =>
    stateOf(key('MES', more), [key('MES', more), ...others], seen && traffic(seen), NOW).kind;
  expect(states({ revokedAt: ago(1) }, { refused: 10 })).toBe('revoked');
  const pause = { at: ago(1), by: 'anna', reason: 'service' };
  const exposed = { at: ago(1), how: 'query', ip: '10.0.0.7', method: 'GET', path: '/state' } as const;
  expect(states({ exposed }, { refused: 10 })).toBe('exposed');
  expect(states({ exposed }, {}, [key('MES (2)')])).toBe('replaced');
  expect(states({ honey: true })).toBe('honey');
  expect(states({ honey: true, exposed: { ...exposed, how: 'honey' } })).toBe('honeyUsed');
  expect(states({ paused: pause }, { refused: 10 })).toBe('paused');
  expect(states({ limits: { until: ago(1) } }, { refused: 10 })).toBe('ended');
  expect(states({ limits: { until: ago(-1) } }, { refused: 1 })).toBe('valid');
  expect(states({}, { refused: 10, silent: true })).toBe('refused');
  expect(states({}, { refused: 1 })).toBe('valid');
  expect(states({}, {}, [key('MES (2)')])).toBe('replaced');
  expect(states({}, { silent: true })).toBe('silent');
  expect(states({ lastUsedAt: ago(31 * 1440) }, {})).toBe('unused');
  expect(states({ lastUsedAt: null })).toBe('never');
  expect(states({ lastUsedAt: null }, { lastCallAt: ago(1), refused: 1 })).toBe('neverPassed');
});

const keyTraffic = (more: Partial<KeyTraffic>): KeyTraffic => ({
  keyId: '',
  at: ago(0),
  callsPerMinute: 0,
  lastCall: null,
  hosts: [],
  routes: [],
  series: { from: ago(480), stepSeconds: 300, values: [] },
  ...more,
});
const host = (ip: string, calls: number, minutes: number) => ({ ip, calls, lastCallAt: ago(minutes) });

test('hosts that still send the old key come first', () => {
  const old = keyTraffic({ hosts: [host('a', 0, 90), host('b', 5, 1), host('c', 9, 1)] });
  const fresh = keyTraffic({ hosts: [host('a', 100, 1), host('b', 7, 1)] });
  expect(hostRows(old, fresh).map(({ ip, state }) => `${ip} ${state}`)).toEqual(['c old', 'b both', 'a new']);
});

test('the old key may be revoked once it is unused for the chosen time and the new one is in use', () => {
  const call = (minutes: number) => ({ at: ago(minutes), ip: '10.0.0.1', route: 'GET /' });
  const used = keyTraffic({ lastCall: call(30), hosts: [host('a', 1, 30)] });
  const fresh = keyTraffic({ lastCall: call(1) });
  expect(verdictOf(used, fresh, null, 60, NOW)).toMatchObject({ kind: 'used', hosts: 1, ip: '10.0.0.1' });
  expect(verdictOf(used, fresh, null, 15, NOW)).toEqual({ kind: 'free' });
  expect(verdictOf(keyTraffic({}), fresh, ago(10), 60, NOW)).toMatchObject({ kind: 'used', hosts: 1 });
  expect(verdictOf(keyTraffic({}), keyTraffic({}), null, 60, NOW)).toEqual({ kind: 'untried' });
  expect(verdictOf(undefined, fresh, null, 60, NOW)).toEqual({ kind: 'unknown' });
});

const seen = (route: string, minutes: number, passed: number | null = minutes): KeyRoute => ({
  route,
  firstCallAt: ago(minutes),
  lastCallAt: ago(minutes),
  firstPassedAt: passed === null ? null : ago(passed),
  lastPassedAt: passed === null ? null : ago(passed),
});

test('an unused old key must stay until the new key has passed on each of its routes', () => {
  const old = keyTraffic({ routes: [seen('GET /a', 90), seen('GET /b', 90)] });
  const first = keyTraffic({ routes: [seen('GET /a', 5)], lastCall: { at: ago(5), ip: '', route: '' } });
  expect(verdictOf(old, first, null, 60, NOW)).toEqual({ kind: 'partly', seen: 1, total: 2 });
  const refused = keyTraffic({ ...first, routes: [seen('GET /a', 5, null)] });
  expect(verdictOf(old, refused, null, 60, NOW)).toEqual({ kind: 'untried' });
  const both = keyTraffic({ ...first, routes: [seen('GET /a', 5), seen('GET /b', 5)] });
  expect(verdictOf(old, both, null, 60, NOW)).toEqual({ kind: 'free' });
});

test('each route has its own verdict, those on the old key first', () => {
  const old = keyTraffic({ routes: ['old', 'both', 'refused'].map((name) => seen(name, 1)) });
  old.routes.push(seen('untried', 90), seen('changed', 90));
  const fresh = keyTraffic({ routes: ['both', 'changed', 'new'].map((name) => seen(name, 2)) });
  fresh.routes.push(seen('refused', 2, null));
  const rows = routeRows(old, fresh, 60, NOW);
  expect(rows.map(({ route }) => route)).toEqual(['old', 'both', 'refused', 'untried', 'changed', 'new']);
  expect(rows.map(({ state }) => state)).toEqual(rows.map(({ route }) => route));
});

test('a host that sends the new key has changed over once the old key is revoked', () => {
  const old = keyTraffic({ hosts: [host('a', 5, 1), host('b', 5, 1)] });
  const fresh = keyTraffic({ hosts: [host('a', 7, 1)] });
  expect(hostRows(old, fresh, true).map(({ ip, state }) => `${ip} ${state}`)).toEqual(['b old', 'a new']);
});

test('the chart begins 15 minutes before the new key, with the finest steps that cover that time', () => {
  const ranges = [2, 104, 106, 464, 466].map((minutes) => rangeSince(ago(minutes), NOW.getTime()));
  expect(ranges).toEqual(['2h', '2h', '8h', '8h', '7d']);
  const series = { from: ago(120), stepSeconds: 60, values: Array.from({ length: 120 }, () => 1) };
  const since = (minutes: number) => NOW.getTime() - minutes * 60_000;
  expect(chartExtent(series, ago(2))).toEqual({ from: since(17), to: since(0), markAt: since(2) });
  expect(chartExtent(series, ago(200))).toEqual({ from: since(120), to: since(0), markAt: null });
});

test('the last step of the chart extends to the time of reading, unless its value is unknown', () => {
  const points = (last: number | null) =>
    pointsOf({ from: ago(2), stepSeconds: 60, values: [4, last] }, ago(0)).map(([, value]) => value);
  expect(points(7)).toEqual([4, 7, 7]);
  expect(points(null)).toEqual([4, null, null]);
});
