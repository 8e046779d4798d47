import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';

/** The form in which path, query and headers reach the pipeline (docs/spec/requests.md#message). */
const key = makeKey({ name: 'MES line 7', scopes: ['db:write', 'tag:read'] });
let gateway: TestGateway;

interface Seen {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  headers: Record<string, string>;
  request: Record<string, string>;
  caller: Record<string, unknown> | null;
}

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      routePipeline({ id: 'one', path: '/one/:id', route: { headerWhitelist: 'X-Trace, accept, Cookie' } }),
      routePipeline({ id: 'two', path: '/two/:a/:b' }),
      routePipeline({ id: 'proto', path: '/proto/:__proto__/:constructor' }),
      routePipeline({ id: 'post', method: 'POST', path: '/post' }),
      routePipeline({ id: 'open', path: '/open', route: { authType: 'none' } }),
    ],
  });
});
afterAll(() => gateway?.stop());

async function see(path: string, headers: Record<string, string> = {}): Promise<Seen> {
  const response = await call(gateway.port, { path, key: key.value, headers });
  expect(response.status).toBe(200);
  return response.json() as Seen;
}

test.each([
  ['/one/42', '42'],
  ['/one/a%20b', 'a b'],
  ['/one/a+b', 'a+b'],
  ['/one/a%2Fb', 'a/b'],
  ['/one/a%2fb', 'a/b'],
  ['/one/%C3%A4', 'ä'],
  ['/one/%F0%9F%94%A7', '🔧'],
  ['/one/%2e%2e', '..'],
  ['/one/..', '..'],
  ['/one/%00', '\0'],
  // Decoded only once: the result may look like an escape.
  ['/one/%2541', '%41'],
  ['/one/%253Fx', '%3Fx'],
  ['/one/a;v=1', 'a;v=1'],
  ["/one/!$&'()*,=:@~", "!$&'()*,=:@~"],
])('the parameter in %s decodes to %j', async (path, id) => {
  expect((await see(path)).params).toEqual({ id });
});

test('two parameters are kept apart', async () => {
  expect((await see('/two/x%2Fy/z')).params).toEqual({ a: 'x/y', b: 'z' });
});

test('parameters named like members of a prototype are plain values', async () => {
  const { params } = await see('/proto/x/y');
  expect(Object.entries(params).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test.each<[string, Record<string, string | string[]>]>([
  ['', {}],
  ['?', {}],
  ['?a=1', { a: '1' }],
  ['?a=1&b=2', { a: '1', b: '2' }],
  ['?a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['?a', { a: '' }],
  ['?a=', { a: '' }],
  ['?=1', { '': '1' }],
  ['?a=b=c', { a: 'b=c' }],
  ['?a=x+y', { a: 'x y' }],
  ['?a=x%2By', { a: 'x+y' }],
  ['?a%20b=1', { 'a b': '1' }],
  ['?a=%C3%A4', { a: 'ä' }],
  ['?a=%26%3D', { a: '&=' }],
  ['?&&a=1&', { a: '1' }],
  ['?a=1;b=2', { a: '1;b=2' }],
  ['?a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
  ['?a=/?x', { a: '/?x' }],
])('the query %s is parsed as %j', async (query, expected) => {
  expect((await see(`/one/x${query}`)).query).toEqual(expected);
});

test('query names like members of a prototype are plain values', async () => {
  const { query } = await see('/one/x?constructor=2&toString=4');
  expect(Object.entries(query).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    ['constructor', '2'],
    ['toString', '4'],
  ]);
});

describe('headers', () => {
  test('only allowed headers are visible, in lower case, and a key never is', async () => {
    const { headers } = await see('/one/x', {
      'X-TRACE': 'a1',
      Accept: '*/*',
      Authorization: 'Basic eA==',
      Cookie: 's=1',
      'X-Other': 'b',
    });
    expect(headers).toEqual({ 'x-trace': 'a1', accept: '*/*', cookie: 's=1' });
  });

  test('the session cookie of an admin UI on this host is never visible, however it is spelled', async () => {
    const session = 'sluice_session_8091=AAAAAAAAAAAAAAAAAAAAAAAA';
    const seen = async (cookie: string) => (await see('/one/x', { Cookie: cookie })).headers;
    expect(await seen(`a=1; ${session}; b=2`)).toEqual({ cookie: 'a=1; b=2' });
    expect(await seen(session)).toEqual({});
    for (const odd of [
      `a=1;${session}`,
      `a=1;\t${session}`,
      `a="1; ${session}"`,
      `b=2, ${session}`,
      session.toUpperCase(),
    ])
      expect(JSON.stringify(await seen(odd))).not.toMatch(/sluice_session|AAAA/i);
  });

  test('without an allow list no header is visible', async () => {
    expect((await see('/two/x/y', { 'X-Trace': 'a1' })).headers).toEqual({});
  });
});

describe('request and caller', () => {
  test('the pipeline sees the caller and the request', async () => {
    const before = Date.now();
    const response = await call(gateway.port, { path: '/one/a%20b?x=1', key: key.value });
    const { request, caller } = response.json() as Seen;
    expect(request).toMatchObject({
      id: response.header('x-request-id'),
      method: 'GET',
      path: '/one/a%20b',
      route: '/one/:id',
      ip: '127.0.0.1',
    });
    expect(request['receivedAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(request['receivedAt'] ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(caller).toEqual({
      keyId: key.entry.id,
      name: 'MES line 7',
      scopes: expect.arrayContaining(['db:write', 'tag:read']) as unknown,
    });
    expect(response.text()).not.toContain(key.value.slice(17));
  });

  test('on a public route the caller is null', async () => {
    const response = await call(gateway.port, { path: '/open' });
    expect((response.json() as Seen).caller).toBeNull();
  });

  test('the journal stores the path without its query', async () => {
    const response = await call(gateway.port, { path: '/one/x?token=abc', key: key.value });
    const rows = await gateway.journalRows(response.header('x-request-id'));
    expect(rows[0]).toMatchObject({ type: 'use', path: '/one/x' });
    expect(JSON.stringify(rows)).not.toContain('abc');
  });

  test('text that looks like a key in the path or in X-Request-Id is masked in the journal', async () => {
    const response = await call(gateway.port, {
      path: `/one/${key.value}`,
      key: key.value,
      headers: { 'X-Request-Id': key.value },
    });
    expect(response.status).toBe(200);
    const text = JSON.stringify(await gateway.journalRows(response.header('x-request-id')));
    expect(text).toContain(`slc_${key.entry.id}_…`);
    expect(text).not.toContain(key.value.slice(17));
  });
});

describe('a key in the wrong place never reaches the journal or the log', () => {
  test.each<[string, Parameters<typeof call>[1]]>([
    ['a path that nothing answers', { path: `/nothing/${key.value}` }],
    ['a path and a query', { path: `/one/${key.value}?key=${key.value}` }],
    ['X-Request-Id', { path: '/nothing', headers: { 'X-Request-Id': key.value } }],
    ['Origin', { path: '/one/x', key: key.value, headers: { Origin: `http://${key.value}` } }],
    [
      'Content-Type',
      {
        method: 'POST',
        path: '/post',
        key: key.value,
        body: '{',
        headers: { 'Content-Type': `application/json; x=${key.value}` },
      },
    ],
    [
      'Content-Encoding',
      { method: 'POST', path: '/post', key: key.value, body: '{', headers: { 'Content-Encoding': key.value } },
    ],
    ['a forwarded address', { path: '/nothing', headers: { 'X-Forwarded-For': key.value } }],
    ['the key twice in one header', { path: '/one/x', key: `${key.value}, ${key.value}` }],
    [
      'the method that a preflight asks for',
      {
        method: 'OPTIONS',
        path: '/one/x',
        headers: { Origin: 'http://a', 'Access-Control-Request-Method': key.value },
      },
    ],
  ])('%s', async (_name, request) => {
    const response = await call(gateway.port, request);
    expect(response.status).toBeGreaterThanOrEqual(400);
    const rows = await gateway.journalRows(response.header('x-request-id'));
    expect(rows).toHaveLength(1);
    for (const text of [JSON.stringify(rows), gateway.log(), response.text()])
      expect(text).not.toContain(key.value.slice(17, -6));
  });
});

describe('HEAD', () => {
  test('is answered on a GET route with the same headers and no body', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => call(gateway.port, { method, path: '/two/x/y', key: key.value })),
    );
    expect(head?.status).toBe(200);
    expect(head?.header('content-type')).toBe(get?.header('content-type'));
    expect(Number(head?.header('content-length'))).toBeGreaterThan(0);
    expect(head?.body).toHaveLength(0);
  });

  test('passes the same checks, and its refusals have no body either', async () => {
    const response = await call(gateway.port, { method: 'HEAD', path: '/two/x/y' });
    expect([response.status, response.body.length]).toEqual([401, 0]);
    expect(response.header('x-request-id')).toBeDefined();
    const row = (await gateway.journalRows(response.header('x-request-id')))[0];
    expect(row).toMatchObject({ method: 'HEAD', code: 'key_missing' });
  });
});

test('a target with an invalid escape is refused before it is matched', async () => {
  for (const path of ['/nothing/%zz', '/one/x?a=%e4', '/one/%ed%a0%80']) {
    expectRefusal(await call(gateway.port, { path, key: key.value }), 'bad_request');
  }
});
