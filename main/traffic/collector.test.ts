import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyDelta, RouteDelta, TrafficAnswer, TrafficPart } from '#common/control/traffic.ts';
import type { GatewayCallName, GatewayCalls } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import { Collector } from './collector.ts';
import { type KnownRoute, TrafficFigures } from './figures.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = new Date(2026, 2, 10, 14, 0).getTime();

let folder: string;
let clock: number;
let gateway: ScriptedGateway;
let collector: Collector;
let figures: TrafficFigures;
let stop: () => Promise<void>;

/** Responds like a gateway, with reports set by the test. */
class ScriptedGateway {
  state: 'running' | 'dead' = 'running';
  epoch = 'e1';
  cursor = 0;
  parts: TrafficPart[] = [];
  fails = false;
  asked: { epoch: string | null; cursor: number }[] = [];

  happen(routes: RouteDelta[], keys: KeyDelta[] = [], unrouted = 0): void {
    this.parts.push({ cursor: ++this.cursor, spanMs: SECOND, unrouted, routes, keys });
  }

  restart(): void {
    Object.assign(this, { epoch: `${this.epoch}'`, cursor: 0, parts: [] });
  }

  async call<C extends GatewayCallName>(_call: C, args: GatewayCalls[C]['args']): Promise<GatewayCalls[C]['value']> {
    if (this.fails) throw new SluiceError('gateway_down', 'gone');
    const { epoch, cursor } = args as GatewayCalls['traffic']['args'];
    this.asked.push({ epoch, cursor });
    if (epoch === this.epoch) this.parts = this.parts.filter((part) => part.cursor > cursor);
    if (this.parts.length === 0) this.happen([]);
    const answer: TrafficAnswer = { epoch: this.epoch, cursor: this.cursor, inFlight: 2, parts: [...this.parts] };
    return answer;
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traffic-'));
  clock = START;
  gateway = new ScriptedGateway();
  begin();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

function begin(): void {
  const now = () => clock;
  const log = createLogger('traffic', () => {});
  collector = new Collector({ file: join(folder, 'traffic.sqlite'), gateway, now, log });
  figures = new TrafficFigures(collector, now);
  // The tests advance the clock and trigger the requests themselves.
  stop = collector.start(HOUR);
}

async function hostRestarts(): Promise<void> {
  await stop();
  begin();
  await collector.loaded;
}

async function after(ms: number): Promise<void> {
  clock += ms;
  await collector.tick();
}

const route = (calls: number, more: Partial<RouteDelta> = {}): RouteDelta => ({
  id: 'line-1/orders/in',
  calls,
  refused: 0,
  undelivered: 0,
  method: 'POST',
  pattern: '/orders',
  statuses: [calls, 0, 0, 0],
  durations: [bucketOf(10), calls],
  durationMs: 10 * calls,
  last: { at: clock, key: 'k1', ip: '10.0.0.1' },
  ...more,
});
const key = (calls: number, more: Partial<KeyDelta> = {}): KeyDelta => ({
  id: 'k1',
  calls,
  refused: 0,
  codes: {},
  gaps: [bucketOf(2 * SECOND), calls],
  last: { at: clock, ip: '10.0.0.1', route: 'POST /orders' },
  sources: [{ ip: '10.0.0.1', calls, at: clock }],
  routes: [{ route: 'POST /orders', calls, refused: 0, at: clock }],
  ...more,
});

const ROUTES: KnownRoute[] = [
  {
    project: 'line-1',
    pipeline: 'orders',
    pipelineName: 'Orders',
    node: 'in',
    method: 'POST',
    pattern: '/orders',
    answers: true,
    authType: 'api_key',
    requiredScopes: [],
  },
];
const KEYS = [
  { id: 'k1', project: 'line-1', name: 'MES' },
  { id: 'k2', project: 'line-1', name: 'Robot 4' },
];
const overview = (range: '15m' | '8h' | '7d' = '15m') => figures.overview(range, ROUTES, KEYS);

test('reports of the gateway are in the overview', async () => {
  await after(SECOND);
  gateway.happen(
    [route(6, { refused: 1, statuses: [4, 0, 0, 2], durations: [bucketOf(10), 4, bucketOf(80), 1] })],
    [key(6)],
    2,
  );
  await after(SECOND);
  const told = await overview();
  expect(told).toMatchObject({
    range: '15m',
    inFlight: 2,
    callsPerSecond: { value: 4, usual: null },
    calls: 8,
    refused: 3,
    refusedShare: { value: 0.375, usual: null },
    usualDays: 0,
    routes: [{ calls: 6, refused: 1, errorShare: 0.333, answers: true, lastCall: { keyId: 'k1', name: 'MES' } }],
    callers: [{ keyId: 'k1', calls: 6, refused: 0, silent: false, ip: '10.0.0.1' }],
  });
  expect(Math.abs((told.p50Ms ?? 0) - 10)).toBeLessThan(0.5);
  expect(Math.abs((told.p99Ms.value ?? 0) - 80)).toBeLessThan(4);
  expect(told.series.usualLow).toHaveLength(told.series.calls.values.length);
});

test('a call whose event was not delivered counts among the errors of its route', async () => {
  gateway.happen([route(4, { undelivered: 3, statuses: [3, 0, 0, 1] })]);
  await after(SECOND);
  expect((await overview()).routes).toMatchObject([{ calls: 4, errorShare: 1 }]);
});

test('a part that arrives again is counted once', async () => {
  gateway.happen([route(5)]);
  await after(SECOND);
  gateway.call = async () => {
    gateway.happen([route(1)]);
    return { epoch: 'e1', cursor: gateway.cursor, inFlight: 0, parts: [...gateway.parts] } as never;
  };
  await after(SECOND);
  expect((await overview()).calls).toBe(6);
});

test('a restarted gateway counts from zero, and nothing is counted twice or lost', async () => {
  gateway.happen([route(5)]);
  await after(SECOND);
  gateway.happen([route(5)]);
  await after(SECOND);
  gateway.restart();
  gateway.happen([route(1)]);
  await after(SECOND);
  expect(gateway.asked.at(-1)).toEqual({ epoch: 'e1', cursor: 2 });
  expect((await overview()).calls).toBe(11);
  await after(SECOND);
  expect(gateway.asked.at(-1)).toEqual({ epoch: "e1'", cursor: 1 });
  expect((await overview()).series.calls.values.every((value) => value === null || value >= 0)).toBe(true);
});

test('current values are unknown while the gateway is down, and that time does not count as zero', async () => {
  gateway.happen([route(10)]);
  await after(5 * SECOND);
  gateway.state = 'dead';
  await after(30 * SECOND);
  const asked = gateway.asked.length;
  await after(SECOND);
  expect(gateway.asked).toHaveLength(asked);
  const told = await overview();
  expect(told).toMatchObject({ inFlight: null, callsPerSecond: { value: null }, calls: 10 });
  expect(told.routes[0]?.callsPerSecond).toBeNull();
  expect(told.series.calls.values.slice(-3)).toEqual([null, null, null]);
  expect((await figures.key('k1')).callsPerMinute).toBeNull();
});

test('an unresponsive gateway counts as down too', async () => {
  await after(SECOND);
  gateway.fails = true;
  await after(SECOND);
  expect((await overview()).inFlight).toBeNull();
  gateway.fails = false;
  await after(SECOND);
  expect((await overview()).inFlight).toBe(2);
});

test('a caller of every 2 s is silent after 60 s, but not because the gateway was down', async () => {
  const callers = () => figures.callers(KEYS, new Map());
  gateway.happen([route(30)], [key(30)]);
  await after(SECOND);
  expect(callers()[0]).toMatchObject({ silent: false, lastCallAt: new Date(clock - SECOND).toISOString() });
  expect(Math.abs((callers()[0]?.usualGapSeconds ?? 0) - 2)).toBeLessThan(0.1);
  await after(58 * SECOND);
  expect(callers()[0]?.silent).toBe(false);
  await after(3 * SECOND);
  expect(callers()[0]?.silent).toBe(true);
  expect((await overview()).callers[0]).toMatchObject({ keyId: 'k1', silent: true });
  gateway.state = 'dead';
  await after(SECOND);
  expect(callers()[0]?.silent).toBe(false);
  gateway.state = 'running';
  await after(59 * SECOND);
  await after(SECOND);
  expect(callers()[0]?.silent).toBe(false);
  for (let second = 0; second < 61; second++) await after(SECOND);
  expect(callers()[0]?.silent).toBe(true);
});

test('a key that never called is shown as such, with the data from the journal', () => {
  const [, robot] = figures.callers(KEYS, new Map([['k2', '2026-03-01T06:00:00.000Z']]));
  expect(robot).toEqual({
    keyId: 'k2',
    project: 'line-1',
    name: 'Robot 4',
    ip: null,
    lastCallAt: '2026-03-01T06:00:00.000Z',
    usualGapSeconds: null,
    silent: false,
    calls: 0,
    refused: 0,
    refusedCode: null,
    day: { from: new Date(clock - 23 * HOUR).toISOString(), passed: NOT_MEASURED, refused: NOT_MEASURED },
  });
});

const NOT_MEASURED = Array.from({ length: 24 }, () => null);

test('the last 24 hours of a key are available hour by hour, also after a restart of the host', async () => {
  const counts = () => {
    const day = figures.callers(KEYS, new Map())[0]?.day;
    return [day?.passed.slice(-2), day?.refused.slice(-2)];
  };
  gateway.happen([], [key(7, { refused: 2 })]);
  await after(SECOND);
  await after(HOUR);
  gateway.happen([], [key(4, { refused: 4 })]);
  await after(2 * SECOND);
  expect(counts()).toEqual([
    [5, 0],
    [2, 4],
  ]);
  await after(MINUTE);
  await hostRestarts();
  expect(counts()).toEqual([
    [5, 0],
    [2, 4],
  ]);
});

test('the counts of completed minutes are available after a restart of the host', async () => {
  gateway.happen([route(60)], [key(60)]);
  await after(SECOND);
  await after(MINUTE);
  await hostRestarts();
  await after(SECOND);
  for (const range of ['8h', '7d'] as const) {
    const told = await overview(range);
    expect(told).toMatchObject({ calls: 60, routes: [{ calls: 60, lastCall: { ip: '10.0.0.1', name: 'MES' } }] });
    expect(Math.abs((told.p99Ms.value ?? 0) - 10)).toBeLessThan(0.5);
    expect(told.series.calls.values.some((value) => value !== null && value > 0)).toBe(true);
  }
  expect((await overview()).calls).toBe(0);
  const told = await figures.key('k1');
  expect(told.lastCall).toMatchObject({ ip: '10.0.0.1', route: 'POST /orders' });
  expect(told.hosts).toMatchObject([{ ip: '10.0.0.1', calls: 0 }]);
  expect(told.series).toMatchObject({ stepSeconds: 300 });
  expect(figures.callers(KEYS, new Map())[0]?.usualGapSeconds).toBeCloseTo(2, 0);
});

test('a key has the routes that it called and that accepted it, also after a restart of the host', async () => {
  const first = clock;
  const refused = { route: 'GET /speed', calls: 2, refused: 2, at: first };
  gateway.happen([], [key(3, { routes: [{ route: 'POST /orders', calls: 1, refused: 0, at: first }, refused] })]);
  await after(SECOND);
  gateway.happen([], [key(1, { routes: [{ route: 'POST /orders', calls: 1, refused: 1, at: clock }] })]);
  await after(MINUTE);
  await hostRestarts();
  const iso = (at: number) => new Date(at).toISOString();
  expect((await figures.key('k1')).routes).toEqual([
    {
      route: 'POST /orders',
      firstCallAt: iso(first),
      lastCallAt: iso(first + SECOND),
      firstPassedAt: iso(first),
      lastPassedAt: iso(first),
    },
    {
      route: 'GET /speed',
      firstCallAt: iso(first),
      lastCallAt: iso(first),
      firstPassedAt: null,
      lastPassedAt: null,
    },
  ]);
});

test('the rate of a key is that of the last minute, and its chart has the requested steps', async () => {
  gateway.happen([], [key(60)]);
  await after(SECOND);
  expect((await figures.key('k1')).callsPerMinute).toBeGreaterThan(0);
  for (let second = 0; second < 60; second += 5) await after(5 * SECOND);
  expect((await figures.key('k1')).callsPerMinute).toBe(0);
  const steps = async (range: '2h' | '8h' | '7d') => (await figures.key('k1', range)).series;
  expect(await steps('2h')).toMatchObject({ stepSeconds: 60 });
  expect((await steps('2h')).values).toHaveLength(120);
  expect(Math.max(...(await steps('2h')).values.map(Number))).toBeGreaterThan(0);
  expect([(await steps('8h')).stepSeconds, (await steps('7d')).stepSeconds]).toEqual([300, 3600]);
});

test('the last minute is written when the host ends', async () => {
  gateway.happen([route(7)]);
  await after(SECOND);
  await hostRestarts();
  expect((await overview('8h')).calls).toBe(7);
});

test('minutes form the baseline of this hour, in total and for each route', async () => {
  const oneHour = async () => {
    for (let minute = 0; minute < 59; minute++) {
      gateway.happen([route(60)]);
      await after(MINUTE);
    }
  };
  await oneHour();
  for (const days of [1, 2]) {
    expect(await overview()).toMatchObject({ usualDays: days, callsPerSecond: { usual: null } });
    expect((await overview()).routes[0]?.p99Usual).toBeNull();
    clock += 24 * HOUR - 59 * MINUTE;
    await oneHour();
  }
  const told = await overview();
  expect(told.usualDays).toBe(3);
  expect(told.callsPerSecond.usual).not.toBeNull();
  expect(told.refusedShare.usual).toEqual({ low: 0, high: 0 });
  expect(told.p99Ms.usual?.low).toBeCloseTo(10, -1);
  expect(told.routes[0]?.p99Usual?.high).toBeCloseTo(10, -1);
  expect(told.series.usualHigh.at(-1)).not.toBeNull();
  clock += HOUR;
  expect((await overview()).routes[0]?.p99Usual).toBeNull();
  expect((await overview()).callsPerSecond.usual).toBeNull();
});

test('a last call is shown for a day', async () => {
  gateway.happen([route(1)]);
  await after(SECOND);
  clock += 24 * HOUR - 2 * SECOND;
  expect((await overview()).routes[0]?.lastCall).not.toBeNull();
  clock += 2 * SECOND;
  expect((await overview()).routes[0]?.lastCall).toBeNull();
});

test('a deleted project leaves nothing to the next one with its ID, in memory and on disk', async () => {
  gateway.happen([route(60), route(5, { id: 'line-10/orders/in' })]);
  await after(SECOND);
  await after(MINUTE);
  gateway.happen([route(7)]);
  await after(SECOND);
  collector.forgetProject('line-1');
  const other = { ...(ROUTES[0] as KnownRoute), project: 'line-10' };
  for (const restart of [false, true]) {
    if (restart) await hostRestarts();
    const { routes, calls } = await figures.overview('8h', [...ROUTES, other], KEYS);
    expect(routes).toMatchObject([{ calls: 0, p99Ms: null, lastCall: null }, { calls: 5 }]);
    expect(calls).toBe(72);
  }
});

test('a clock that was years ahead and is set back does not stop the counts, also after a restart', async () => {
  const rightNow = clock;
  clock += 1000 * 24 * HOUR;
  gateway.happen([route(60)]);
  await after(SECOND);
  await after(MINUTE);
  clock = rightNow;
  gateway.happen([route(8)], [key(8)]);
  await after(SECOND);
  expect((await overview()).calls).toBe(8);
  expect((await overview()).series.calls.values.at(-1)).toBeGreaterThan(0);
  await after(MINUTE);
  await hostRestarts();
  const told = await overview('8h');
  expect(told.calls).toBe(8);
  expect(told.series.calls.values.at(-1)).toBeGreaterThan(0);
});
