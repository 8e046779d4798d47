import { rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call, openRaw, rawRequest, type RawResponse, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { until } from '#test/until.ts';

/** The health checks on the gateway port: their responses, and that they give no other access. */
const LIVE = '/health/live';
const READY = '/health/ready';
const key = makeKey();
const slow = () =>
  routePipeline({ id: 'slow', path: '/slow', middle: [{ kind: 'delay', settings: { seconds: 1 } }], reply: {} });
const saysOk = { status: 200, body: '{"status":"ok"}' };
const saysUnavailable = { status: 503, body: '{"status":"unavailable"}' };
const said = ({ status, body }: RawResponse) => ({ status, body: body.toString() });
const ask = async (port: number, path: string) => said(await call(port, { path }));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ keys: [key], pipelines: [slow()] });
});
afterAll(() => gateway?.stop());

describe('health checks', () => {
  test.each([LIVE, READY, `${READY}?from=keepalived`])(
    '%s gets 200 without a key, and the connection is closed',
    async (path) => {
      const { responses, closed } = await rawRequest(gateway.port, requestBytes({ path }));
      expect(responses.map(said)).toEqual([saysOk]);
      expect(closed).toMatchObject({ how: 'end' });
      const names = responses[0]?.headerLines.map(([name]) => name);
      expect(names).toEqual([
        'date',
        'content-type',
        'cache-control',
        'x-request-id',
        'content-length',
        'x-content-type-options',
        'connection',
      ]);
      expect(responses[0]?.header('content-type')).toBe('application/json');
      expect(responses[0]?.header('cache-control')).toBe('no-store');
    },
  );

  test('HEAD gets the same headers and no body', async () => {
    const { responses } = await rawRequest(gateway.port, requestBytes({ method: 'HEAD', path: READY }), {
      heads: [true],
    });
    expect(responses.map(said)).toEqual([{ status: 200, body: '' }]);
    expect(responses[0]?.header('content-length')).toBe('15');
  });

  test('HTTP/1.0 without Host is sufficient, as load balancers send it', async () => {
    const { responses } = await rawRequest(gateway.port, `GET ${READY} HTTP/1.0\r\n\r\n`);
    expect(responses.map(said)).toEqual([saysOk]);
  });

  test('a health check leaves no journal row and does not count as a call', async () => {
    const { epoch, cursor } = await gateway.call('traffic', { epoch: null, cursor: 0 });
    const rows = (await gateway.journalRows()).length;
    await ask(gateway.port, LIVE);
    expectRefusal(await call(gateway.port, { path: '/nothing' }), 'not_found');
    expect((await gateway.journalRows()).slice(rows).map(({ path }) => path)).toEqual(['/nothing']);
    const { parts } = await gateway.call('traffic', { epoch, cursor });
    expect(parts.map(({ unrouted }) => unrouted)).toEqual([1]);
  });
});

describe('requests that are still refused', () => {
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s gets 404', async (method) => {
    expectRefusal(await call(gateway.port, { method, path: LIVE }), 'not_found');
  });

  test.each([`${LIVE}/`, '/health', '/HEALTH/live', '/health/%6Cive'])('%s gets 404', async (path) => {
    expectRefusal(await call(gateway.port, { path }), 'not_found');
  });

  test('a request head that is not strict HTTP gets 400', async () => {
    const { responses } = await rawRequest(gateway.port, `GET ${LIVE} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
    expectRefusal(responses[0], 'bad_request');
  });

  test('a request pipelined after a health check is not served', async () => {
    const behind = requestBytes({ path: '/slow', key: key.value });
    const { responses } = await rawRequest(gateway.port, [Buffer.concat([requestBytes({ path: LIVE }), behind])]);
    expect(responses.map(said)).toEqual([saysOk]);
  });

  test('a request that arrives after the reply does not run', async () => {
    await using caller = await openRaw(gateway.port);
    caller.send(requestBytes({ path: LIVE }));
    expect(said(await caller.next())).toEqual(saysOk);
    caller.send(requestBytes({ path: '/slow', key: key.value }));
    await caller.closed();
    const rows = (await gateway.journalRows()).length;
    expect((await call(gateway.port, { path: '/slow?n=1', key: key.value })).status).toBe(200);
    const uses = (await gateway.journalRows()).slice(rows).filter(({ type }) => type === 'use');
    expect(uses.map(({ path }) => path)).toEqual(['/slow']);
  });

  test('the body of a health check is not read, and nothing in it is parsed as a request', async () => {
    const body = requestBytes({ path: '/slow', key: key.value });
    const { responses } = await rawRequest(gateway.port, requestBytes({ path: LIVE, body }));
    expect(responses.map(said)).toEqual([saysOk]);
  });

  test('a health check on one connection too many from an address is refused', async () => {
    const localAddress = '127.0.0.8';
    const held = await Promise.all(Array.from({ length: 256 }, () => openRaw(gateway.port, { localAddress })));
    await until('all are counted', async () => (await gateway.call('stats', {})).connections >= 256);
    await using over = await openRaw(gateway.port, { localAddress });
    over.send(requestBytes({ path: LIVE }));
    expectRefusal(await over.next(), 'overloaded');
    await Promise.all(held.map((one) => one[Symbol.asyncDispose]()));
  });
});

test('a running route with the same path replies instead until it is stopped', async () => {
  const own = routePipeline({ id: 'own', path: READY, ...fixedReply('mine') });
  await gateway.change({ kind: 'start', start: pipelineStart(own) });
  expectRefusal(await call(gateway.port, { path: READY }), 'key_missing');
  expect((await call(gateway.port, { path: READY, key: key.value })).status).toBe(200);
  expect(await ask(gateway.port, LIVE)).toEqual(saysOk);
  await gateway.change({ kind: 'stop', project: TEST_PROJECT, pipeline: 'own' });
  expect(await ask(gateway.port, READY)).toEqual(saysOk);
});

test('settings change or remove the paths at once', async () => {
  await gateway.changeSettings({ healthLivePath: '/up', healthReadyPath: null });
  expect(await ask(gateway.port, '/up')).toEqual(saysOk);
  for (const path of [LIVE, READY]) expectRefusal(await call(gateway.port, { path }), 'not_found');
  await gateway.changeSettings({});
  expect(await ask(gateway.port, READY)).toEqual(saysOk);
});

describe('not ready but alive', () => {
  test('while every key is refused', async () => {
    await gateway.change({ kind: 'refuse-all-keys', on: true });
    expect(await ask(gateway.port, READY)).toEqual(saysUnavailable);
    expect(await ask(gateway.port, LIVE)).toEqual(saysOk);
    await gateway.change({ kind: 'refuse-all-keys', on: false });
    expect(await ask(gateway.port, READY)).toEqual(saysOk);
  });

  test('while the journal cannot be written, and ready again without a call in between', async () => {
    await using data = await tempDir();
    await using own = await startGateway({ dataDir: data.path, keys: [key], pipelines: [slow()] });
    const journal = `${data.path}/journal`;
    await rename(journal, `${journal}-away`);
    await writeFile(journal, '');
    await call(own.port, { path: '/slow', key: key.value });
    await until('not ready', async () => (await ask(own.port, READY)).status === 503);
    expect(await ask(own.port, READY)).toEqual(saysUnavailable);
    expect(await ask(own.port, LIVE)).toEqual(saysOk);
    await rm(journal);
    await rename(`${journal}-away`, journal);
    await until('ready', async () => (await ask(own.port, READY)).status === 200);
  });

  test('while it finishes its last calls', async () => {
    await using own = await startGateway({ keys: [key], pipelines: [slow()] });
    await using busy = await openRaw(own.port);
    busy.send(Buffer.concat([requestBytes({ path: '/slow', key: key.value }), requestBytes({ path: READY })]));
    await until('the call runs', async () => (await own.call('stats', {})).inFlight === 1);
    const stopped = own.stop();
    expect((await busy.next()).status).toBe(200);
    expect(said(await busy.next())).toEqual(saysUnavailable);
    expect(await stopped).toBe(0);
  });
});

test.each([1, 2])('over TLS and on the additional plain port, with %i workers', async (workers) => {
  const proof = await testCertificate();
  const settings = { ...proof.settings, plainHttpPort: 0, workers };
  await using both = await startGateway({ keys: [key], pipelines: [slow()], settings });
  for (const path of [LIVE, READY]) {
    expect(said(await call(both.port, { path, connect: { tls: proof.trust } }))).toEqual(saysOk);
    expect(await ask(both.ready.plainHttpPort ?? 0, path)).toEqual(saysOk);
  }
});
