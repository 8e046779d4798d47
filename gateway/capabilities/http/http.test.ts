import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallInput } from '#common/capabilities/calls.ts';
import { NodeError } from '#sdk';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import { until } from '#test/until.ts';
import { callContext } from '../call-context.testing.ts';
import { CapabilityBroker } from '../capability-broker.ts';
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
  more: { allowed?: string[]; targets?: string[]; guard?: TargetGuard } = {},
): Promise<unknown> {
  const { allowed = [target], targets = [target], guard = new TargetGuard(allowed) } = more;
  const door = new CapabilityBroker([createHttp(guard)]);
  const context = callContext({
    principal: grantsPrincipal(0),
    remainingMs: () => 10_000,
    plugin: { id: 'acme', targets },
  });
  return door.call(context, 'http.request', args);
}
const code = (error: unknown): unknown => (error instanceof NodeError ? error.code : error);
const SECRET = 'correct-horse-battery';

async function failureOf(asked: Promise<unknown>): Promise<Error> {
  const answer = await asked.catch((error: unknown) => error);
  if (answer instanceof Error) return answer;
  throw new Error('it did not fail');
}

describe('a request of a plugin', () => {
  test('ends when its target is removed from the list', async () => {
    let arrived = 0;
    const target = await serve(() => void (arrived += 1));
    const guard = new TargetGuard([target]);
    const asked = ask(target, { url: `http://${target}/`, timeout: 30 }, { guard });
    await until('it is under way', () => arrived === 1);
    guard.configure([]);
    expect(code(await failureOf(asked))).toBe('target_refused');
  });

  test('reaches its target and returns status, headers and the decoded body', async () => {
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

  test('to this machine also needs the internal target to be allowed', async () => {
    const target = await serve((_req, res) => res.end('reached'));
    expect(await ask(target, { url: `http://${target}/` }, { allowed: [] }).catch(code)).toBe('target_refused');
  });

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'Connection'])('may not set %s', async (name) => {
    const target = await serve((_req, res) => res.end());
    const told = ask(target, { url: `http://${target}/`, headers: { [name]: 'x' } }).catch(code);
    expect(await told).toBe('call_invalid');
  });

  /** Query, header values and body may contain secrets. */
  const secretly = (url: string, more: object = {}): CallInput<'http.request'> => ({
    url: `${url}?token=${SECRET}`,
    method: 'POST',
    headers: { Authorization: `Bearer ${SECRET}` },
    body: { password: SECRET },
    ...more,
  });

  test.each([
    { what: 'no answer in time', path: '/slow', more: { timeout: 0.1 }, code: 'target_timeout', text: 'within 0.1 s' },
    {
      what: 'half an answer in time',
      path: '/stuck',
      more: { timeout: 0.3 },
      code: 'target_timeout',
      text: 'within 0.3 s',
    },
    { what: 'too large an answer', path: '/large', code: 'answer_too_large', text: `${ANSWER_BYTES_MAX} bytes` },
    {
      what: 'an answer that is cut off',
      path: '/cut',
      code: 'target_unreachable',
      text: 'before the answer was whole',
    },
    { what: 'not HTTP', path: '/noise', code: 'target_unreachable', text: 'not HTTP' },
  ])('with $what fails with $code, names the target and reveals no secret', async ({ path, more, code, text }) => {
    const target = await serve((req, res) => {
      if (req.url?.startsWith('/large') === true) res.end(Buffer.alloc(ANSWER_BYTES_MAX + 1));
      if (req.url?.startsWith('/stuck') === true) res.write('half');
      if (req.url?.startsWith('/cut') === true)
        res.writeHead(200, { 'content-length': '9' }).write('half', () => req.socket.destroy());
      if (req.url?.startsWith('/noise') === true) req.socket.end(`${SECRET}\r\n\r\n`);
    });
    const error = await failureOf(ask(target, secretly(`http://${target}${path}`, more)));
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
    expect(error.message).toContain(`http://${target}: `);
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
  });

  test('to a port without a listener or without TLS fails with target_unreachable and says which', async () => {
    const closed = `127.0.0.1:${await freePort()}`;
    const refused = await failureOf(ask(closed, secretly(`http://${closed}/`)));
    expect(refused).toMatchObject({
      code: 'target_unreachable',
      message: `http://${closed}: the connection was refused (ECONNREFUSED)`,
    });
    const plain = await serve((_req, res) => res.end());
    const noTls = await failureOf(ask(plain, secretly(`https://${plain}/`)));
    expect(noTls).toMatchObject({ code: 'target_unreachable', message: expect.stringContaining('does not speak TLS') });
    expect(inspect([refused, noTls], { depth: 10 })).not.toContain(SECRET);
  });

  test.each([
    [{ 'X-Token': `${SECRET}\n` }, '"x-token" holds characters that cannot be sent'],
    [{ [`Authorization: ${SECRET}`]: 'x' }, 'a name holds characters that cannot be sent'],
  ])('with a header that cannot be sent is refused without its text', async (headers, says) => {
    const target = await serve((_req, res) => res.end());
    const error = await failureOf(ask(target, { url: `http://${target}/`, headers: { ...headers } }));
    expect(error).toMatchObject({ code: 'call_invalid', message: `http.request: headers: ${says}` });
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
  });
});
