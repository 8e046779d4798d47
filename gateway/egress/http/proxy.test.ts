import { readFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Authority, makeAuthority } from '#test/peers/server-certificate.ts';
import { until } from '#test/until.ts';
import type { HttpClient, TlsMaterial } from './contract.ts';
import { endingTarget } from './ending-target.testing.ts';
import { TUNNEL_MS_MAX, TUNNELS_PENDING_MAX } from './proxy-agents.ts';
import { ProxyChoice } from './proxy-choice.ts';
import { ask, bodyOf, callOf, Opened, settingsOf, type TestTarget } from './target.testing.ts';

const opened = new Opened();
let authority: Authority;
let tls: TlsMaterial;
const pair = { cert: '', key: '' };

beforeAll(async () => {
  authority = await makeAuthority(userInfo().username, 'DNS:mes.example');
  tls = { ca: authority.ca, certificate: null, key: null };
  pair.cert = readFileSync(authority.certFile, 'utf8');
  pair.key = readFileSync(authority.keyFile, 'utf8');
});
afterEach(() => opened.close());
afterAll(() => authority[Symbol.asyncDispose]());

/** A small proxy for which every name is 127.0.0.1. */
async function openProxy(): Promise<TestTarget & { tunnels: string[] }> {
  const tunnels: string[] = [];
  const proxy = await opened.http(forward);
  proxy.server.on('connect', (req: IncomingMessage, socket: Socket) => {
    tunnels.push(req.url ?? '');
    const onward = connect(Number(req.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return { ...proxy, tunnels };
}

function forward(req: IncomingMessage, res: ServerResponse): void {
  const { port, pathname, search } = new URL(req.url ?? '');
  const { method, headers } = req;
  const onward = request({ host: '127.0.0.1', port, method, path: pathname + search, headers, agent: false });
  req.pipe(onward);
  onward.on('error', () => res.writeHead(502).end());
  onward.on('response', (answer) => answer.pipe(res.writeHead(answer.statusCode ?? 0, answer.headers)));
}

/** DNS knows no name here: only the proxy can find targets. */
function clientBy(proxy: TestTarget, settings: { allowed?: string[]; targets?: string[] } = {}): HttpClient {
  const { allowed = [`127.0.0.1:${proxy.port}`], targets = ['mes.example'] } = settings;
  return opened.client(
    { allowedInternalTargets: allowed, proxy: proxy.origin, proxyTargets: targets },
    { lookUp: () => Promise.resolve([]) },
  );
}

describe('through the proxy', () => {
  test('plain calls are sent to it complete, over kept connections', async () => {
    const proxy = await openProxy();
    const target = await opened.http((req, res) => res.end(`${req.method} ${req.url} ${req.headers.host}`));
    const client = clientBy(proxy);
    const at = `mes.example:${target.port}`;
    for (let call = 0; call < 3; call++)
      expect(bodyOf(await ask(client, `http://${at}`, { path: '/a?b=1' }))).toBe(`GET /a?b=1 ${at}`);
    expect(proxy.requests[0]).toBe(`GET http://${at}/a?b=1`);
    expect(proxy.connections).toHaveLength(1);
  });

  test('TLS uses a kept tunnel, and the certificate is checked end to end', async () => {
    const proxy = await openProxy();
    const target = await opened.http((req, res) => res.end(`${req.url} ${req.headers.host}`), pair);
    const client = clientBy(proxy, { targets: ['mes.example', 'other.example'] });
    const at = `mes.example:${target.port}`;
    for (let call = 0; call < 3; call++)
      expect(bodyOf(await ask(client, `https://${at}`, { path: '/a?b=1', tls }))).toBe(`/a?b=1 ${at}`);
    expect(proxy.tunnels).toEqual([at]);
    expect(proxy.requests).toEqual([]);
    expect(await ask(client, `https://other.example:${target.port}`, { tls })).toMatchObject({
      kind: 'unreachable',
      text: 'the certificate of the target is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(await ask(client, `https://${at}`)).toMatchObject({ kind: 'unreachable' });
  });

  test('a call lost on a kept connection to the proxy, or in a kept tunnel, is sent once more', async () => {
    const ending = await endingTarget(opened);
    const plain = clientBy(ending);
    expect(await ask(plain, 'http://mes.example:80')).toMatchObject({ kind: 'answered', repeated: false });
    expect(await ask(plain, 'http://mes.example:80')).toMatchObject({ kind: 'answered', repeated: true });
    expect(ending.arrivals.map(({ connection }) => connection)).toEqual([0, 0, 1]);

    const proxy = await openProxy();
    const used = new Set<unknown>();
    const target = await opened.http((req, res) => {
      if (used.has(req.socket)) req.socket.destroy();
      else res.end('ok');
      used.add(req.socket);
    }, pair);
    const client = clientBy(proxy);
    const at = `mes.example:${target.port}`;
    expect(await ask(client, `https://${at}`, { tls })).toMatchObject({ kind: 'answered', repeated: false });
    expect(await ask(client, `https://${at}`, { tls })).toMatchObject({ kind: 'answered', repeated: true });
    expect(proxy.tunnels).toEqual([at, at]);
    expect(target.requests).toHaveLength(3);
  });

  test('only names on the list are called; all others directly', async () => {
    const proxy = await openProxy();
    const target = await opened.http((_req, res) => res.end('direct'));
    const allowed = [`127.0.0.1:${proxy.port}`, `127.0.0.1:${target.port}`];
    const client = clientBy(proxy, { allowed });
    expect(bodyOf(await ask(client, target.origin))).toBe('direct');
    expect(await ask(client, 'http://other.example:80')).toMatchObject({ kind: 'unreachable' });
    expect(proxy.connections).toHaveLength(0);
  });

  test('is no longer used once the setting is changed', async () => {
    const proxy = await openProxy();
    const target = await opened.http((_req, res) => res.end('ok'));
    const client = clientBy(proxy);
    await ask(client, `http://mes.example:${target.port}`);
    client.configure(settingsOf({ allowedInternalTargets: [`127.0.0.1:${proxy.port}`] }));
    expect(await ask(client, `http://mes.example:${target.port}`)).toMatchObject({ kind: 'unreachable' });
    expect(proxy.requests).toHaveLength(1);
    await until('its connections are closed', () => proxy.connections.every((socket) => socket.destroyed));
  });

  test.each(['http', 'https'])('is not used when the proxy itself is at a refused address: %s', async (scheme) => {
    const proxy = await openProxy();
    const client = clientBy(proxy, { allowed: [] });
    expect(await ask(client, `${scheme}://mes.example:80`, { tls })).toMatchObject({ kind: 'refused' });
    expect(proxy.connections).toHaveLength(0);
  });

  test('a refused IP address remains refused', async () => {
    const proxy = await openProxy();
    const client = clientBy(proxy, { targets: ['127.0.0.1', '169.254.169.254'] });
    for (const host of ['127.0.0.1', '169.254.169.254'])
      expect(await ask(client, `http://${host}:80`)).toMatchObject({ kind: 'refused' });
    expect(proxy.connections).toHaveLength(0);
  });
});

describe('a proxy that fails', () => {
  test.each([
    [
      'refuses the tunnel',
      'HTTP/1.1 403 No\r\n\r\n',
      'the proxy refused the tunnel with status 403 (ERR_PROXY_TUNNEL)',
    ],
    [
      'sends bytes ahead',
      'HTTP/1.1 200 OK\r\n\r\nhello',
      'the proxy sent bytes ahead of the tunnel (ERR_PROXY_TUNNEL)',
    ],
    ['does not speak HTTP', 'SSH-2.0\r\n', 'the proxy does not answer (HPE_INVALID_CONSTANT)'],
    [
      'never ends its head',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`,
      'the proxy does not answer (HPE_HEADER_OVERFLOW)',
    ],
  ])('and %s makes the target unreachable', async (_what, answer, text) => {
    const proxy = await opened.answering(answer);
    const result = await ask(clientBy(proxy), 'https://mes.example:443', { tls });
    expect(result).toMatchObject({ kind: 'unreachable', text });
    await until('the connection is gone', () => proxy.connections.every((socket) => socket.destroyed));
  });

  test.each(['http', 'https'])('and is missing is reported: %s', async (scheme) => {
    const proxy = await opened.raw(() => undefined);
    await proxy.close();
    expect(await ask(clientBy(proxy), `${scheme}://mes.example:443`)).toMatchObject({
      kind: 'unreachable',
      text: 'the proxy does not answer (ECONNREFUSED)',
    });
  });

  test('and opens no tunnel ends with the call, and closing the client closes its connection', async () => {
    const proxy = await opened.raw((socket) => socket.resume());
    const client = clientBy(proxy);
    expect(await ask(client, 'https://mes.example:443', { timeoutMs: 200 })).toMatchObject({ kind: 'timeout' });
    client.close();
    await until('the connection is gone', () => proxy.connections.every((socket) => socket.destroyed));
  });

  test('and opens no tunnel in 10 s times out, however long the call may take', async () => {
    const proxy = await opened.raw((socket) => socket.resume());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const call = ask(clientBy(proxy), 'https://mes.example:443', { timeoutMs: 3_600_000 });
    await until('the proxy is asked', () => (proxy.connections[0]?.bytesRead ?? 0) > 0);
    vi.advanceTimersByTime(TUNNEL_MS_MAX);
    vi.useRealTimers();
    expect(await call).toMatchObject({
      kind: 'unreachable',
      text: 'the proxy opened no tunnel in time (ERR_PROXY_TUNNEL)',
    });
  });

  test('and opens no tunnels gets only a limited number of requests at once', async () => {
    const proxy = await opened.raw((socket) => socket.resume());
    const client = clientBy(proxy);
    const calls = Array.from({ length: TUNNELS_PENDING_MAX + 1 }, () => ask(client, 'https://mes.example:443'));
    expect(await Promise.race(calls)).toMatchObject({
      kind: 'unreachable',
      text: 'too many tunnels are being opened (ERR_PROXY_TUNNEL)',
    });
    await until('the others are being opened', () => proxy.connections.length === TUNNELS_PENDING_MAX);
    client.close();
    await Promise.all(calls);
  });

  test('and becomes silent within the tunnel ends with the call', async () => {
    const proxy = await opened.raw((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket.resume();
    });
    const ends = new AbortController();
    const call = clientBy(proxy).call(callOf('https://mes.example:443'), ends.signal);
    await until('TLS has begun', () => (proxy.connections[0]?.bytesRead ?? 0) > 200);
    ends.abort();
    expect(await call).toMatchObject({ kind: 'cancelled' });
    await until('the connection is gone', () => proxy.connections.every((socket) => socket.destroyed));
  });

  test('and requires a user is not mistaken for the target', async () => {
    const proxy = await opened.http((_req, res) => res.writeHead(407).end());
    expect(await ask(clientBy(proxy), 'http://mes.example:80')).toMatchObject({
      kind: 'unreachable',
      text: 'the proxy asks for a user and password, which Sluice does not send (407)',
    });
  });
});

describe('names on the list', () => {
  const choice = new ProxyChoice('http://proxy.example:3128', ['MES.example', '*.Plant.example']);
  test.each([
    ['mes.example', true],
    ['a.mes.example', false],
    ['xmes.example', false],
    ['a.plant.example', true],
    ['a.b.plant.example', true],
    ['plant.example', false],
    ['xplant.example', false],
  ])('%s: %s', (host, listed) => {
    expect(choice.for(host)).toEqual(listed ? expect.objectContaining({ host: 'proxy.example', port: 3128 }) : null);
  });

  test('have no effect without a proxy', () => {
    expect(new ProxyChoice(null, ['mes.example']).for('mes.example')).toBeNull();
  });
});
