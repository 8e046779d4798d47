import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type EgressCall, type EgressEndpoint, type EgressLine, NodeError } from '#sdk';
import { until } from '#test/until.ts';
import { type Direct, openDirect } from './direct.ts';
import { CALLS_MAX } from './direct-limits.ts';
import { ANSWER_BYTES_MAX } from './http/contract.ts';
import { answerOk, endingTarget } from './http/ending-target.testing.ts';
import { Opened, settingsOf, type TestTarget } from './http/target.testing.ts';
import { testRun } from '#sdk/testing.ts';

const opened = new Opened();
afterEach(() => opened.close());

function directFor(...targets: readonly TestTarget[]): Direct {
  const direct = openDirect(settingsOf({ allowedInternalTargets: targets.map(({ port }) => `127.0.0.1:${port}`) }));
  opened.onClose(() => direct.close());
  return direct;
}

function lineOf(direct: Direct, origin: string, endpoint: Partial<EgressEndpoint> = {}): Promise<EgressLine> {
  const usual = { origin, method: 'GET', headers: {}, timeoutSeconds: 20, tls: null, storeAndForward: false };
  return direct.open({ ...usual, ...endpoint }, 'line');
}

const CALL: EgressCall = {
  path: '/hidden-path',
  body: null,
  orderingKey: null,
  traceparent: null,
  caller: 'key',
  origin: {},
  run: testRun(),
};
const never = new AbortController().signal;
const failure = (error: unknown): unknown =>
  error instanceof NodeError ? { code: error.code, text: error.message } : error;

async function send(target: TestTarget, endpoint: Partial<EgressEndpoint> = {}, call: Partial<EgressCall> = {}) {
  const line = await lineOf(directFor(target), target.origin, endpoint);
  return line.send({ ...CALL, ...call }, never);
}

/** Responds with these statuses in turn, then with the last one; `cut` closes the connection. */
function inTurn(...statuses: readonly (number | 'cut')[]): RequestListener {
  let call = 0;
  return (_req, res) => {
    const status = statuses[Math.min(call, statuses.length - 1)];
    call += 1;
    if (typeof status === 'number') res.writeHead(status).end(String(call));
    else res.destroy();
  };
}

describe('a direct call', () => {
  test('parses the body of a response like that of a request', async () => {
    const target = await opened.http((_req, res) =>
      res.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":7}'),
    );
    expect(await send(target)).toEqual({
      kind: 'answered',
      status: 201,
      headers: expect.objectContaining({ 'content-type': 'application/json' }) as object,
      body: { id: 7 },
    });
  });

  test('carries the body, its type, the trace and its own key', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const target = await opened.http((req, res) => {
      seen.push(req.headers);
      req.resume();
      res.end();
    });
    const line = await lineOf(directFor(target), target.origin, { method: 'POST' });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await line.send({ ...CALL, body: { a: 1 }, traceparent }, never);
    await line.send({ ...CALL, body: 'x' }, never);
    expect(seen[0]).toMatchObject({ 'content-type': 'application/json', 'content-length': '7', traceparent });
    expect(seen[1]).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
    expect(seen[1]).not.toHaveProperty('traceparent');
    const [first, second] = seen.map((headers) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  test('keeps the Content-Type of the author', async () => {
    const target = await opened.http((req, res) => res.end(req.headers['content-type']));
    const outcome = await send(
      target,
      { method: 'PUT', headers: { 'CONTENT-type': 'application/xml' } },
      { body: 'x' },
    );
    expect(outcome).toMatchObject({ body: new Uint8Array(Buffer.from('application/xml')) });
  });
});

describe('a target that ends kept connections when a call arrives', () => {
  test.each(['POST', 'PATCH'])('answers each %s, which arrives once and on its own connection', async (method) => {
    const target = await endingTarget(opened);
    const line = await lineOf(directFor(target), target.origin, { method });
    for (let call = 0; call < 3; call++)
      expect(await line.send({ ...CALL, body: { a: 1 } }, never)).toMatchObject({ kind: 'answered', status: 200 });
    expect(target.arrivals.map(({ connection }) => connection)).toEqual([0, 1, 2]);
    expect(new Set(target.arrivals.map(({ key }) => key)).size).toBe(3);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])(
    'answers each %s: a lost one arrives again with its key',
    async (method) => {
      const first = (socket: Socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      const target = await endingTarget(opened, { first });
      const line = await lineOf(directFor(target), target.origin, { method });
      const beganAt = performance.now();
      for (let call = 0; call < 20; call++) expect(await line.send(CALL, never)).toMatchObject({ status: 204 });
      // Immediately: axios-retry would have waited 100 ms for each of the ten.
      expect(performance.now() - beganAt).toBeLessThan(1_000);
      expect(target.arrivals.slice(0, 6).map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 2, 3]);
      expect(target.arrivals).toHaveLength(30);
      expect(new Set(target.arrivals.map(({ key }) => key)).size).toBe(20);
    },
  );

  test('and also ends new ones receives a GET three times at most', async () => {
    const target = await endingTarget(opened, {
      first: (socket, connection) => (connection === 0 ? answerOk(socket, connection) : void socket.end()),
    });
    const line = await lineOf(directFor(target), target.origin);
    await line.send(CALL, never);
    expect(await line.send(CALL, never).catch(failure)).toMatchObject({ code: 'target_unreachable' });
    expect(target.arrivals.map(({ connection }) => connection)).toEqual([0, 0, 1, 2]);
    expect(new Set(target.arrivals.map(({ key }) => key)).size).toBe(2);
  });
});

describe('axios-retry', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('tries %s twice more, with one key', async (method) => {
    const keys = new Set<unknown>();
    const answer = inTurn(503, 'cut', 200);
    const target = await opened.http((req, res) => {
      keys.add(req.headers['idempotency-key']);
      answer(req, res);
    });
    const outcome = await send(target, { method }, method === 'PUT' ? { body: { a: 1 } } : {});
    expect(outcome).toMatchObject({ status: 200 });
    expect(target.requests).toHaveLength(3);
    expect(keys.size).toBe(1);
  });

  test.each(['POST', 'PATCH'])('tries %s once', async (method) => {
    const answered = await opened.http(inTurn(503));
    expect(await send(answered, { method })).toMatchObject({ kind: 'answered', status: 503 });
    expect(answered.requests).toHaveLength(1);
    const cut = await opened.http(inTurn('cut'));
    expect(await send(cut, { method }).catch(failure)).toMatchObject({ code: 'target_unreachable' });
    expect(cut.requests).toHaveLength(1);
  });

  test.each([408, 425, 429, 500, 503, 599])(
    'returns the last of three responses with the status %i',
    async (status) => {
      const target = await opened.http(inTurn(status));
      expect(await send(target)).toMatchObject({ status, body: new Uint8Array(Buffer.from('3')) });
      expect(target.requests).toHaveLength(3);
    },
  );

  test.each([200, 204, 302, 304, 400, 401, 404, 409])('accepts the status %i', async (status) => {
    const target = await opened.http(inTurn(status));
    expect(await send(target)).toMatchObject({ status });
    expect(target.requests).toHaveLength(1);
  });

  test('gives up after three broken connections', async () => {
    const target = await opened.http(inTurn('cut'));
    expect(await send(target).catch(failure)).toEqual({
      code: 'target_unreachable',
      text: `${target.origin}: the connection ended before the answer was whole (ECONNRESET)`,
    });
    expect(target.requests).toHaveLength(3);
  });

  test('returns a response that arrived before the connection broke', async () => {
    const target = await opened.http(inTurn(503, 'cut'));
    expect(await send(target)).toMatchObject({ kind: 'answered', status: 503 });
    expect(target.requests).toHaveLength(3);
  });

  test('reads a truncated body again', async () => {
    let call = 0;
    const target = await opened.http((_req, res) => {
      call += 1;
      res.writeHead(200, { 'content-length': '4', 'content-type': 'text/plain' });
      if (call === 1) res.write('ha', () => res.destroy());
      else res.end('half');
    });
    expect(await send(target)).toMatchObject({ status: 200, body: 'half' });
  });

  test('waits for Retry-After within the time, else returns the response at once', async () => {
    let call = 0;
    const target = await opened.http((_req, res) => {
      call += 1;
      res.writeHead(call % 2 === 1 ? 429 : 200, { 'retry-after': '1' }).end();
    });
    const beganAt = performance.now();
    expect(await send(target)).toMatchObject({ status: 200 });
    expect(performance.now() - beganAt).toBeGreaterThan(950);
    const away = await opened.http((_req, res) => res.writeHead(503, { 'retry-after': '60' }).end());
    const askedAt = performance.now();
    expect(await send(away, { timeoutSeconds: 15 })).toMatchObject({ status: 503 });
    expect(performance.now() - askedAt).toBeLessThan(7500);
    expect(away.requests).toHaveLength(1);
  });

  test('stays within the time of the node for all attempts together', async () => {
    let call = 0;
    const target = await opened.http((_req, res) => {
      call += 1;
      if (call === 1) res.destroy();
    });
    const beganAt = performance.now();
    expect(await send(target, { timeoutSeconds: 0.7 }).catch(failure)).toEqual({
      code: 'target_timeout',
      text: `${target.origin}: no whole answer within 0.7 s`,
    });
    expect(performance.now() - beganAt).toBeLessThan(1500);
    expect(target.requests).toHaveLength(2);
  });

  test('never retries a refused address', async () => {
    let asked = 0;
    const lookUp = (): Promise<readonly string[]> => {
      asked += 1;
      return Promise.resolve(['127.0.0.1']);
    };
    const direct = openDirect(settingsOf({}), { lookUp });
    const line = await lineOf(direct, 'http://mes.example:80');
    expect(await line.send(CALL, never).catch(failure)).toMatchObject({ code: 'target_refused' });
    expect(asked).toBe(1);
  });
});

describe('a direct call fails', () => {
  test('when its response is too large', async () => {
    const target = await opened.http((_req, res) => res.end(Buffer.alloc(ANSWER_BYTES_MAX + 1)));
    expect(await send(target).catch(failure)).toMatchObject({ code: 'answer_too_large' });
    expect(target.requests).toHaveLength(1);
  });

  test('when its body is too large, without dialling', async () => {
    const target = await opened.http((_req, res) => res.end());
    const body = new Uint8Array(ANSWER_BYTES_MAX + 1);
    expect(await send(target, { method: 'POST' }, { body }).catch(failure)).toMatchObject({ code: 'call_too_large' });
    expect(target.connections).toHaveLength(0);
  });

  test('with the reason of the run when that is cancelled: during a call and between two attempts', async () => {
    const silent = await opened.http((req, res) => void (req.url === '/' && res.writeHead(503).end()));
    const line = await lineOf(directFor(silent), silent.origin);
    for (const path of ['/silent', '/']) {
      const ends = new AbortController();
      const reason = new Error('the run is over');
      const before = silent.requests.length;
      const sent = line.send({ ...CALL, path }, ends.signal).catch((error: unknown) => error);
      await until('the target is called', () => silent.requests.length > before);
      ends.abort(reason);
      expect(await sent).toBe(reason);
      expect(silent.requests).toHaveLength(before + 1);
    }
  });

  test('when one caller uses more than half of all calls at once, and is accepted again later', async () => {
    const answers: (() => void)[] = [];
    const target = await opened.http((_req, res) => answers.push(() => res.end('ok')));
    const line = await lineOf(directFor(target), target.origin);
    const calls = Array.from({ length: CALLS_MAX / 2 }, () => line.send(CALL, never));
    expect(await line.send(CALL, never).catch(failure)).toMatchObject({ code: 'target_overloaded' });
    const answering = setInterval(() => answers.splice(0).forEach((answer) => answer()), 5);
    await Promise.all(calls);
    expect(await line.send(CALL, never)).toMatchObject({ status: 200 });
    clearInterval(answering);
  });

  test('when its connection is opened with unusable TLS settings', async () => {
    const direct = openDirect(settingsOf({}));
    const tls = { ca: '-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----', certificate: null, key: null };
    const told = await lineOf(direct, 'https://mes.example:443', { tls }).catch(failure);
    expect(told).toMatchObject({ code: 'tls_invalid' });
    expect(JSON.stringify(told)).not.toContain('hidden');
  });

  test('once the settings no longer allow its target', async () => {
    const target = await opened.http((_req, res) => res.end());
    const direct = directFor(target);
    const line = await lineOf(direct, target.origin);
    await line.send(CALL, never);
    direct.configure(settingsOf({}));
    expect(await line.send(CALL, never).catch(failure)).toMatchObject({ code: 'target_refused' });
  });

  test('when the gateway is closing', async () => {
    const target = await opened.http(() => undefined);
    const direct = directFor(target);
    const sent = (await lineOf(direct, target.origin)).send(CALL, never).catch(failure);
    await until('the target is called', () => target.requests.length === 1);
    direct.close();
    expect(await sent).toEqual({ code: 'target_unreachable', text: `${target.origin}: the gateway is closing` });
  });
});
