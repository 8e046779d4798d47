import { describe, expect, test } from 'vitest';
import { type EgressOutcome, NodeError } from '#sdk';
import { faultsOf, messageOf, nodeOf, testEgress, testRun } from '#sdk/testing.ts';
import { restApi } from './index.ts';

const BASE = { mode: 'egress', url: 'http://MES.example/orders', method: 'POST', staticHeaders: {}, timeout: 5 };
const TAKEN: EgressOutcome = { kind: 'answered', status: 200, headers: { 'x-a': '1' }, body: { ok: true } };
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** The call that a node with these settings sent for a payload, and its result. */
async function call(settings: object, payload: unknown, outcome = TAKEN, run = testRun()) {
  const egress = testEgress(() => outcome);
  const node = await nodeOf(restApi, { ...BASE, ...settings }, egress);
  const left = await node.run(messageOf(payload), run);
  await node.close?.();
  return { egress, sent: egress.sent[0], port: left?.port, payload: left?.message.payload };
}

const pathFor = async (url: string, payload: unknown) => (await call({ url: `http://mes${url}` }, payload)).sent?.path;

describe('the settings of an egress', () => {
  test.each(['url', 'method', 'staticHeaders', 'timeout'])('have no default for %s', (field) => {
    const { [field]: _, ...rest } = BASE as Record<string, unknown>;
    expect(faultsOf(restApi, rest)).toEqual([expect.stringMatching(`^${field}: expected`)]);
  });

  test('are covered by store-and-forward and sent in the order of the target by default', () => {
    expect(restApi.settings.parse(BASE)).toEqual({ ...BASE, storeAndForward: true, orderingKey: null, tls: null });
  });

  test.each([
    ['a host with a place', { url: 'http://{{payload.host}}/a' }, /^url: .*host and port literal/],
    ['a line break in the path', { url: 'http://mes/a\r\nX: y' }, /^url: /],
    ['an unpaired surrogate', { url: 'http://mes/\ud800' }, /^url: /],
    ['a placeholder that is not a path', { url: 'http://mes/{{payload..a}}' }, /^url: expected a path/],
    ['an ordering key that is not a template', { orderingKey: '{{.}}' }, /^orderingKey: expected a path/],
    ['a header that is only set', { staticHeaders: { A: { set: true } } }, /^staticHeaders.A: .*put it in again/],
    ['a header that was cleared', { staticHeaders: { A: null } }, /^staticHeaders.A: .*put it in again/],
  ])('are refused with %s', (_what, more, says) => {
    expect(faultsOf(restApi, { ...BASE, ...more })).toEqual([expect.stringMatching(says)]);
  });

  test('require the key of a certificate at start', () => {
    const tls = { certificate: '-----BEGIN CERTIFICATE-----' };
    const secure = { ...BASE, url: 'https://mes' };
    expect(faultsOf(restApi, { ...secure, tls })).toEqual([expect.stringMatching(/^tls.key: .*put it in again/)]);
    expect(faultsOf(restApi, { ...secure, tls: { ...tls, key: '-----BEGIN PRIVATE KEY-----' } })).toEqual([]);
    expect(faultsOf(restApi, { ...secure, tls: { key: '-----BEGIN PRIVATE KEY-----' } })).toEqual([
      expect.stringMatching(/^tls.certificate: expected the certificate/),
    ]);
  });
});

describe('an egress node', () => {
  test('opens its target once, with the settings of its author, and closes it together with itself', async () => {
    const { egress } = await call({ staticHeaders: { 'X-Line': '7' }, storeAndForward: false }, {});
    const endpoint = { origin: 'http://mes.example:80', method: 'POST', headers: { 'X-Line': '7' }, timeoutSeconds: 5 };
    expect(egress.opened).toEqual([{ ...endpoint, tls: null, storeAndForward: false }]);
    expect(egress.closed).toBe(1);
  });

  test('sends payload.body of any type, or no body if there is none', async () => {
    const bytes = new Uint8Array([1, 2]);
    for (const body of [{ a: 1 }, 'text', bytes, 0, false, null])
      expect((await call({}, { body })).sent?.body).toEqual(body);
    expect((await call({}, {})).sent?.body).toBe(null);
    expect((await call({}, Object.create({ body: 'of a prototype' }))).sent?.body).toBe(null);
  });

  test('keeps every field of the payload except those of the response', async () => {
    const before = { body: 1, params: { id: '7' }, headers: { a: 'b' }, mine: true };
    const response = await call({}, before);
    expect([response.port, response.payload]).toEqual([
      'response',
      { params: { id: '7' }, mine: true, status: 200, headers: { 'x-a': '1' }, body: { ok: true } },
    ]);
    const queued = await call({}, before, { kind: 'queued', eventId: 'e1' });
    expect([queued.port, queued.payload]).toEqual([
      'queued',
      { params: { id: '7' }, headers: { a: 'b' }, mine: true, status: 202, body: { eventId: 'e1' } },
    ]);
    expect(before).toEqual({ body: 1, params: { id: '7' }, headers: { a: 'b' }, mine: true });
  });

  test.each([['text'], [7], [null], [[1]], [new Uint8Array([1])]])(
    'treats the payload %j as empty',
    async (payload) => {
      expect((await call({}, payload)).payload).toEqual({ status: 200, headers: { 'x-a': '1' }, body: { ok: true } });
    },
  );

  test('fails with the error code of the call', async () => {
    const egress = testEgress(() => {
      throw new NodeError('dead_letter', 'refused');
    });
    const node = await nodeOf(restApi, BASE, egress);
    await expect(node.run(messageOf({}), testRun())).rejects.toMatchObject({ code: 'dead_letter' });
  });

  test('passes on the trace of the caller with a separate parent ID for each call, and nothing without a trace', async () => {
    const traced = { ...testRun(), traceparent: TRACE };
    const sent = [await call({}, {}, TAKEN, traced), await call({}, {}, TAKEN, traced)].map((one) => one.sent);
    const [first, second] = sent.map((one) => one?.traceparent ?? '');
    expect(first).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(new Set([first, second, TRACE]).size).toBe(3);
    expect((await call({}, {})).sent?.traceparent).toBe(null);
  });
});

describe('path and query', () => {
  test.each([
    ['stay as they were written', '/a%2Fb/~x;y=1/?q=%20&r=+', {}, '/a%2Fb/~x;y=1/?q=%20&r=+'],
    ['are / where the URL has none', '', {}, '/'],
    ['may be a query alone', '?a={{payload.a}}', { a: 'x y' }, '/?a=x%20y'],
    ['encode characters outside ASCII as UTF-8', '/Füller 7/😀?ß=|', {}, '/F%C3%BCller%207/%F0%9F%98%80?%C3%9F=%7C'],
    ['have braces that hold no path as text', '/{{}}', {}, '/%7B%7B%7D%7D'],
    [
      'keep a value in its segment',
      '/o/{{payload.id}}/x',
      { id: '../a/b?c=d#e&f%2F\r\n' },
      '/o/..%2Fa%2Fb%3Fc%3Dd%23e%26f%252F%0D%0A/x',
    ],
    ['keep a value in its parameter', '/?a={{payload.a}}&b=1', { a: 'x&b=2=+%' }, '/?a=x%26b%3D2%3D%2B%25&b=1'],
    ['take objects as JSON', '/?f={{payload.f}}', { f: { a: [1] } }, '/?f=%7B%22a%22%3A%5B1%5D%7D'],
    ['take numbers and truths', '/{{payload.n}}-{{payload.t}}', { n: 0, t: false }, '/0-false'],
    ['have nothing in the query where nothing is', '/?a={{payload.none}}', {}, '/?a='],
    ['may have an empty placeholder beside a string', '/a{{payload.none}}/b', {}, '/a/b'],
    ['may have dots among other characters', '/{{payload.v}}/...', { v: 'v1.2..3' }, '/v1.2..3/...'],
    ['take a question mark in the name of a field', '/{{payload.a?b}}', { 'a?b': 'x' }, '/x'],
  ])('%s', async (_what, url, payload, path) => {
    expect(await pathFor(url, payload)).toBe(path);
  });

  test.each([
    ['an empty segment', '/orders/{{payload.id}}', {}, /came out empty/],
    ['an empty segment that would begin another host', '/{{payload.id}}/evil.example/', {}, /came out empty/],
    ['a dot', '/o/{{payload.a}}', { a: '.' }, /came out as "\."/],
    ['two dots', '/o/{{payload.a}}/x', { a: '..' }, /came out as "\.\."/],
    ['two dots of two values', '/o/{{payload.a}}{{payload.a}}', { a: '.' }, /came out as "\.\."/],
    ['a dot beside an author’s', '/o/.{{payload.a}}', { a: '.' }, /came out as "\.\."/],
    ['a dot beside an author’s escape', '/o/%2E{{payload.a}}', { a: '.' }, /came out as "\.\."/],
    ['a value that is too long', '/{{payload.a}}', { a: 'x'.repeat(4097) }, /a value has 4097 characters/],
    ['values that are too long together', '/{{payload.a}}{{payload.a}}', { a: 'x'.repeat(2048) }, /4097 bytes/],
    ['an unpaired surrogate', '/{{payload.a}}', { a: '\udc00' }, /half a character/],
    ['a value without a JSON form', '/{{payload.a}}', { a: 7n }, /BigInt/],
  ])('are refused with %s, and nothing is sent', async (_what, url, payload, says) => {
    const egress = testEgress(() => TAKEN);
    const node = await nodeOf(restApi, { ...BASE, url: `http://mes${url}` }, egress);
    const failure: unknown = await Promise.resolve(node.run(messageOf(payload), testRun())).catch((error) => error);
    expect(failure).toMatchObject({ code: 'call_invalid', message: expect.stringMatching(says) });
    expect(failure).toMatchObject({ message: expect.stringMatching(/^the setting "url": /) });
    expect(egress.sent).toEqual([]);
  });
});

describe('the ordering key', () => {
  const keyFor = async (orderingKey: string | null, payload: unknown) =>
    (await call({ orderingKey }, payload)).sent?.orderingKey;

  test('is filled in as text; an empty value is omitted', async () => {
    expect(await keyFor('line {{payload.line}}', { line: 7 })).toBe('line 7');
    expect(await keyFor('{{payload.line}}', {})).toBe(null);
    expect(await keyFor(null, {})).toBe(null);
  });

  test('of more than 1,024 characters is refused', async () => {
    expect(await keyFor('{{payload.k}}', { k: 'x'.repeat(1024) })).toHaveLength(1024);
    await expect(keyFor('{{payload.k}}', { k: 'x'.repeat(1025) })).rejects.toMatchObject({
      code: 'call_invalid',
      message: expect.stringMatching(/^the setting "orderingKey": .*at most 1024/),
    });
  });
});
