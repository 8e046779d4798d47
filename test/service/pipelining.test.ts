import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, unknownKey } from '#test/make-key.ts';
import { openRaw, rawRequest, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { whatRan } from '#test/what-ran.ts';
import { until } from '#test/until.ts';

/** Connections (docs/spec/requests.md#connections): each serves one request at a time, and nothing after a refusal. */
const key = makeKey();
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      routePipeline({ id: 'echo', method: '*', path: '/echo/:n' }),
      routePipeline({
        id: 'slow',
        method: '*',
        path: '/slow/:n',
        middle: [{ kind: 'delay', settings: { seconds: 0.2 } }],
        reply: { body: 'slow' },
      }),
      routePipeline({
        id: 'held',
        path: '/held/:n',
        middle: [{ kind: 'delay', settings: { seconds: 3 } }],
        reply: { body: 'slow' },
      }),
      routePipeline({
        id: 'long',
        method: 'GET',
        path: '/long',
        middle: [{ kind: 'delay', settings: { seconds: 3600 } }],
        route: { timeout: 0.3 },
      }),
      routePipeline({ id: 'big', path: '/big', ...fixedReply('x'.repeat(200_000)) }),
    ],
  });
});
afterAll(() => gateway?.stop());

const get = (path: string, value = key.value) => requestBytes({ path, key: value });
/**
 * An exchange ends a little after its caller has the response: one of an earlier test could be mistaken for this test's
 * own.
 */
const nothingInFlight = () =>
  until('nothing is in flight', async () => (await gateway.call('stats', {})).inFlight === 0);
const params = (response: { json(): unknown }) => (response.json() as { params: { n: string } }).params.n;

test('pipelined requests are answered in order, each with its own reply', async () => {
  const bytes = Buffer.concat(Array.from({ length: 50 }, (_, n) => get(`/echo/${n}`)));
  const { responses } = await rawRequest(gateway.port, bytes, { responses: 50 });
  expect(responses.map(params)).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  expect(new Set(responses.map((response) => response.header('x-request-id'))).size).toBe(50);
});

test('bodies of pipelined requests are kept apart', async () => {
  const post = (n: number, body: string) =>
    requestBytes({
      method: 'POST',
      path: `/echo/${n}`,
      key: key.value,
      body,
      headers: { 'Content-Type': 'text/plain' },
    });
  const chunked = requestBytes({
    method: 'POST',
    path: '/echo/3',
    key: key.value,
    body: '5\r\nthree\r\n0\r\n\r\n',
    headers: { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' },
  });
  const bytes = Buffer.concat([post(1, 'GET /echo/9 HTTP/1.1\r\n\r\n'), post(2, 'two'), chunked, get('/echo/4')]);
  const { responses } = await rawRequest(gateway.port, bytes, { responses: 4 });
  expect(responses.map((response) => (response.json() as { body: unknown }).body)).toEqual([
    'GET /echo/9 HTTP/1.1\r\n\r\n',
    'two',
    'three',
    null,
  ]);
});

test('the next request is not matched before the reply to the previous one is handed over', async () => {
  const before = await whatRan(gateway, 'slow');
  await using connection = await openRaw(gateway.port);
  connection.send(Buffer.concat([get('/slow/1'), get('/slow/2'), get('/slow/3')]));
  let lastAtMs = 0;
  for (let n = 0; n < 3; n++) lastAtMs = (await connection.next()).atMs;
  // One at a time, each run takes 0.2 s: in parallel all would have ended after 0.2 s.
  expect(lastAtMs).toBeGreaterThan(550);
  expect((await whatRan(gateway, 'slow')).uses).toBe(before.uses + 3);
});

test.each([
  ['at once', [get('/echo/1')]],
  ['after a while', [get('/slow/1')]],
  ['each of those that it has pipelined', [get('/slow/1'), get('/echo/2')]],
])(
  'a caller that half-closes after its request is answered %s, then the connection closes',
  async (_when, requests) => {
    await using connection = await openRaw(gateway.port);
    connection.socket.allowHalfOpen = true;
    connection.send(Buffer.concat(requests));
    connection.socket.end();
    for (const _ of requests) expect((await connection.next()).status).toBe(200);
    expect(await connection.closed()).toMatchObject({ how: 'end' });
  },
);

test('a key that is revoked while the first of two pipelined requests runs is refused for the second', async () => {
  const late = makeKey();
  await gateway.change({ kind: 'key', key: late.entry });
  await using connection = await openRaw(gateway.port);
  const before = (await whatRan(gateway, 'held')).uses;
  connection.send(Buffer.concat([get('/held/1', late.value), get('/held/2', late.value)]));
  // While its use is being recorded, a revocation still stops it, as it should: the row shows that this has passed.
  await until('the first runs', async () => (await whatRan(gateway, 'held')).uses > before);
  for (let turn = 0; turn < 5; turn++) await gateway.call('stats', {});
  await gateway.change({ kind: 'key-revoked', keyId: late.entry.id });
  expect((await connection.next()).text()).toBe('slow');
  expectRefusal(await connection.next(), 'key_invalid');
});

describe('nothing is dispatched after a refusal', () => {
  test.each([
    ['an unknown key', () => get('/echo/1', unknownKey()), 'key_invalid'],
    ['a path that nothing answers', () => get('/nothing'), 'not_found'],
    [
      'a body too large',
      () => requestBytes({ method: 'POST', path: '/echo/1', key: key.value, body: Buffer.alloc(1_100_000) }),
      'payload_too_large',
    ],
    [
      'a body that is no JSON',
      () =>
        requestBytes({
          method: 'POST',
          path: '/echo/1',
          key: key.value,
          body: '{',
          headers: { 'Content-Type': 'application/json' },
        }),
      'body_invalid',
    ],
    ['a timeout', () => get('/long'), 'route_timeout'],
    [
      'a header with an underscore',
      () => requestBytes({ path: '/echo/1', key: key.value, headers: { X_A: '1' } }),
      'bad_request',
    ],
  ] as const)('%s', async (_name, bad, code) => {
    const before = await whatRan(gateway, 'echo');
    const bytes = Buffer.concat([bad(), get('/echo/2'), get('/echo/3')]);
    const { responses } = await rawRequest(gateway.port, bytes);
    expect(responses).toHaveLength(1);
    expectRefusal(responses[0], code);
    expect(await whatRan(gateway, 'echo')).toEqual(before);
  });

  test('requests before the refused one are answered', async () => {
    const bytes = Buffer.concat([get('/echo/1'), get('/echo/2'), get('/nothing'), get('/echo/3')]);
    const { responses } = await rawRequest(gateway.port, bytes);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404]);
  });

  test('garbage after a valid request is refused, and the valid request is answered', async () => {
    const before = await whatRan(gateway, 'echo');
    const bytes = Buffer.concat([get('/echo/1'), Buffer.from('\x00\x01garbage\r\n\r\n'), get('/echo/2')]);
    const { responses } = await rawRequest(gateway.port, bytes);
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
    expect((await whatRan(gateway, 'echo')).uses).toBe(before.uses + 1);
  });

  test('garbage after a slow request waits for the reply to that request', async () => {
    const bytes = Buffer.concat([get('/slow/1'), Buffer.from('garbage\r\n\r\n')]);
    const { responses } = await rawRequest(gateway.port, bytes);
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe('the connection', () => {
  test('stays open after a reply, and Connection: close closes it', async () => {
    await using connection = await openRaw(gateway.port);
    connection.send(get('/echo/1'));
    expect((await connection.next()).header('connection')?.toLowerCase()).not.toBe('close');
    connection.send(requestBytes({ path: '/echo/2', key: key.value, headers: { Connection: 'close' } }));
    expect(params(await connection.next())).toBe('2');
    expect((await connection.closed()).how).toBe('end');
  });

  test('is closed after the reply to an HTTP/1.0 request', async () => {
    const { responses, closed } = await rawRequest(
      gateway.port,
      `GET /echo/1 HTTP/1.0\r\nX-API-Key: ${key.value}\r\n\r\n`,
    );
    expect([responses.length, responses[0]?.status, closed?.how]).toEqual([1, 200, 'end']);
  });

  test(
    'many requests pipelined by a caller that does not read are held back, and all are answered once it reads',
    { timeout: 30_000 },
    async () => {
      await using connection = await openRaw(gateway.port);
      connection.socket.pause();
      const count = 60;
      connection.send(Buffer.concat(Array.from({ length: count }, () => get('/big'))));
      await until('the gateway waits for the reader', async () => {
        const before = (await whatRan(gateway, 'big')).uses;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return before > 0 && (await whatRan(gateway, 'big')).uses === before;
      });
      expect((await whatRan(gateway, 'big')).uses).toBeLessThan(count);
      connection.socket.resume();
      for (let n = 0; n < count; n++) expect((await connection.next()).status).toBe(200);
    },
  );

  test('a caller that disconnects during a run leaves nothing behind', async () => {
    await using connection = await openRaw(gateway.port);
    await nothingInFlight();
    connection.send(get('/slow/1'));
    await until('it runs', async () => (await gateway.call('stats', {})).inFlight > 0);
    connection.socket.destroy();
    await nothingInFlight();
  });
});
