import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import type { TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import type { TestCertificate } from '#test/test-certificate.ts';
import { until } from '#test/until.ts';
import { BIG_REPLY_BYTES, startTlsGateway } from './tls-gateway.ts';

/** The limits of connections (docs/spec/requests.md#connections) on a TLS listener, including its handshake. */
const key = makeKey();
const GOOD = requestBytes({ path: '/count', key: key.value });
const SLACK_MS = 2500;

let proof: TestCertificate;
let gateway: TestGateway;

beforeAll(async () => {
  ({ proof, gateway } = await startTlsGateway(key));
});
afterAll(() => gateway?.stop());

const connectionsNow = async () => (await gateway.call('stats', {})).connections;
const rowsOf = async (cause: string) => (await gateway.journalRows()).filter((row) => row.why?.cause === cause);

test('little of a large body is read before the key is verified, and the caller sees the refusal', async () => {
  await using connection = await openRaw(gateway.port, { tls: proof.trust });
  connection.send('POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n');
  const chunk = Buffer.alloc(64 * 1024, 120);
  const writing = setInterval(() => connection.socket.writable && connection.socket.write(chunk), 5);
  const answer = await connection.next();
  clearInterval(writing);
  expect(answer.status).toBe(401);
});

test('a caller that continues to send sees the 413', async () => {
  await using connection = await openRaw(gateway.port, { tls: proof.trust });
  connection.send(requestBytes({ method: 'POST', path: '/small', key: key.value, body: 'x'.repeat(200_000) }));
  expect((await connection.next()).status).toBe(413);
});

test.each([
  ['says nothing', () => {}],
  [
    'sends its first bytes one by one',
    (socket: Socket) => {
      let at = 0;
      // The start of a ClientHello, as slow as Node's own limit would allow.
      const hello = Buffer.from('16030100f8010000f40303', 'hex');
      const timer = setInterval(() => socket.writable && socket.write(hello.subarray(at, ++at)), 900);
      socket.on('close', () => clearInterval(timer));
    },
  ],
])('a socket that %s in the handshake is closed within 7 s and recorded in the journal', async (_what, talk) => {
  const before = (await rowsOf('tls_too_slow')).length;
  // Before the gateway's clock starts: on a busy machine, this process notices the connection later.
  const startedMs = performance.now();
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  talk(socket);
  await once(socket, 'close');
  const tookMs = performance.now() - startedMs;
  expect(tookMs).toBeGreaterThan(4500);
  expect(tookMs).toBeLessThan(7000);
  await until('the row', async () => (await rowsOf('tls_too_slow')).length > before);
});

test('a socket that is silent after its handshake is closed after 5 s', async () => {
  await using connection = await openRaw(gateway.port, { tls: proof.trust });
  const { atMs } = await connection.closed();
  expect(atMs).toBeLessThan(7000);
});

test('an unread reply is dropped after 5 s, and a reply that is read slowly arrives', { timeout: 40_000 }, async () => {
  await using stalled = await openRaw(gateway.port, { tls: proof.trust });
  stalled.socket.pause();
  const startedMs = performance.now();
  stalled.send(requestBytes({ path: '/big' }));
  await until('it is served', async () => (await connectionsNow()) === 1);
  await until('it is given up', async () => (await connectionsNow()) === 0, { timeoutMs: 15_000, everyMs: 50 });
  expect(performance.now() - startedMs).toBeLessThan(6000 + SLACK_MS);

  await using slow = await openRaw(gateway.port, { tls: proof.trust });
  let read = 0;
  slow.socket.on('data', (chunk: Buffer) => (read += chunk.length));
  slow.send(requestBytes({ path: '/big' }));
  // About 32 KiB per second at first: the data that TLS holds back at once (160 KiB) takes as long as the limit.
  const untilMs = performance.now() + 8000;
  while (performance.now() < untilMs) {
    slow.socket.pause();
    await sleep(900);
    slow.socket.resume();
    await new Promise((resolve) => setImmediate(resolve));
  }
  slow.socket.resume();
  expect((await slow.next()).body.length).toBe(BIG_REPLY_BYTES);
  expect(read).toBeGreaterThan(BIG_REPLY_BYTES);
});

test(
  'the 257th connection of an address is refused over TLS, handshakes count, and connections far over the limit are closed without a reply',
  { timeout: 60_000 },
  async () => {
    const localAddress = '127.0.0.9';
    const silent = Array.from({ length: 256 }, () => connect({ port: gateway.port, host: '127.0.0.1', localAddress }));
    try {
      await Promise.all(
        silent.map((socket) =>
          once(
            socket.on('error', () => {}),
            'connect',
          ),
        ),
      );
      await until('all are counted', async () => (await connectionsNow()) === 256);
      await using over = await openRaw(gateway.port, { localAddress, tls: proof.trust });
      expectRefusal(await over.next(), 'overloaded');
      await using elsewhere = await openRaw(gateway.port, { tls: proof.trust });
      elsewhere.send(GOOD);
      expect((await elsewhere.next()).status).toBe(200);
      const more = Array.from({ length: 60 }, () => connect({ port: gateway.port, host: '127.0.0.1', localAddress }));
      silent.push(...more);
      more.forEach((socket) => socket.on('error', () => {}).resume());
      await until('those beyond are gone', async () => more.filter((socket) => socket.destroyed).length >= 25);
      // Long before the time limit of their handshakes.
      const atMost = 256 + 32 + 2;
      await until('the others are gone too', async () => (await connectionsNow()) <= atMost, { timeoutMs: 2500 });
    } finally {
      silent.forEach((socket) => socket.destroy());
    }
    await until('all are gone', async () => (await connectionsNow()) === 0);
  },
);
