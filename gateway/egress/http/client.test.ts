import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { VERSION } from '#common/version.ts';
import { until } from '#test/until.ts';
import { SOCKET_IDLE_MS, SOCKETS_PER_AGENT_MAX } from './agents.ts';
import { ANSWER_BYTES_MAX } from './contract.ts';
import { ask, bodyOf, callOf, Opened, received } from './target.testing.ts';

const opened = new Opened();
afterEach(() => opened.close());

const reset = (socket: Socket): void => void socket.resetAndDestroy();
const SECRET = { path: '/hidden-path?q=hidden', headers: { Authorization: 'hidden-header' } };

describe('a call is sent as its author wrote it', () => {
  test('method, path byte for byte, header names, body and its length', async () => {
    const target = await opened.http((req, res) => {
      void received(req).then((body) => res.end(JSON.stringify([req.rawHeaders, body.toString()])));
    });
    const call = {
      method: 'POST',
      path: "/a/../b//c%2F;d?q=1&q='é x",
      headers: { 'X-tRaCe': '7', 'content-TYPE': 'text/plain' },
      body: Buffer.from('hällo'),
    };
    const answer = JSON.parse(bodyOf(await ask(opened.clientFor(target), target.origin, call))) as [string[], string];
    expect(target.requests).toEqual(["POST /a/../b//c%2F;d?q=1&q='%C3%A9%20x"]);
    const [raw, body] = answer;
    expect(body).toBe('hällo');
    const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
    expect(pairs.toSorted()).toEqual(
      [
        `User-Agent: Sluice/${VERSION}`,
        'Accept: */*',
        'Accept-Encoding: identity',
        'X-tRaCe: 7',
        'content-TYPE: text/plain',
        'Content-Length: 6',
        `Host: 127.0.0.1:${target.port}`,
        'Connection: keep-alive',
      ].toSorted(),
    );
  });

  test.each([
    ['POST', null, '0'],
    ['PUT', null, '0'],
    ['PATCH', new Uint8Array(), '0'],
    ['DELETE', Buffer.from('ab'), '2'],
    ['GET', null, undefined],
    ['DELETE', null, undefined],
  ])('%s with the body %s has the Content-Length %s', async (method, body, length) => {
    const target = await opened.http((req, res) => {
      const { 'content-length': given, 'transfer-encoding': coding, 'content-type': type } = req.headers;
      res.end(JSON.stringify([given, coding, type]));
    });
    const result = await ask(opened.clientFor(target), target.origin, { method, body });
    expect(bodyOf(result)).toBe(JSON.stringify([length, undefined, undefined]));
  });

  test("the author's User-Agent and Accept replace the defaults; framing and Host cannot be changed", async () => {
    const target = await opened.http((req, res) => res.end(JSON.stringify(req.headers)));
    const headers = { 'user-agent': 'mes', ACCEPT: 'text/csv', Host: 'evil.example', 'content-length': '9' };
    const seen = JSON.parse(bodyOf(await ask(opened.clientFor(target), target.origin, { headers }))) as object;
    expect(seen).toMatchObject({ 'user-agent': 'mes', accept: 'text/csv', host: `127.0.0.1:${target.port}` });
    expect(seen).not.toHaveProperty('content-length');
  });

  test('without a proxy that the environment names', async () => {
    const proxy = await opened.http((_req, res) => res.end('proxy'));
    const target = await opened.http((_req, res) => res.end('target'));
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = proxy.origin;
    try {
      expect(bodyOf(await ask(opened.clientFor(target), target.origin))).toBe('target');
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
    }
    expect(proxy.connections).toHaveLength(0);
  });

  test('a body of 16 MiB arrives complete', async () => {
    const target = await opened.http((req, res) => void received(req).then((body) => res.end(String(body.byteLength))));
    const body = Buffer.alloc(16 * 1024 * 1024, 7);
    expect(bodyOf(await ask(opened.clientFor(target), target.origin, { method: 'PUT', body }))).toBe('16777216');
  });
});

describe('a response', () => {
  test.each([200, 201, 302, 400, 401, 404, 429, 500, 503])('with the status %i is a response', async (status) => {
    const target = await opened.http((_req, res) => res.writeHead(status, { location: '/other' }).end('said'));
    expect(await ask(opened.clientFor(target), target.origin)).toMatchObject({
      kind: 'answered',
      status,
      headers: { location: '/other' },
      body: Buffer.from('said'),
    });
    expect(target.requests).toEqual(['GET /']);
  });

  test('has lower-case header names, repeated ones joined', async () => {
    const head = 'HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n__proto__: p\r\n';
    const target = await opened.answering(`${head}Content-Length: 0\r\n\r\n`);
    const result = await ask(opened.clientFor(target), target.origin);
    const headers = result.kind === 'answered' ? Object.entries(result.headers) : [];
    expect(headers).toEqual(
      expect.arrayContaining([
        ['x-a', '1, 2'],
        ['set-cookie', 'a, b'],
        ['__proto__', 'p'],
      ]),
    );
  });

  test('is not decompressed', async () => {
    const zipped = gzipSync('plain');
    const target = await opened.http((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped));
    expect(await ask(opened.clientFor(target), target.origin)).toMatchObject({
      headers: { 'content-encoding': 'gzip' },
      body: zipped,
    });
  });

  test('does not start with 100 or 103', async () => {
    const target = await opened.answering(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
    expect(await ask(opened.clientFor(target), target.origin)).toMatchObject({ status: 200, body: Buffer.from('ok') });
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('to %s with the status %i has an empty body', async (method, status) => {
    const target = await opened.answering(`HTTP/1.1 ${status} X\r\nContent-Length: ${ANSWER_BYTES_MAX * 2}\r\n\r\n`);
    const result = await ask(opened.clientFor(target), target.origin, { method });
    expect(result).toMatchObject({ kind: 'answered', status, body: Buffer.alloc(0) });
  });

  test('may be as large as the limit, but no larger', async () => {
    const target = await opened.http((req, res) => {
      res.writeHead(201);
      res.write(Buffer.alloc(ANSWER_BYTES_MAX));
      res.end(req.url === '/larger' ? 'x' : '');
    });
    const client = opened.clientFor(target);
    const whole = await ask(client, target.origin);
    expect(whole.kind === 'answered' && whole.body?.byteLength).toBe(ANSWER_BYTES_MAX);
    const larger = await ask(client, target.origin, { path: '/larger' });
    // Compared separately: the diff would print 16 MiB.
    expect(larger.kind === 'answered' && larger.body === null && larger.status).toBe(201);
    await until('the connection is destroyed', () => target.connections.every((socket) => socket.destroyed));
  });

  test('that arrives before the whole call was sent ends the call and its connection', async () => {
    const target = await opened.raw((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno');
      });
    });
    const call = { method: 'POST', body: Buffer.alloc(16 * 1024 * 1024) };
    const result = await ask(opened.clientFor(target), target.origin, call);
    expect(result).toMatchObject({ kind: 'answered', status: 401, body: Buffer.from('no') });
    for (const socket of target.connections) socket.resume();
    const givenUp = (): boolean => target.connections.every((socket) => socket.destroyed);
    // Earlier than an idle connection.
    await until('the connection is given up', givenUp, { timeoutMs: SOCKET_IDLE_MS / 2 });
  });
});

test('that arrives before a reset, while the call is still being sent, is returned', async () => {
  const target = await opened.raw((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno', () => setTimeout(() => reset(socket), 20));
    });
  });
  const call = { method: 'POST', body: Buffer.alloc(16 * 1024 * 1024) };
  expect(await ask(opened.clientFor(target), target.origin, call)).toMatchObject({ kind: 'answered', status: 413 });
});

describe('no response', () => {
  const LENGTH_9 = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n';
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const CUT = 'the connection ended before the answer was whole (ECONNRESET)';
  test.each<[string, string, (socket: Socket) => void, string]>([
    ['a reset before the head', '', reset, CUT],
    ['an end before the head', '', (socket) => socket.end(), CUT],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-', (socket) => socket.end(), CUT],
    ['200, then a reset', LENGTH_9, reset, CUT],
    ['200 and half a body, then a reset', `${LENGTH_9}half`, reset, CUT],
    ['200 and half a body, then the end', `${LENGTH_9}half`, (socket) => socket.end(), CUT],
    ['a chunk, then the end', `${CHUNKED}4\r\nhalf\r\n`, (socket) => socket.end(), CUT],
    ['a malformed chunk', `${CHUNKED}zz\r\n`, () => undefined, CUT],
    ['not HTTP', 'SSH-2.0-dropbear\r\n', () => undefined, 'the answer is not HTTP (HPE_INVALID_CONSTANT)'],
    [
      'a head of 20 KiB',
      `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      () => undefined,
      'the head of the answer is larger than 16 KiB (HPE_HEADER_OVERFLOW)',
    ],
    [
      'a change of protocol',
      'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      () => undefined,
      'the answer asks for another protocol (101)',
    ],
  ])('%s is unreachable', async (_what, answer, then, text) => {
    const target = await opened.answering(answer, then);
    const result = await ask(opened.clientFor(target), target.origin, SECRET);
    expect(result).toMatchObject({ kind: 'unreachable', text });
    await until('the connection is gone', () => target.connections.every((socket) => socket.destroyed));
  });

  test('a refused connection is unreachable', async () => {
    const target = await opened.raw(() => undefined);
    await target.close();
    expect(await ask(opened.clientFor(target), target.origin, SECRET)).toMatchObject({
      kind: 'unreachable',
      text: 'the connection was refused (ECONNREFUSED)',
    });
  });

  test('headers that cannot be sent are reported without their values', async () => {
    const target = await opened.raw(() => undefined);
    const result = await ask(opened.clientFor(target), target.origin, { headers: { 'X-A': 'hid\nden' } });
    expect(result).toMatchObject({ kind: 'unreachable' });
    expect(JSON.stringify(result)).toContain('ERR_INVALID_CHAR');
    expect(JSON.stringify(result)).not.toMatch(/hid|den/);
    expect(target.connections).toHaveLength(0);
  });

  test.each(['ftp://mes.example:21', 'mes.example', 'http://user@mes.example:80'])(
    '%s is not a target',
    async (origin) => {
      expect(await ask(opened.client({}), origin)).toMatchObject({ kind: 'unreachable' });
    },
  );
});

describe('a call ends', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', (socket) => socket.resume()],
    [
      'drips its answer',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n');
        const drip = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('at its timeout, when the target %s', async (_what, onConnection) => {
    const target = await opened.raw(onConnection);
    const result = await ask(opened.clientFor(target), target.origin, { ...SECRET, timeoutMs: 300 });
    expect(result).toMatchObject({ kind: 'timeout', text: 'no whole answer within 0.3 s' });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
    await until('the connection is gone', () => target.connections.every((socket) => socket.destroyed));
  });

  test('at its timeout, when the name server hangs', async () => {
    const client = opened.client({}, { lookUp: () => new Promise(() => undefined) });
    expect(await ask(client, 'http://mes.example:80', { timeoutMs: 100 })).toMatchObject({ kind: 'timeout' });
  });

  test.each(['before its answer', 'within its answer'])('%s when it is cancelled', async (when) => {
    const target = await opened.raw((socket) => {
      socket.once('data', () => when === 'within its answer' && socket.write('HTTP/1.1 200 OK\r\n\r\nx'));
    });
    const ends = new AbortController();
    const call = opened.clientFor(target).call(callOf(target.origin), ends.signal);
    await until('the target is called', () => (target.connections[0]?.bytesRead ?? 0) > 0);
    ends.abort();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    await until('the connection is gone', () => target.connections.every((socket) => socket.destroyed));
  });

  test('at once when it was cancelled before, without dialling', async () => {
    const target = await opened.raw(() => undefined);
    const result = await opened.clientFor(target).call(callOf(target.origin), AbortSignal.abort());
    expect(result).toMatchObject({ kind: 'cancelled' });
    expect(target.connections).toHaveLength(0);
  });

  test('when the client is closed, and no call starts after that', async () => {
    const target = await opened.raw(() => undefined);
    const client = opened.clientFor(target);
    const call = ask(client, target.origin);
    await until('the target is called', () => target.connections.length === 1);
    client.close();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    expect(await ask(client, target.origin)).toMatchObject({ kind: 'cancelled' });
    expect(target.connections).toHaveLength(1);
  });
});

describe('connections', () => {
  test('are kept for the next call', async () => {
    const target = await opened.http((_req, res) => res.end('ok'));
    const client = opened.clientFor(target);
    for (let call = 0; call < 5; call++) expect(bodyOf(await ask(client, target.origin))).toBe('ok');
    expect(target.connections).toHaveLength(1);
  });

  test('are closed when unused', async () => {
    const target = await opened.http((_req, res) => res.end('ok'));
    // By the client, not by the limit of the target.
    if ('keepAliveTimeout' in target.server) target.server.keepAliveTimeout = 0;
    await ask(opened.clientFor(target), target.origin);
    await until('it is closed', () => target.connections.every((socket) => socket.destroyed));
  });

  test('to one target are limited, and further calls wait their turn', async () => {
    const waiting: (() => void)[] = [];
    const target = await opened.http((_req, res) => waiting.push(() => res.end('ok')));
    const client = opened.clientFor(target);
    const calls = Array.from({ length: SOCKETS_PER_AGENT_MAX + 5 }, () => ask(client, target.origin));
    await until('the connections are used up', () => waiting.length === SOCKETS_PER_AGENT_MAX);
    expect(target.connections).toHaveLength(SOCKETS_PER_AGENT_MAX);
    const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    const results = await Promise.all(calls);
    clearInterval(answering);
    expect(results.every(({ kind }) => kind === 'answered')).toBe(true);
    expect(target.connections).toHaveLength(SOCKETS_PER_AGENT_MAX);
  });
});
