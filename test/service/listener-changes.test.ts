import { expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { startGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, openRaw } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

const OPEN = { authType: 'none' };
const delay = (seconds: number) => [{ kind: 'delay', settings: { seconds } }];
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const pipelines = () => [
  routePipeline({ id: 'slow', path: '/slow', route: OPEN, middle: delay(1) }),
  routePipeline({ id: 'quick', method: '*', path: '/quick', route: OPEN, ...fixedReply('ok') }),
];

test('only the address can be changed, to all interfaces and back, while the port stays', async () => {
  const gatewayPort = await freePort();
  await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort } });
  await gateway.changeSettings({ gatewayHost: '0.0.0.0' });
  expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
  await gateway.changeSettings({ gatewayHost: '127.0.0.1' });
  expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
});

test('an unavailable address is refused, and the old one remains', async () => {
  const gatewayPort = await freePort();
  await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort } });
  await expect(gateway.changeSettings({ gatewayHost: '203.0.113.7' })).rejects.toMatchObject({
    failure: { code: 'conflict' },
  });
  expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
});

test('a port that another Sluice of the same user listens on is refused as in use, and the other one continues', async () => {
  const gatewayPort = await freePort();
  await using first = await startGateway({ pipelines: pipelines(), settings: { gatewayPort } });
  await expect(startGateway({ settings: { gatewayPort } })).rejects.toThrow(`port ${gatewayPort} is in use`);
  await using other = await startGateway({ pipelines: pipelines() });
  await expect(other.changeSettings({ gatewayPort })).rejects.toMatchObject({ failure: { code: 'conflict' } });
  for (let calls = 0; calls < 32; calls++) expect((await call(first.port, { path: '/quick' })).status).toBe(200);
  expect((await call(other.port, { path: '/quick' })).status).toBe(200);
});

test('concurrent changes of settings are applied completely and in order', async () => {
  const gatewayPort = await freePort();
  const proxy = '127.0.0.99';
  const inside = routePipeline({ id: 'inside', path: '/inside', route: { ...OPEN, allowedIps: ['10.1.1.1'] } });
  await using gateway = await startGateway({
    pipelines: [inside],
    settings: { gatewayPort, workers: 1, trustedProxies: [proxy] },
  });
  const statusBehindProxy = async () => {
    const headers = { 'X-Forwarded-For': '10.1.1.1' };
    return (await call(gatewayPort, { path: '/inside', headers, connect: { localAddress: proxy } })).status;
  };
  expect(await statusBehindProxy()).toBe(200);
  const slow = gateway.changeSettings({ workers: 3 });
  // The response is sent before it is done: its threads are starting.
  await gateway.call('stats', {});
  await gateway.changeSettings({ workers: 3, trustedProxies: [] });
  await slow;
  expect(await statusBehindProxy()).toBe(403);
});

test('concurrent changes of the listener leave no old listener open', async () => {
  const gatewayPort = await freePort();
  await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort, workers: 1 } });
  await Promise.all([3, 2].map((workers) => gateway.changeSettings({ workers })));
  expect((await call(gatewayPort, { path: '/quick' })).status).toBe(200);
  const next = await freePort();
  await gateway.changeSettings({ gatewayPort: next, workers: 2 });
  expect((await call(next, { path: '/quick' })).status).toBe(200);
  await expect(call(gatewayPort, { path: '/quick' })).rejects.toThrow('ECONNREFUSED');
});

test('a change of the number of workers closes the port only for a small part of the time it takes', async () => {
  const gatewayPort = await freePort();
  await using gateway = await startGateway({ pipelines: pipelines(), settings: { gatewayPort, workers: 1 } });
  const startedMs = performance.now();
  let changed = false;
  const change = gateway.changeSettings({ workers: 4 }).then(() => (changed = true));
  let closedMs = 0;
  for (let lastMs = startedMs; !changed;) {
    const open = await call(gatewayPort, { path: '/quick' }).catch(() => null);
    const nowMs = performance.now();
    if (open === null) closedMs += nowMs - lastMs;
    lastMs = nowMs;
  }
  await change;
  expect(closedMs).toBeLessThan((performance.now() - startedMs) / 4);
});

test('a busy connection on the old port closes after its reply when the port changes', async () => {
  await using gateway = await startGateway({ pipelines: pipelines() });
  await using connection = await openRaw(gateway.port);
  connection.send(get('/slow'));
  await until('the request is in flight', async () => (await gateway.call('stats', {})).inFlight === 1);
  await gateway.changeSettings({ gatewayPort: await freePort() });
  const answer = await connection.next();
  expect(answer.status).toBe(200);
  expect(answer.header('connection')).toBe('close');
  await connection.closed(2000);
});

test('a body that stalls on an old port times out like any other', { timeout: 15_000 }, async () => {
  await using gateway = await startGateway({ pipelines: pipelines() });
  await using connection = await openRaw(gateway.port);
  connection.send('POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx');
  await until('its first byte is there', async () => (await gateway.call('stats', {})).bodyBytes === 1);
  await gateway.changeSettings({ gatewayPort: await freePort() });
  expect((await connection.next(8000)).status).toBe(408);
});

test('a request whose head was incomplete when the gateway began to stop does not run', async () => {
  const folder = await tempDir();
  const key = makeKey();
  const keyed = routePipeline({ id: 'keyed', path: '/keyed', ...fixedReply('ok') });
  const gateway = await startGateway({ pipelines: [...pipelines(), keyed], keys: [key], dataDir: folder.path });
  await using half = await openRaw(gateway.port);
  half.socket.allowHalfOpen = true;
  half.send(`GET /keyed HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key.value}\r\n`);
  await using busy = await openRaw(gateway.port);
  busy.send(get('/slow'));
  await until('the request is in flight', async () => (await gateway.call('stats', {})).inFlight === 1);
  const stopped = gateway.stop(5000);
  await half.closed();
  half.socket.write('X-Late: 1\r\n\r\n');
  expect((await busy.next()).status).toBe(200);
  await stopped;
  expect(await gateway.journalRows()).toEqual([]);
  await folder.remove();
});
