import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { call, openRaw } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';
import { heldBytes } from '#test/upload.ts';

const OPEN = { authType: 'none' };
const ORIGIN = 'http://hmi.example';
const UNKNOWN_KEY_LIKE = 'slc_abcdefghijkl_SECRETSECRETSECRET';
const MIB = 1024 * 1024;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    pipelines: [
      routePipeline({ id: 'slow', path: '/slow', route: OPEN, middle: [{ kind: 'delay', settings: { seconds: 2 } }] }),
      routePipeline({ id: 'quick', method: '*', path: '/quick', route: OPEN, ...fixedReply('ok') }),
      routePipeline({ id: 'takes', method: 'POST', path: '/takes', route: { ...OPEN, timeout: 60 } }),
      routePipeline({
        id: 'page',
        method: 'POST',
        path: '/page',
        route: { ...OPEN, corsEnabled: true, allowedOrigins: [ORIGIN] },
        ...fixedReply('ok'),
      }),
      routePipeline({
        id: 'elsewhere',
        path: '/elsewhere',
        route: { ...OPEN, corsEnabled: true, allowedOrigins: [ORIGIN], allowedIps: ['10.0.0.0/8'] },
        ...fixedReply('ok'),
      }),
      ...['text/xml', 'application/atom+xml; charset=utf-8', 'image/svg+xml', 'text/html'].map((type, index) =>
        routePipeline({
          id: `xml-${index}`,
          path: `/xml/${index}`,
          route: OPEN,
          middle: [],
          reply: { body: '<a/>', headers: { 'Content-Type': type } },
        }),
      ),
    ],
  });
});

afterAll(() => gateway.stop());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('data that is sent ahead is not read', () => {
  test('requests pipelined after a running one are not read from the socket', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(get('/slow'));
    connection.send(get('/quick').repeat(6000));
    // If they were read ahead, beyond the gateway's limit, the last of them would be refused (and cost a kilobyte each
    // meanwhile).
    for (let i = 0; i < 6001; i++) expect((await connection.next()).status).toBe(200);
  });

  test('a pipelined request whose body arrives later is still read to its end', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(`${get('/slow')}POST /takes HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\na`);
    expect((await connection.next()).status).toBe(200);
    connection.send(`bcd${get('/quick')}`);
    expect((await connection.next()).status).toBe(200);
    expect((await connection.next()).text()).toBe('ok');
  });

  test('the body of a preflight request is not read before a key is required: the reply closes the connection', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(
      `OPTIONS /page HTTP/1.1\r\nHost: a\r\nOrigin: ${ORIGIN}\r\nAccess-Control-Request-Method: POST\r\n` +
        'Content-Length: 100000000\r\n\r\n',
    );
    const answer = await connection.next();
    expect(answer.status).toBe(204);
    expect(answer.header('connection')).toBe('close');
    await connection.closed(2000);
  });
});

test('a body sent byte by byte uses no more memory than a few times its size', { timeout: 60_000 }, async () => {
  await using connection = await openRaw(gateway.port);
  const before = (await heldBytes(gateway.pid)) ?? 0;
  connection.send('POST /takes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  connection.send('1\r\nx\r\n'.repeat(900_000));
  await until('the body is held', async () => (await gateway.call('stats', {})).bodyBytes === 900_000, {
    timeoutMs: 20_000,
  });
  // Kept unchanged, it would need 150 bytes for each chunk; Node's temporary objects are removed by the next
  // collections.
  await until('no more is held', async () => ((await heldBytes(gateway.pid)) ?? 0) - before < 60 * MIB, {
    timeoutMs: 40_000,
  });
  connection.send('0\r\n\r\n');
  const answer = await connection.next();
  expect(answer.status).toBe(200);
});

test('chunks of a body, small and large in any order, are joined as they arrived', async () => {
  await using connection = await openRaw(gateway.port);
  const sizes = [1, 1, 2000, 1, 1023, 1024, 1025, ...Array<number>(40).fill(900), 5000, 3];
  const pieces = sizes.map((size, index) => String.fromCharCode(65 + (index % 26)).repeat(size));
  connection.send('POST /takes HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (const piece of pieces) connection.send(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  connection.send('0\r\n\r\n');
  expect((await connection.next()).text()).toContain(pieces.join(''));
});

test('every reply after the match carries the CORS headers, also the reply to a wrong address', async () => {
  const answer = await call(gateway.port, { path: '/elsewhere', headers: { Origin: ORIGIN } });
  expectRefusal(answer, 'ip_not_allowed');
  expect(answer.header('access-control-allow-origin')).toBe(ORIGIN);
});

test('text that looks like a key in an unknown path is masked everywhere the refusal is stored', async () => {
  expectRefusal(await call(gateway.port, { path: `/none/${UNKNOWN_KEY_LIKE}` }), 'not_found');
  const ring = await readFile(`${gateway.dataDir}/journal/gateway/refusals.ring`, 'latin1');
  expect(ring).toContain('/none/slc_abcdefghijkl_');
  expect(ring).not.toContain('SECRETSECRET');
});

test.for([0, 1, 2, 3])('markup that a browser could run is sandboxed (%i)', async (index) => {
  const answer = await call(gateway.port, { path: `/xml/${index}` });
  expect(answer.header('content-security-policy')).toBe('sandbox');
});
