import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EgressTarget } from '#common/model/egress.ts';
import { wireOf } from '#common/model/wire-text.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { noClockReason, type SettableClock, settableClock } from '#test/settable-clock.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/**
 * The machine's clock is set by an hour while the whole service runs, for example when a line's PC first finds its time
 * server. No timeout may end early or late because of it.
 */
const HOUR_MS = 3_600_000;
const LOOK_MS = 5_000;
const MARGIN = 3;
const reason = noClockReason();

/** Declares the tests of one direction: a file each, because they mostly wait and each has its own service. */
export function tryClockSteps(way: 'on' | 'back'): void {
  const name = `a clock that is set ${way} by an hour${reason === null ? '' : ` (skipped: ${reason})`}`;
  describe.skipIf(reason !== null)(name, () => testsOf(way === 'on' ? 1 : -1));
}

function testsOf(sign: 1 | -1): void {
  let clock: SettableClock;
  let data: TempDir;
  let service: TestService;
  let target: Target;
  let key: string;
  let usual: string[];
  let aheadMs = 0;

  /** The clock jumps. Each test has its own jump. */
  const step = () => clock.set((aheadMs += sign * HOUR_MS));
  const get = (path: string) => call(service.gatewayPort, { path, key });
  const alarms = async () => (await service.status()).alarms.map(({ code }) => code);
  const start = (id: string) => service.admin.ok('POST', `/projects/line-1/pipelines/${id}/start`, {});

  beforeAll(async () => {
    target = await startTarget();
    clock = await settableClock();
    data = await tempDir('sluice-clock-steps-');
    service = await startService([], { program: clock.program, dataDir: data.path });
    await service.setUp();
    const { admin } = service;
    await admin.ok('PATCH', '/settings', { allowedInternalTargets: [target.name] });
    await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
    for (const pipeline of pipelines(target.name)) await admin.ok('POST', '/projects/line-1/pipelines', pipeline);
    key = (await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] })).key;
    for (const id of ['plain', 'limited', 'every', 'cron']) await start(id);
    usual = await alarms();
  });
  afterAll(async () => {
    await service?.stop();
    await data?.remove();
    await clock?.[Symbol.asyncDispose]();
    await target?.close();
  });

  test('is visible to the service', async () => {
    // Node updates the time of a response each second.
    const offBy = (date: string | null | undefined) => Math.abs(Date.parse(date ?? '') - Date.now() - aheadMs);
    const host = async () => offBy((await service.admin.request('GET', '/session')).headers.get('date'));
    const gateway = async () => offBy((await get('/plain')).header('date'));
    for (const jump of [() => undefined, step]) {
      await jump();
      await until('the host’s clock has changed', async () => (await host()) < 10_000);
      await until('the gateway’s clock has changed', async () => (await gateway()) < 10_000);
    }
  });

  test('ends no session, and does not change the wait after wrong passwords', { timeout: 90_000 }, async () => {
    const { admin } = service;
    await admin.ok('POST', '/users', { name: 'Bob', password: ADMIN.password, roles: ['Viewer'] });
    const guest = admin.another();
    const logIn = async (password: string) =>
      (await guest.request('POST', '/session', { name: 'Bob', password })).body as { code?: string };
    // Seven failures: the next attempt waits 4 s.
    for (let failures = 0; failures < 7;) failures += (await logIn('wrong')).code === 'login_failed' ? 1 : 0;
    const failedMs = performance.now();
    await step();
    expect((await logIn(ADMIN.password)).code).toBe('login_slowed');
    await until('the wait is over', async () => (await logIn(ADMIN.password)).code === undefined, {
      timeoutMs: 30_000,
      everyMs: 100,
    });
    expect(performance.now() - failedMs).toBeGreaterThan(3_500);
    expect(performance.now() - failedMs).toBeLessThan(20_000);
    expect((await admin.request('GET', '/session')).status).toBe(200);
  });

  test('ends no session when the step is as large as on a machine without a clock battery', async () => {
    // A session lasts twelve hours.
    await clock.set(aheadMs + sign * 13 * HOUR_MS);
    expect((await service.admin.request('GET', '/session')).status).toBe(200);
    await clock.set(aheadMs);
    expect((await service.admin.request('GET', '/session')).status).toBe(200);
  });

  test('neither lifts nor freezes a rate limit', async () => {
    const served = async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => get('/limited')));
      return answers.filter(({ status }) => status === 200).length;
    };
    const fromMs = performance.now();
    expect(await served()).toBeGreaterThan(0);
    await step();
    // One token per second, at most two in the bucket.
    expect(await served()).toBeLessThanOrEqual(1 + (performance.now() - fromMs) / 1000);
    await until('the next token was added', async () => (await served()) > 0, { everyMs: 200 });
  });

  test('neither stops timers nor makes them catch up on skipped time', async () => {
    await until('both tick', () => target.count('/every') > 2 && target.count('/cron') > 1);
    await step();
    // In the second in which it was set, a tick may be skipped.
    await sleep(1_100);
    const before = { every: target.count('/every'), cron: target.count('/cron') };
    await sleep(LOOK_MS);
    const every = target.count('/every') - before.every;
    const cron = target.count('/cron') - before.cron;
    expect(Math.abs(every - (LOOK_MS / 1000) * 5)).toBeLessThanOrEqual(MARGIN + 2);
    expect(Math.abs(cron - LOOK_MS / 1000)).toBeLessThanOrEqual(MARGIN);
  });

  test('does not keep a store-and-forward node that starts afterwards from accepting events', async () => {
    await step();
    await start('stored');
    const answer = await get('/stored');
    expect([answer.status, answer.text()]).toEqual([200, 'delivered']);
  });

  test('neither holds queued events back nor sends them in a busy loop', { timeout: 90_000 }, async () => {
    target.taking = false;
    for (let count = 0; count < 3; count++) expect((await get('/stored')).text()).toBe('queued');
    const state = async () => (await service.admin.ok<{ items: EgressTarget[] }>('GET', '/egress/targets')).items;
    const before = target.count('/events');
    await step();
    await sleep(LOOK_MS);
    // Only for the head of the queue, 1 s doubling.
    expect(target.count('/events') - before).toBeLessThanOrEqual(5);
    expect(target.count('/events') - before).toBeGreaterThanOrEqual(1);
    expect(await state()).toMatchObject([{ queued: 3, dead: 0, state: 'open' }]);
    // A restarted gateway uses the next attempt in its file.
    await step();
    target.taking = true;
    const { gateway } = await service.status();
    process.kill(gateway.pid ?? 0, 'SIGKILL');
    // Unknown without a gateway.
    const left = () =>
      state().then(
        ([first]) => first?.queued,
        () => null,
      );
    await until('all are delivered', async () => (await left()) === 0, { timeoutMs: 30_000, everyMs: 200 });
  });

  test('leaves the journal intact, keys valid, and the vault unchanged after a restart', async () => {
    await step();
    for (let count = 0; count < 5; count++) expect((await get('/plain')).status).toBe(200);
    expect(await service.admin.ok('GET', '/audit/verify')).toMatchObject({ ok: true });
    // Also across a restart, during which the clock is set once more.
    expect(await service.stop()).toBe(0);
    await step();
    service = await startService([], { program: clock.program, dataDir: data.path });
    await service.admin.logIn(ADMIN.name, ADMIN.password);
    expect((await get('/plain')).status).toBe(200);
    expect(await service.admin.ok('GET', '/audit/verify')).toMatchObject({ ok: true });
    // The killed gateway is shown until a user has seen it.
    expect(await alarms()).toEqual(['gateway_outage', ...usual]);
  });
}

interface Target {
  /** host:port */
  readonly name: string;
  /** False: it answers 503 to events. */
  taking: boolean;
  /** Number of calls of a path so far. */
  count(path: string): number;
  close(): Promise<void>;
}

/** The target of the pipelines: it counts calls by path. */
async function startTarget(): Promise<Target> {
  const counts = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const { url = '' } = request;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    request.resume();
    response.writeHead(target.taking || url !== '/events' ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target: Target = {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taking: true,
    count: (path) => counts.get(path) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return target;
}

function pipelines(name: string): PipelineInput[] {
  return [
    routePipeline({ id: 'plain', path: '/plain', ...fixedReply('ok') }),
    routePipeline({ id: 'limited', path: '/limited', route: { rateLimit: 1, burstLimit: 1 }, ...fixedReply('ok') }),
    timed('every', { every: 0.2 }, name),
    timed('cron', { cron: '* * * * * *', timeZone: 'UTC' }, name),
    stored(name),
  ];
}

/** Ticks, and calls the target at each tick. */
function timed(id: string, settings: object, name: string): PipelineInput {
  return {
    id,
    name: id,
    nodes: [
      { id: 'tick', kind: 'timer', settings: { ...settings } },
      { id: 'call', kind: 'rest-api', settings: { ...calling(`http://${name}/${id}`), storeAndForward: false } },
    ],
    wires: [{ from: 'tick', port: 'out', to: 'call' }],
  };
}

/** Returns the outcome of its event. */
function stored(name: string): PipelineInput {
  const says = (id: string) => ({
    id,
    kind: 'set',
    settings: {
      assign: [
        { path: 'payload.status', value: 200 },
        { path: 'payload.body', value: id },
      ],
    },
  });
  return {
    id: 'stored',
    name: 'stored',
    nodes: [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'GET', urlPattern: '/stored' } },
      { id: 'call', kind: 'rest-api', settings: calling(`http://${name}/events`) },
      says('delivered'),
      says('queued'),
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: ['in out call', 'call response delivered', 'call queued queued', 'delivered out out', 'queued out out'].map(
      wireOf,
    ),
  };
}

const calling = (url: string) => ({ mode: 'egress', url, method: 'POST', staticHeaders: {}, timeout: 2 });
