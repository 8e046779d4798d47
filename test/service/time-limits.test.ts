import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * Time limits (docs/spec/requests.md#time-limits). They are seconds of real time, so all cases run in parallel. An
 * upper bound is a limit, half a second of checking interval, and a margin for a busy machine. A lower bound begins
 * before the gateway's clock does: with what this process requested or sent, not with what it has received.
 */
const key = makeKey();
const SLACK_MS = 2500;
const REPLY_BYTES = 16 * 1024 * 1024;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      routePipeline({ id: 'take', method: 'POST', path: '/take', ...fixedReply('taken') }),
      routePipeline({ id: 'brisk', method: 'POST', path: '/brisk', route: { timeout: 5 }, ...fixedReply('taken') }),
      routePipeline({
        id: 'patient',
        method: 'POST',
        path: '/patient',
        route: { timeout: 60 },
        ...fixedReply('taken'),
      }),
    ],
  });
});
afterAll(() => gateway?.stop());

const head = (path: string, bytes: number) =>
  requestBytes({ method: 'POST', path, key: key.value, headers: { 'Content-Length': String(bytes) } });

/**
 * Sends `piece` every `everyMs` until a response or the end of the socket arrives, at most `times`. A piece that is
 * late on a busy machine does not delay the next ones.
 */
async function drip(connection: RawConnection, piece: Buffer | string, everyMs: number, times: number): Promise<void> {
  const before = connection.responses.length;
  const startedMs = performance.now();
  for (let sent = 0; sent < times && connection.responses.length === before && !connection.socket.destroyed; sent++) {
    connection.send(piece);
    await sleep(Math.max(0, startedMs + (sent + 1) * everyMs - performance.now()));
  }
}

async function expectTimeout(connection: RawConnection, fromMs: number, toMs: number): Promise<void> {
  const response = await connection.next(toMs + 5000);
  expectRefusal(response, 'request_timeout');
  expect(response.atMs).toBeGreaterThan(fromMs);
  expect(response.atMs).toBeLessThan(toMs + SLACK_MS);
  await connection.closed();
}

describe.concurrent('time limits', { timeout: 60_000 }, () => {
  test('a head that stalls half-way gets 408 after 5 s', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send('GET /take HTTP/1.1\r\nHost: a\r\nX-Tr');
    await expectTimeout(connection, 4900, 5500);
  });

  test('a head that arrives byte by byte gets 408 after 5 s too', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send('GET /take HTTP/1.1\r\nHost: a\r\nX-Trace: ');
    await drip(connection, 'a', 200, 60);
    await expectTimeout(connection, 4900, 5500);
  });

  test('a silent socket is closed after 5 s', async () => {
    await using connection = await openRaw(gateway.port);
    const { atMs } = await connection.closed(12_000);
    expect(atMs).toBeGreaterThan(4900);
    expect(atMs).toBeLessThan(5500 + SLACK_MS);
  });

  test('a second head on a kept connection has 5 s too', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(requestBytes({ method: 'POST', path: '/take', key: key.value }));
    const { sentAtMs } = connection;
    const first = await connection.next();
    expect(first.status).toBe(200);
    connection.send('GET /take HTTP/1.1\r\n');
    const { atMs } = await connection.closed(12_000);
    expect(atMs - sentAtMs).toBeGreaterThan(4900);
    expect(atMs - first.atMs).toBeLessThan(5500 + SLACK_MS);
  });

  test('an idle kept connection is closed a second after the 30 s that its replies announce', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(requestBytes({ method: 'POST', path: '/take', key: key.value }));
    const { sentAtMs } = connection;
    const first = await connection.next();
    expect(first.header('keep-alive')).toBe('timeout=30');
    const { atMs, how } = await connection.closed(40_000);
    expect(how).toBe('end');
    expect(atMs - sentAtMs).toBeGreaterThan(30_500);
    expect(atMs - first.atMs).toBeLessThan(32_000 + SLACK_MS);
  });

  test('blank lines before a head do not extend its deadline', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(requestBytes({ method: 'POST', path: '/take', key: key.value }));
    const { sentAtMs } = connection;
    const first = await connection.next();
    await Promise.race([drip(connection, '\r\n', 200, 60), connection.closed(15_000)]);
    const { atMs } = await connection.closed(12_000);
    expect(atMs - sentAtMs).toBeGreaterThan(4900);
    expect(atMs - first.atMs).toBeLessThan(6000 + SLACK_MS);
  });

  test('a body that stalls gets 408 soon after its first 5 s', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(head('/take', 100_000));
    connection.send('x'.repeat(100));
    await expectTimeout(connection, 4900, 6000);
  });

  test('a body slower than 1 KiB/s gets 408 soon after its first 5 s', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(head('/take', 100_000));
    await drip(connection, 'x'.repeat(20), 100, 120);
    await expectTimeout(connection, 4900, 6500);
  });

  test('a slow body at 2 KiB/s is accepted', async () => {
    await using connection = await openRaw(gateway.port);
    const bytes = 7 * 2048;
    connection.send(head('/take', bytes));
    await drip(connection, 'x'.repeat(256), 120, bytes / 256);
    expect((await connection.next()).text()).toBe('taken');
  });

  test('a body that takes longer than 15 s gets 408, however steady it is', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(head('/brisk', 1_000_000));
    await drip(connection, 'x'.repeat(400), 100, 200);
    await expectTimeout(connection, 14_900, 15_500);
  });

  test('a steady body may take longer than 15 s if the route timeout is longer', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(head('/patient', 165 * 400));
    await drip(connection, 'x'.repeat(400), 100, 165);
    const response = await connection.next();
    expect(response.text()).toBe('taken');
    expect(response.atMs).toBeGreaterThan(15_500);
  });

  test('a declared length over the limit is answered after 2 s if the body does not arrive', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(head('/take', 2_000_000));
    const response = await connection.next();
    expectRefusal(response, 'payload_too_large');
    expect(response.atMs).toBeLessThan(3000 + SLACK_MS);
    await connection.closed();
  });

  test('a refused caller that does not disconnect is disconnected a second later', async () => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.78', allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {}).resume();
    socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'end');
    const answered = performance.now();
    const writing = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(writing);
    expect(performance.now() - answered).toBeLessThan(1000 + SLACK_MS);
  });

  test('a reply that its caller does not read for 5 s is dropped', async () => {
    const big = routePipeline({ id: 'big', path: '/big', ...fixedReply('x'.repeat(REPLY_BYTES)) });
    await using own = await startGateway({ keys: [key], pipelines: [big] });
    await using connection = await openRaw(own.port);
    connection.socket.pause();
    const started = performance.now();
    connection.send(requestBytes({ path: '/big', key: key.value }));
    // Only a reader notices a reset, so the gateway is asked.
    const connections = async () => (await own.call('stats', {})).connections;
    await until('it is connected', async () => (await connections()) === 1);
    await until('the gateway has given the reply up', async () => (await connections()) === 0, {
      timeoutMs: 15_000,
      everyMs: 50,
    });
    const tookMs = performance.now() - started;
    expect(tookMs).toBeGreaterThan(4500);
    expect(tookMs).toBeLessThan(6000 + SLACK_MS);
    connection.socket.resume();
    const { how, rest } = await connection.closed();
    // Closed normally, the system's buffers would be offered to it for further minutes.
    expect(how).toBe('reset');
    expect(connection.responses).toHaveLength(0);
    expect(rest.length).toBeLessThan(REPLY_BYTES);
  });
});
