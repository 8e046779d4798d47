import { describe, expect, test } from 'vitest';
import { totalOf } from '#common/traffic/counts.ts';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import { KeyCounters, ROUTES_PER_KEY_MAX, SOURCES_PER_KEY_MAX } from './key-counters.ts';
import { RouteCounters } from './route-counters.ts';
import { PARTS_MAX, Traffic } from './traffic.ts';

const WALL_AT_ZERO = Date.parse('2026-03-01T06:00:00Z');

function setUp() {
  const clock = { ms: 1000 };
  const traffic = new Traffic(
    'e1',
    () => clock.ms,
    () => WALL_AT_ZERO + clock.ms,
  );
  const route = new RouteCounters('line-1/orders/in', true, 'POST', '/orders/:id');
  const key = new KeyCounters('k1');
  return { clock, traffic, route, key };
}

describe('the traffic of the gateway', () => {
  test('a call counts for its route and its key, with its time, gap and source', () => {
    const { clock, traffic, route, key } = setUp();
    traffic.ran(route, key, '10.0.0.1', 'POST', clock.ms - 20, 201);
    clock.ms += 500;
    traffic.ran(route, key, '10.0.0.2', 'POST', clock.ms - 20, 503);
    clock.ms += 100;
    const { epoch, cursor, inFlight, parts } = traffic.tell(null, 0, 3);
    expect({ epoch, cursor, inFlight }).toEqual({ epoch: 'e1', cursor: 1, inFlight: 3 });
    expect(parts).toEqual([
      {
        cursor: 1,
        spanMs: 600,
        unrouted: 0,
        routes: [
          {
            id: 'line-1/orders/in',
            method: 'POST',
            pattern: '/orders/:id',
            calls: 2,
            refused: 0,
            undelivered: 0,
            statuses: [1, 0, 0, 1],
            durations: [bucketOf(20), 2],
            durationMs: 40,
            last: { at: WALL_AT_ZERO + 1500, key: 'k1', ip: '10.0.0.2' },
          },
        ],
        keys: [
          {
            id: 'k1',
            calls: 2,
            refused: 0,
            codes: {},
            gaps: [bucketOf(500), 1],
            last: { at: WALL_AT_ZERO + 1500, ip: '10.0.0.2', route: 'POST /orders/:id' },
            sources: [
              { ip: '10.0.0.1', calls: 1, at: WALL_AT_ZERO + 1000 },
              { ip: '10.0.0.2', calls: 1, at: WALL_AT_ZERO + 1500 },
            ],
            routes: [{ route: 'POST /orders/:id', calls: 2, refused: 0, at: WALL_AT_ZERO + 1500 }],
          },
        ],
      },
    ]);
  });

  test('a key counts each of its routes, with its refusals, up to a limit', () => {
    const { traffic, route, key } = setUp();
    const other = new RouteCounters('line-1/orders/other', true, '*', '/speed');
    traffic.ran(route, key, '10.0.0.1', 'POST', 0, 200);
    traffic.refused(other, key, '10.0.0.1', 'GET', 403, 'scope_missing');
    traffic.ran(route, key, '10.0.0.1', 'POST', 0, 200);
    const routes = () => traffic.tell('e1', 99, 0).parts.at(-1)?.keys[0]?.routes ?? [];
    expect(routes().map(({ route: name, calls, refused }) => [name, calls, refused])).toEqual([
      ['POST /orders/:id', 2, 0],
      ['* /speed', 1, 1],
    ]);
    traffic.ran(route, key, '10.0.0.1', 'POST', 0, 200);
    expect(routes()).toMatchObject([{ route: 'POST /orders/:id', calls: 1 }]);
    for (let n = 0; n <= ROUTES_PER_KEY_MAX; n++)
      traffic.ran(new RouteCounters(`l/p/${n}`, true, 'GET', `/${n}`), key, '10.0.0.1', 'GET', 0, 200);
    expect(routes()).toHaveLength(ROUTES_PER_KEY_MAX);
  });

  test('a refusal has a code if the key is known, no time, and no last caller if none was accepted', () => {
    const { traffic, route, key } = setUp();
    traffic.refused(route, null, '10.0.0.9', 'POST', 401, 'key_missing');
    traffic.unrouted();
    const [part] = traffic.tell(null, 0, 0).parts;
    expect(part).toMatchObject({ unrouted: 1, keys: [] });
    expect(part?.routes[0]).toMatchObject({
      calls: 1,
      refused: 1,
      statuses: [0, 0, 1, 0],
      durations: [],
      durationMs: 0,
      last: null,
    });
    traffic.refused(route, key, '10.0.0.9', 'POST', 429, 'rate_limited');
    traffic.ran(route, key, '10.0.0.9', 'POST', 0, 403);
    traffic.refusedRun(route, key, 'scope_missing');
    const next = traffic.tell('e1', 1, 0).parts[0];
    expect(next?.keys[0]).toMatchObject({ calls: 2, refused: 2, codes: { rate_limited: 1, scope_missing: 1 } });
  });

  test('a public route has a last caller without a key', () => {
    const { clock, traffic } = setUp();
    traffic.ran(new RouteCounters('a/b/c', false, 'GET', '/x'), null, '10.0.0.3', 'GET', clock.ms, 200);
    expect(traffic.tell(null, 0, 0).parts[0]?.routes[0]?.last).toMatchObject({ key: null, ip: '10.0.0.3' });
  });

  test('a part is reported until its arrival is acknowledged, and nothing twice afterwards', () => {
    const { clock, traffic, route } = setUp();
    const calls = () => traffic.ran(route, null, '1', 'GET', clock.ms, 200);
    calls();
    traffic.tell(null, 0, 0);
    calls();
    const again = traffic.tell(null, 0, 0);
    expect(again.parts.map(({ cursor, routes }) => [cursor, routes[0]?.calls])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(traffic.tell('e1', again.cursor, 0).parts.map(({ cursor, routes }) => [cursor, routes.length])).toEqual([
      [3, 0],
    ]);
  });

  test('a cursor of another process acknowledges nothing', () => {
    const { clock, traffic, route } = setUp();
    traffic.ran(route, null, '1', 'GET', clock.ms, 200);
    traffic.tell(null, 0, 0);
    expect(traffic.tell('e0', 99, 0).parts.map(({ cursor }) => cursor)).toEqual([1, 2]);
  });

  test('nothing grows without limit when nobody polls or acknowledges', () => {
    const { clock, traffic, route, key } = setUp();
    for (let n = 0; n < 3 * SOURCES_PER_KEY_MAX; n++) traffic.ran(route, key, `10.0.${n}.1`, 'GET', clock.ms, 200);
    const [part] = traffic.tell(null, 0, 0).parts;
    expect(part?.keys[0]?.sources).toHaveLength(SOURCES_PER_KEY_MAX);
    expect(part?.keys[0]?.sources.at(-1)?.ip).toBe(`10.0.${3 * SOURCES_PER_KEY_MAX - 1}.1`);
    expect(part?.keys[0]?.calls).toBe(3 * SOURCES_PER_KEY_MAX);
    for (let n = 0; n < 3 * PARTS_MAX; n++) traffic.tell(null, 0, 0);
    expect(traffic.tell(null, 0, 0).parts).toHaveLength(PARTS_MAX);
  });

  test('a key that calls again after a report still has its gap', () => {
    const { clock, traffic, route, key } = setUp();
    traffic.ran(route, key, '1', 'GET', clock.ms, 200);
    traffic.tell(null, 0, 0);
    clock.ms += 30_000;
    traffic.ran(route, key, '1', 'GET', clock.ms, 200);
    const gaps = traffic.tell('e1', 1, 0).parts[0]?.keys[0]?.gaps ?? [];
    expect(gaps).toEqual([bucketOf(30_000), 1]);
    expect(totalOf(gaps)).toBe(1);
  });
});
