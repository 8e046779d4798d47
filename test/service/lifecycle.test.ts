import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { STOPPED_CODE } from '#common/errors/gateway-codes.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { makeSnapshot, startGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { GATEWAY_ENTRY } from '#test/paths.ts';
import { call, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/** When the gateway listens, and how it ends (docs/spec/processes.md#readiness). */
const key = makeKey();
const pipelines = () => [
  routePipeline({ id: 'ok', path: '/ok', ...fixedReply('ok') }),
  routePipeline({
    id: 'slow',
    path: '/slow',
    middle: [{ kind: 'delay', settings: { seconds: 0.5 } }],
    reply: { body: 'done' },
  }),
  routePipeline({
    id: 'late',
    path: '/late',
    middle: [{ kind: 'delay', settings: { seconds: 60 } }],
    reply: { body: 'late' },
    route: { timeout: 600 },
  }),
  routePipeline({ id: 'upload', method: 'POST', path: '/upload', ...fixedReply('ok') }),
  routePipeline({ id: 'endless', path: '/endless', middle: [], reply: null, route: { timeout: 600 } }),
];
const get = (path: string) => requestBytes({ path, key: key.value });

function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });
}

describe('stop', () => {
  test('a request in flight finishes, its connection is closed, no new request is accepted, and the exit code is 0', async () => {
    await using gateway = await startGateway({ keys: [key], pipelines: pipelines() });
    await using busy = await openRaw(gateway.port);
    await using idle = await openRaw(gateway.port);
    idle.send(get('/ok'));
    await idle.next();
    busy.send(get('/slow'));
    await until('it runs', async () => (await gateway.call('stats', {})).inFlight > 0);
    const exit = gateway.stop(5000);
    await idle.closed();
    await until('nothing new is taken', () => refused(gateway.port));
    const response = await busy.next();
    expect([response.status, response.text(), response.header('connection')?.toLowerCase()]).toEqual([
      200,
      'done',
      'close',
    ]);
    await busy.closed();
    expect(await exit).toBe(0);
  });

  test.each([
    ['a run', '/endless', {}],
    ['a run with its sockets in threads', '/endless', { workers: 2 }],
    ['a run in a node', '/late', {}],
  ])(
    '%s that does not finish gets 503 at the end of the grace period, and a journal row',
    async (_, path, settings) => {
      await using dir = await tempDir();
      await using gateway = await startGateway({ dataDir: dir.path, keys: [key], pipelines: pipelines(), settings });
      await using busy = await openRaw(gateway.port);
      busy.send(get(path));
      await until('it runs', async () => (await gateway.call('stats', {})).inFlight > 0);
      const started = performance.now();
      expect(await gateway.stop(500)).toBe(0);
      expect(performance.now() - started).toBeGreaterThanOrEqual(450);
      const response = await busy.next();
      expectRefusal(response, 'overloaded');
      expect([response.header('retry-after'), response.header('connection')]).toEqual(['1', 'close']);
      await busy.closed();
      const rows = await gateway.journalRows();
      expect(rows.at(-1)).toMatchObject({
        type: 'outcome',
        status: 503,
        code: 'overloaded',
        keyId: expect.any(String),
      });
      expect(rows.at(-1)?.why).toMatchObject({ cause: 'gateway_stopped' });
    },
  );

  test.each([1, 2])(
    'a body that is still arriving at that time gets 503 and a journal row, with %i workers',
    async (workers) => {
      await using dir = await tempDir();
      const settings = { workers };
      await using gateway = await startGateway({ dataDir: dir.path, keys: [key], pipelines: pipelines(), settings });
      await using busy = await openRaw(gateway.port);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
      busy.send(requestBytes({ method: 'POST', path: '/upload', key: key.value, headers }));
      busy.send('x'.repeat(50));
      await until('it is read', async () => (await gateway.call('stats', {})).bodyBytes > 0);
      expect(await gateway.stop(500)).toBe(0);
      expectRefusal(await busy.next(), 'overloaded');
      await busy.closed();
      const rows = await gateway.journalRows();
      expect(rows.at(-1)).toMatchObject({ status: 503, why: { step: 8, cause: 'gateway_stopped' } });
    },
  );
});

describe('a gateway without its host', () => {
  test('stops listening and exits within 500 ms, and the next gateway continues its journal', async () => {
    await using dir = await tempDir();
    const child = fork(GATEWAY_ENTRY, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    try {
      const port = await new Promise<number>((resolve, reject) => {
        child.once('exit', () => reject(new Error('the gateway ended before it was ready')));
        child.on('message', (message: { type: string; port?: number }) => {
          const options = { keys: [key], pipelines: pipelines() };
          if (message.type === 'hello')
            child.send({ type: 'snapshot', epoch: 1, snapshot: makeSnapshot(options, dir.path) });
          if (message.type === 'ready') resolve(message.port ?? 0);
        });
      });
      expect((await call(port, { path: '/ok', key: key.value })).status).toBe(200);
      const gone = new Promise<number>((resolve) => child.once('exit', () => resolve(performance.now())));
      const left = performance.now();
      child.disconnect();
      expect((await gone) - left).toBeLessThan(1000);
      expect(await refused(port)).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
    await using gateway = await startGateway({ dataDir: dir.path, keys: [key], pipelines: pipelines() });
    const response = await call(gateway.port, { path: '/ok', key: key.value });
    const rows = await gateway.journalRows();
    expect(rows.filter((row) => row.type === 'use')).toHaveLength(2);
    expect(rows.some((row) => row.requestId === response.header('x-request-id'))).toBe(true);
  });

  test('exits with one plain sentence when it is started by hand', async () => {
    const { execFile } = await import('node:child_process');
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [GATEWAY_ENTRY], (error, _out, text) =>
        resolve({ code: error?.code ?? 0, stderr: text }),
      );
    });
    expect(code).toBe(1);
    expect(stderr).toContain('started by the Sluice host');
  });
});

test('a pipeline that cannot start is reported as failed, and the others are served', async () => {
  const broken = routePipeline({ id: 'broken', path: '/broken', middle: [{ kind: 'no-such-kind' }] });
  const clash = routePipeline({ id: 'clash', path: '/ok', ...fixedReply('clash') });
  await using gateway = await startGateway({
    keys: [key],
    pipelines: [...pipelines(), broken, clash],
    allowFailed: true,
  });
  expect(gateway.ready.failed.map(({ pipeline }) => pipeline).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'broken',
    'clash',
  ]);
  expect((await call(gateway.port, { path: '/ok', key: key.value })).text()).toBe('ok');
  expectRefusal(await call(gateway.port, { path: '/broken', key: key.value }), STOPPED_CODE);
});

test('a port in use is reported to the host, and the gateway exits', async () => {
  await using first = await startGateway({ keys: [key], pipelines: [] });
  await expect(startGateway({ settings: { gatewayPort: first.port } })).rejects.toThrow(String(first.port));
});
