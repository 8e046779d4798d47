import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  CallerTraffic,
  KeyTraffic,
  PipelineTraffic,
  RouteTraffic,
  TrafficOverview,
} from '#common/model/traffic.ts';
import type { RunRecord } from '#common/model/records.ts';
import { freePort } from '#test/free-port.ts';
import { call, type Call, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

/** Traffic statistics of the whole service: the admin API reports the calls of a real socket. */
const CALLS = 20;
let service: TestService;
let port: number;
let mes: { key: string; record: { id: string } };
let idle: { record: { id: string } };

beforeAll(async () => {
  port = await freePort();
  service = await startService(['--gateway-port', String(port)]);
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const orders = routePipeline({
    id: 'orders',
    method: 'POST',
    path: '/orders/:n',
    route: { requiredScopes: ['db:write'] },
    ...fixedReply('done', 201),
  });
  const asleep = routePipeline({ id: 'asleep', path: '/asleep', route: { authType: 'none' }, ...fixedReply('x') });
  await admin.run('line-1', orders);
  await admin.ok('POST', '/projects/line-1/pipelines', asleep);
  mes = await admin.ok('POST', '/projects/line-1/keys', { name: 'MES', scopes: ['db:write'] });
  idle = await admin.ok('POST', '/projects/line-1/keys', { name: 'Robot 4', scopes: ['db:read'] });
}, 90_000);
afterAll(() => service?.stop());

const overview = (range = '15m') => service.admin.ok<TrafficOverview>('GET', `/traffic?range=${range}`);
const callers = async () =>
  (await service.admin.ok<{ items: CallerTraffic[] }>('GET', '/traffic/keys?project=line-1')).items;
const keyTraffic = () => service.admin.ok<KeyTraffic>('GET', `/projects/line-1/keys/${mes.record.id}/traffic`);
const nodeTraffic = () => service.admin.ok<PipelineTraffic>('GET', '/projects/line-1/pipelines/orders/traffic');
const order = (more: Partial<Call> = {}) => call(port, { method: 'POST', path: '/orders/7', key: mes.key, ...more });

function route(told: TrafficOverview, pipeline: string): RouteTraffic {
  const found = told.routes.find((one) => one.pipeline === pipeline);
  if (found === undefined) throw new Error(`there is no route of ${pipeline}`);
  return found;
}

async function orderFrom(localAddress: string): Promise<void> {
  const raw = await openRaw(port, { localAddress });
  raw.send(requestBytes({ method: 'POST', path: '/orders/8', key: mes.key }));
  expect((await raw.next()).status).toBe(201);
  await raw[Symbol.asyncDispose]();
}

test('calls show up in the overview, by key, by host and by node', async () => {
  for (let n = 0; n < CALLS; n++) expect((await order()).status).toBe(201);
  await orderFrom('127.0.0.7');

  // The series gets a step when it is complete.
  const isTold = async () => {
    const now = await overview();
    const drawn = now.series.calls.values.some((value) => value !== null && value > 0);
    return now.calls >= CALLS + 1 && drawn ? now : null;
  };
  const told = await until('the calls are reported', isTold, { timeoutMs: 30_000 });
  expect(told).toMatchObject({ calls: CALLS + 1, refused: 0, inFlight: 0, refusedShare: { value: 0, usual: null } });
  expect(told.callsPerSecond.value).toBeGreaterThan(0);
  expect(told.p99Ms.value).toBeGreaterThan(0);
  expect(told.series.calls.values).toHaveLength(90);
  expect(told.series.calls.values[0]).toBeNull();
  expect(route(told, 'orders')).toMatchObject({
    node: 'in',
    method: 'POST',
    pattern: '/orders/:n',
    answers: true,
    authType: 'api_key',
    requiredScopes: ['db:write'],
    calls: CALLS + 1,
    errorShare: 0,
    lastCall: { keyId: mes.record.id, name: 'MES', ip: '127.0.0.7' },
  });
  expect(route(told, 'asleep')).toMatchObject({ answers: false, authType: 'none', calls: 0, lastCall: null });
  expect(told.callers).toMatchObject([{ keyId: mes.record.id, name: 'MES', calls: CALLS + 1, silent: false }]);

  const keys = await callers();
  expect(keys.find(({ keyId }) => keyId === mes.record.id)).toMatchObject({ ip: '127.0.0.7', calls: CALLS + 1 });
  expect(keys.find(({ keyId }) => keyId === idle.record.id)).toMatchObject({ ip: null, lastCallAt: null, calls: 0 });

  const key = await keyTraffic();
  expect(key.lastCall).toMatchObject({ ip: '127.0.0.7', route: 'POST /orders/:n' });
  expect(key.hosts.map(({ ip, calls }) => [ip, calls])).toEqual([
    ['127.0.0.7', 1],
    ['127.0.0.1', CALLS],
  ]);

  const { revision, nodes } = await until('the second is over', async () => {
    const now = await nodeTraffic();
    return now.nodes.some(({ perSecond }) => perSecond > 0) ? now : null;
  });
  expect(revision).toBe(1);
  expect(nodes.map(({ node }) => node)).toEqual(['in', 'out']);
  expect(nodes[0]?.ports['out']).toBe(nodes[0]?.perSecond);
  expect(nodes[0]?.p99Ms).toBeGreaterThan(0);
});

test('a run records who called which route, and a test run records neither', async () => {
  const { items } = await service.admin.ok<{ items: RunRecord[] }>('GET', '/projects/line-1/pipelines/orders/runs');
  expect(items[0]).toMatchObject({ caller: { keyId: mes.record.id, name: 'MES' }, route: 'POST /orders/:n' });
  const before = (await overview()).calls;
  const tried = await service.admin.ok<RunRecord>('POST', '/projects/line-1/pipelines/orders/test', { message: {} });
  expect(tried).toMatchObject({ caller: null, route: null, test: true });
  await order();
  const after = await until('the next call is reported', async () => {
    const { calls } = await overview();
    return calls > before ? calls : null;
  });
  expect(after).toBe(before + 1);
});

test('refusals count for the route, for the key if there was one, and otherwise only in the total', async () => {
  const before = await overview();
  const made = await service.admin.ok<{ key: string; record: { id: string } }>('POST', '/projects/line-1/keys', {
    name: 'Wrong scope',
    scopes: [],
  });
  expect((await order({ key: made.key })).status).toBe(403);
  expect((await call(port, { method: 'POST', path: '/orders/7' })).status).toBe(401);
  expect((await call(port, { path: '/nowhere' })).status).toBe(404);
  // The series has only complete steps of ten seconds.
  const told = await until(
    'the refusals are reported, in the series too',
    async () => {
      const now = await overview();
      const inSeries = now.series.refusedPerMinute.values.some((value) => value !== null && value > 0);
      return now.refused >= before.refused + 3 && inSeries ? now : null;
    },
    { timeoutMs: 20_000 },
  );
  expect(told.calls).toBe(before.calls + 3);
  expect(told.refusedShare.value).toBeGreaterThan(0);
  expect(route(told, 'orders').refused).toBe(2);
  const key = (await callers()).find(({ keyId }) => keyId === made.record.id);
  expect(key).toMatchObject({ calls: 1, refused: 1, refusedCode: 'scope_missing' });
});

test('counts survive a kill of the gateway, and are null while it is down', async () => {
  const before = await overview();
  const { gateway } = await service.status();
  process.kill(gateway.pid ?? 0, 'SIGKILL');
  const away = await until('the gateway is away', async () => {
    const now = await overview();
    return now.inFlight === null ? now : null;
  });
  expect(away).toMatchObject({ inFlight: null, callsPerSecond: { value: null }, calls: before.calls });
  expect(away.routes.every(({ callsPerSecond }) => callsPerSecond === null)).toBe(true);
  await until(
    'the route answers again',
    () =>
      order().then(
        ({ status }) => status === 201,
        () => false,
      ),
    { timeoutMs: 30_000 },
  );
  const after = await until('its call is reported', async () => {
    const now = await overview();
    return now.calls > before.calls ? now : null;
  });
  expect(after.callsPerSecond.value).toBeGreaterThanOrEqual(0);
  expect(after.refused).toBe(before.refused);
});

test('a missing project and an invalid range are refused by name', async () => {
  expect((await service.admin.request('GET', '/traffic/keys?project=nowhere')).status).toBe(404);
  const reply = await service.admin.request('GET', '/traffic?range=1y');
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: 'range' }] } });
  expect(await overview('8h')).toMatchObject({ range: '8h', series: { calls: { stepSeconds: 300 } } });
  expect(await overview('7d')).toMatchObject({ range: '7d', series: { calls: { stepSeconds: 3600 } } });
});

test('the journal reports how much it holds', async () => {
  const usage = await service.admin.ok<{ bytes: number; oldest: string }>('GET', '/audit/usage');
  expect(usage.bytes).toBeGreaterThan(0);
  expect(Date.parse(usage.oldest)).toBeLessThan(Date.now());
});
