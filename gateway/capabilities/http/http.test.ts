import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallInput } from '#common/capabilities/calls.ts';
import { NodeError } from '#sdk';
import { TargetGuard } from '#net/target-guard.ts';
import { Door } from '../door.ts';
import { grantsPrincipal } from '../principal.ts';
import { ANSWER_BYTES_MAX, createHttp } from './http.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

function ask(
  target: string,
  args: CallInput<'http.request'>,
  { allowed = [target], targets = [target] }: { allowed?: string[]; targets?: string[] } = {},
): Promise<unknown> {
  const door = new Door([createHttp(new TargetGuard(allowed))]);
  const context = {
    project: 'p',
    pipeline: 'a',
    node: 'n',
    principal: grantsPrincipal(0),
    signal: new AbortController().signal,
    remainingMs: () => 10_000,
    depth: 0,
    hops: 0,
    log: () => undefined,
    plugin: { id: 'acme', targets },
  };
  return door.call(context, 'http.request', args);
}
const code = (error: unknown): unknown => (error instanceof NodeError ? error.code : error);

describe('a plugin’s request', () => {
  test('goes to its target and gives status, headers and the decoded body', async () => {
    const target = await serve((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const seen = { method: req.method, url: req.url, host: req.headers.host, trace: req.headers['x-trace'] };
        res.writeHead(201, { 'content-type': 'application/json' });
        res.end(JSON.stringify({ ...seen, body: Buffer.concat(chunks).toString() }));
      });
    });
    const args = {
      url: `http://${target}/a?b=1`,
      method: 'POST' as const,
      headers: { 'X-Trace': '7' },
      body: { id: 1 },
    };
    expect(await ask(target, args)).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: { method: 'POST', url: '/a?b=1', host: target, trace: '7', body: '{"id":1}' },
    });
  });

  test('does not follow a redirect', async () => {
    const target = await serve((_req, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await ask(target, { url: `http://${target}/` })).toMatchObject({ status: 302, body: null });
  });

  test.each([
    ['a target that was not approved', 'http://127.0.0.1:9/', 'target_refused'],
    ['the approved host at another port', 'http://TARGETHOST:1/', 'target_refused'],
    ['a user in front of the host', 'http://me:pw@TARGET/', 'call_invalid'],
    ['another scheme', 'file:///etc/passwd', 'call_invalid'],
    ['no URL', 'TARGET', 'call_invalid'],
  ])('to %s is refused', async (_what, url, expected) => {
    const target = await serve((_req, res) => res.end('reached'));
    const wanted = url.replace('TARGETHOST', '127.0.0.1').replace('TARGET', target);
    expect(await ask(target, { url: wanted }).catch(code)).toBe(expected);
  });

  test('to this machine needs the internal target allowed as well', async () => {
    const target = await serve((_req, res) => res.end('reached'));
    expect(await ask(target, { url: `http://${target}/` }, { allowed: [] }).catch(code)).toBe('target_refused');
  });

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'Connection'])('may not set %s', async (name) => {
    const target = await serve((_req, res) => res.end());
    const told = ask(target, { url: `http://${target}/`, headers: { [name]: 'x' } }).catch(code);
    expect(await told).toBe('call_invalid');
  });

  test('ends at its time limit, and when the answer is too large', async () => {
    const target = await serve((req, res) => {
      if (req.url === '/slow') return;
      res.write(Buffer.alloc(ANSWER_BYTES_MAX));
      res.end('more');
    });
    expect(await ask(target, { url: `http://${target}/slow`, timeout: 0.1 }).catch(code)).toBe('http_failed');
    await expect(ask(target, { url: `http://${target}/large` })).rejects.toThrow('larger than');
  });
});
