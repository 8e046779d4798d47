import { createHash } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { freePort } from '#test/free-port.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { until } from '#test/until.ts';

/** Several workers: counts that are exact with one are exact with callers spread over threads. */
const key = makeKey();
const MIB = 1024 * 1024;
let gateway: TestGateway;

const pipelines = () => [
  routePipeline({ id: 'ok', path: '/ok/:n', ...fixedReply('ok') }),
  routePipeline({ id: 'number', path: '/number/:n', middle: [echo('payload.params.n')] }),
  routePipeline({ id: 'limited', path: '/limited', route: { rateLimit: 0.01, burstLimit: 39 }, ...fixedReply('ok') }),
  routePipeline({
    id: 'take',
    method: 'POST',
    path: '/take',
    route: { maxPayloadSize: '16 MB' },
    middle: [echo('payload.body')],
  }),
  routePipeline({
    id: 'slow',
    path: '/slow',
    middle: [{ kind: 'delay', settings: { seconds: 1 } }],
    reply: { status: 200, body: 'slow' },
  }),
];
const echo = (from: string) => ({ kind: 'set', settings: { assign: [{ path: 'payload.body', from }] } });

beforeAll(async () => {
  gateway = await startGateway({ keys: [key], pipelines: pipelines(), settings: { workers: 3 } });
});
afterAll(() => gateway?.stop());

async function openMany(count: number, addresses: number): Promise<RawConnection[]> {
  const opened = Array.from({ length: count }, (_, at) =>
    openRaw(gateway.port, { localAddress: `127.0.5.${(at % addresses) + 1}` }),
  );
  return Promise.all(opened);
}
const closeAll = (all: readonly RawConnection[]) => Promise.all(all.map((one) => one[Symbol.asyncDispose]()));

test('a rate limit admits exactly its number of calls, whichever thread serves the caller', async () => {
  const all = await openMany(120, 20);
  for (const one of all) one.send(requestBytes({ path: '/limited', key: key.value }));
  const answers = await Promise.all(all.map((one) => one.next()));
  const of = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect({ served: of(200), limited: of(429) }).toEqual({ served: 40, limited: 80 });
  await closeAll(all);
});

test('no thread serves a key after its revocation has returned', async () => {
  const short = makeKey();
  await gateway.change({ kind: 'key', key: short.entry });
  const all = await openMany(40, 40);
  const ask = async (n: string) => {
    for (const one of all) one.send(requestBytes({ path: `/ok/${n}`, key: short.value }));
    return Promise.all(all.map((one) => one.next()));
  };
  expect((await ask('before')).every(({ status }) => status === 200)).toBe(true);
  await gateway.change({ kind: 'key-revoked', keyId: short.entry.id });
  for (const answer of await ask('after')) expectRefusal(answer, 'key_invalid');
  const uses = (await gateway.journalRows()).filter(({ type, keyId }) => type === 'use' && keyId === short.entry.id);
  expect(uses.map(({ path }) => path)).toEqual(Array.from({ length: 40 }, () => '/ok/before'));
  await closeAll(all);
});

test('connections are counted across all threads', async () => {
  const all = await openMany(256, 1);
  await until('all are counted', async () => (await gateway.call('stats', {})).connections === 256);
  await using extra = await openRaw(gateway.port, { localAddress: '127.0.5.1' });
  expectRefusal(await extra.next(), 'overloaded');
  await closeAll(all);
  await until('all are gone', async () => (await gateway.call('stats', {})).connections === 0);
});

test('a new connection replaces the idlest connection of its address, in any thread', async () => {
  const all = await openMany(256, 1);
  for (const one of all) {
    one.send(requestBytes({ path: '/ok/1', key: key.value }));
    expect((await one.next()).status).toBe(200);
  }
  await using extra = await openRaw(gateway.port, { localAddress: '127.0.5.1' });
  extra.send(requestBytes({ path: '/ok/1', key: key.value }));
  expect((await extra.next()).status).toBe(200);
  expect((await all[0]?.closed())?.how).toBe('end');
  await closeAll(all);
  await extra[Symbol.asyncDispose]();
  await until('all are gone', async () => (await gateway.call('stats', {})).connections === 0);
});

test('pipelined requests are answered in order, and none after a refusal', async () => {
  const all = await openMany(8, 8);
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const good = numbers.map((n) => requestBytes({ path: `/number/${n}`, key: key.value }));
  const behind = [requestBytes({ path: '/nowhere' }), requestBytes({ path: '/ok/behind', key: key.value })];
  for (const one of all) one.send(Buffer.concat([...good, ...behind]));
  for (const one of all) {
    await one.closed();
    expect(one.responses.slice(0, 50).map(({ body }) => body.toString())).toEqual(numbers.map((n) => String(n)));
    expectRefusal(one.responses[50], 'not_found');
    expect(one.responses).toHaveLength(51);
  }
  expect((await gateway.journalRows()).filter(({ path }) => path === '/ok/behind')).toEqual([]);
});

test('large bodies and large replies arrive complete with slow callers', async () => {
  const text = 'Schicht 7 — '.repeat((4 * MIB) / 14);
  const sum = (body: Uint8Array | string) => createHash('sha256').update(body).digest('hex');
  const all = await openMany(6, 6);
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  for (const one of all) {
    one.send(requestBytes({ method: 'POST', path: '/take', key: key.value, headers, body: text }));
    one.socket.pause();
  }
  await until('the bodies are in', async () => (await gateway.call('stats', {})).inFlight === 0);
  for (const one of all) one.socket.resume();
  for (const one of all) expect(sum((await one.next()).body)).toBe(sum(text));
  await until('nothing is held', async () => (await gateway.call('stats', {})).bodyBytes === 0);
  await closeAll(all);
});

test('callers that reconnect over TLS reach a thread that knows their ticket', async () => {
  const proof = await testCertificate();
  await using secure = await startGateway({ settings: { ...proof.settings, workers: 3 } });
  const session = await new Promise<Buffer>((resolve, reject) => {
    const first: TLSSocket = connect({ port: secure.port, host: '127.0.0.1', servername: 'localhost', ...proof.trust });
    first.once('error', reject).once('session', (ticket) => {
      first.destroy();
      resolve(ticket);
    });
  });
  const resumed = Array.from({ length: 12 }, async () => {
    await using one = await openRaw(secure.port, { tls: { ...proof.trust, session } });
    return (one.socket as TLSSocket).isSessionReused();
  });
  expect(await Promise.all(resumed)).toEqual(resumed.map(() => true));
});

test('the number of workers changes while callers call, and a port in use stays in use', async () => {
  const gatewayPort = await freePort();
  await using changing = await startGateway({ keys: [key], pipelines: pipelines(), settings: { gatewayPort } });
  const ok = async () => (await call(gatewayPort, { path: '/ok/1', key: key.value })).status;
  for (const workers of [2, 3, 1]) {
    await changing.changeSettings({ workers });
    expect(await ok()).toBe(200);
    await expect(startGateway({ settings: { gatewayPort, workers: 2 } })).rejects.toThrow(
      'is in use by another program',
    );
    expect(await ok()).toBe(200);
  }
});

test('a stopping gateway answers the requests in flight in every thread', async () => {
  const stopping = await startGateway({ keys: [key], pipelines: pipelines(), settings: { workers: 3 } });
  const all = await Promise.all(Array.from({ length: 12 }, () => openRaw(stopping.port)));
  for (const one of all) one.send(requestBytes({ path: '/slow', key: key.value }));
  await until('all are in flight', async () => (await stopping.call('stats', {})).inFlight === 12);
  const ended = stopping.stop(8000);
  for (const one of all) {
    const answer = await one.next();
    expect([answer.status, answer.header('connection')]).toEqual([200, 'close']);
    expect((await one.closed()).how).toBe('end');
  }
  expect(await ended).toBe(0);
});
