import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { callersOf } from './key-callers.ts';

const row = (ip: string, time: string, route = '/orders'): AuditRow => ({
  time,
  type: 'outcome',
  ip,
  method: 'POST',
  route,
});
const host = (ip: string, lastCallAt: string) => ({ ip, calls: 1, lastCallAt });

test('a quiet host missing from the latest rows is listed too, and one contained in them only once', () => {
  const rows = [row('10.0.0.1', '2026-03-01T08:00:02.000Z'), row('10.0.0.1', '2026-03-01T08:00:01.000Z')];
  const hosts = [host('10.0.0.1', '2026-03-01T08:00:02.000Z'), host('10.0.0.9', '2026-03-01T06:00:00.000Z')];
  expect(callersOf(rows, hosts)).toEqual([
    { method: 'POST', route: '/orders', ip: '10.0.0.1', at: '2026-03-01T08:00:02.000Z' },
    { method: undefined, route: undefined, ip: '10.0.0.9', at: '2026-03-01T06:00:00.000Z' },
  ]);
});

test('a route missing from the latest rows is listed without an address, and one for any method only once', () => {
  const routeOf = (route: string) => {
    const at = '2026-03-01T07:00:00.000Z';
    return { route, firstCallAt: at, lastCallAt: at, firstPassedAt: at, lastPassedAt: at };
  };
  const rows = [row('10.0.0.1', '2026-03-01T08:00:02.000Z')];
  const callers = callersOf(rows, [], [routeOf('POST /orders'), routeOf('* /orders'), routeOf('GET /speed')]);
  expect(callers).toEqual([
    { method: 'POST', route: '/orders', ip: '10.0.0.1', at: '2026-03-01T08:00:02.000Z' },
    { method: 'GET', route: '/speed', ip: '', at: '2026-03-01T07:00:00.000Z' },
  ]);
});

test('only the hosts are listed without the journal, the latest first', () => {
  const hosts = [host('10.0.0.1', '2026-03-01T06:00:00.000Z'), host('10.0.0.2', '2026-03-01T07:00:00.000Z')];
  expect(callersOf([], hosts).map(({ ip }) => ip)).toEqual(['10.0.0.2', '10.0.0.1']);
});
