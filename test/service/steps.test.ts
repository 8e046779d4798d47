import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { STOPPED_CODE } from '#common/errors/gateway-codes.ts';
import { CAUSES, type RefusalCause } from '#common/errors/refusals.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { hashKey, makeKey, TEST_PROJECT, unknownKey } from '#test/make-key.ts';
import { type Call, call, openRaw, type RawResponse, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/**
 * The steps of a request (docs/spec/requests.md#steps) in their order. Each test breaks one step and all steps behind
 * it: the earlier refusal must win. 127.1.0.0/16 is the allowed network; 127.0.0.200 is a caller outside it.
 */
const ORIGIN = 'https://hmi.local:8443';
const OUTSIDE = { localAddress: '127.0.0.200' };
const scoped = makeKey({ name: 'MES line 7', scopes: ['db:read', 'db:write'] });
const lacking = makeKey({ name: 'Reader', scopes: ['db:read', 'tag:read'] });
const foreign = makeKey({ name: 'Other plant', project: 'line-2', scopes: ['db:write'] });
const revoked = makeKey({ name: 'Old', scopes: ['db:write'], revoked: true });

const CONTROLS = {
  requiredScopes: ['db:read', 'db:write'],
  allowedIps: ['127.1.0.0/16'],
  corsEnabled: true,
  allowedOrigins: [ORIGIN],
  maxPayloadSize: 1000,
};
const FAILING = {
  kind: 'transform',
  settings: { code: 'export default () => { throw new Error("pump 3 at 10.1.2.3"); }' },
};

let gateway: TestGateway;
/**
 * Each in a separate /24 inside the allowed network: tests share neither a bucket for failed attempts nor a count of
 * refusals.
 */
let nextSource = 10;
const source = () => ({ localAddress: `127.1.${nextSource++}.1` });

async function open(): Promise<void> {
  const limited = { ...CONTROLS, rateLimit: 0.001 };
  gateway = await startGateway({
    keys: [scoped, lacking, foreign, revoked],
    pipelines: [
      routePipeline({
        id: 'full',
        method: 'POST',
        path: '/orders',
        route: CONTROLS,
        ...fixedReply({ done: true }, 201),
      }),
      routePipeline({ id: 'spent', method: 'POST', path: '/spent', route: limited, ...fixedReply({ done: true }) }),
      routePipeline({ id: 'guess', method: 'POST', path: '/guess', route: limited, ...fixedReply({ done: true }) }),
      routePipeline({ id: 'slow', method: 'GET', path: '/slow', route: { timeout: 0.2 }, middle: [], reply: null }),
      routePipeline({ id: 'broken', method: 'GET', path: '/broken', middle: [FAILING] }),
      routePipeline({ id: 'headed', method: 'GET', path: '/headed', ...fixedReply({ done: true }) }),
      routePipeline({ id: 'stopped', method: 'GET', path: '/stopped', ...fixedReply('up') }),
      routePipeline({ id: 'open', method: 'GET', path: '/open', route: { authType: 'none' }, ...fixedReply('open') }),
    ],
  });
  await gateway.change({ kind: 'stop', project: TEST_PROJECT, pipeline: 'stopped' });
  // One successful call empties the bucket of /spent for the rest of this file.
  const good = await call(gateway.port, { method: 'POST', path: '/spent', key: scoped.value, connect: source() });
  expect(good.status).toBe(200);
}

beforeAll(open);
afterAll(() => gateway?.stop());

async function refusalRow(requestId: string): Promise<AuditRow> {
  const rows = await gateway.journalRows(requestId);
  expect(rows.map(({ type }) => type)).toEqual(['refusal']);
  return rows[0] ?? { time: '', type: 'refusal' };
}

/** Everything from step 1 on is wrong; a test corrects everything before its step. */
const allWrong = (): Call => ({
  method: 'POST',
  path: '/orders/',
  headers: { Origin: 'https://evil.example', 'Content-Length': '5000', 'Content-Encoding': 'gzip' },
  connect: OUTSIDE,
});

const LADDER: { step: number; title: string; request: () => Call; code: ErrorCode; row: Partial<AuditRow> }[] = [
  {
    step: 1,
    title: 'the path differs by a trailing slash',
    request: allWrong,
    code: 'not_found',
    row: { path: '/orders/', method: 'POST', ip: '127.0.0.200', status: 404 },
  },
  {
    step: 2,
    title: 'the source address is outside Allowed IPs',
    request: () => ({ ...allWrong(), path: '/orders' }),
    code: 'ip_not_allowed',
    row: { path: '/orders', route: '/orders', pipeline: 'full', project: TEST_PROJECT, ip: '127.0.0.200', status: 403 },
  },
  {
    step: 3,
    title: 'the origin is not allowed',
    request: () => ({ ...allWrong(), path: '/orders', connect: source() }),
    code: 'origin_not_allowed',
    row: { route: '/orders', status: 403 },
  },
  {
    step: 4,
    title: 'no key came',
    request: () => ({ ...inside(), path: '/orders' }),
    code: 'key_missing',
    row: { route: '/orders', status: 401 },
  },
  {
    step: 4,
    title: 'the key is unknown',
    request: () => ({ ...inside(), path: '/orders', key: unknownKey() }),
    code: 'key_invalid',
    row: { route: '/orders', status: 401 },
  },
  {
    step: 4,
    title: 'the key is malformed',
    request: () => ({ ...inside(), path: '/orders', key: 'slc_nonsense' }),
    code: 'key_invalid',
    row: { route: '/orders', status: 401 },
  },
  {
    step: 4,
    title: 'the key is revoked',
    request: () => ({ ...inside(), path: '/orders', key: revoked.value }),
    code: 'key_invalid',
    row: { route: '/orders', status: 401 },
  },
  {
    step: 5,
    title: "the key is another project's",
    request: () => ({ ...inside(), path: '/orders', key: foreign.value }),
    code: 'key_wrong_project',
    row: { keyId: foreign.entry.id, keyName: 'Other plant', status: 403 },
  },
  {
    step: 5,
    title: 'the key lacks a scope',
    request: () => ({ ...inside(), path: '/orders', key: lacking.value }),
    code: 'scope_missing',
    row: { keyId: lacking.entry.id, keyName: 'Reader', status: 403 },
  },
  {
    step: 6,
    title: 'the rate limit is used up',
    request: () => ({ ...inside(), path: '/spent', key: scoped.value }),
    code: 'rate_limited',
    row: { keyId: scoped.entry.id, route: '/spent', status: 429 },
  },
  {
    step: 7,
    title: 'the declared size is too large',
    request: () => ({ ...inside(), path: '/orders', key: scoped.value, body: 'x'.repeat(5000) }),
    code: 'payload_too_large',
    row: { keyId: scoped.entry.id, status: 413 },
  },
  {
    step: 8,
    title: 'the body has a content coding',
    request: () => coded({ 'Content-Encoding': 'gzip' }),
    code: 'unsupported_media_type',
    row: { keyId: scoped.entry.id, status: 415 },
  },
  {
    step: 8,
    title: 'the body is not what its type says',
    request: () => coded({}),
    code: 'body_invalid',
    row: { keyId: scoped.entry.id, status: 400 },
  },
];

function inside(): Call {
  const headers = { Origin: ORIGIN, 'Content-Length': '5000', 'Content-Encoding': 'gzip' };
  return { method: 'POST', headers, connect: source() };
}

function coded(headers: Record<string, string>): Call {
  const all = { Origin: ORIGIN, 'Content-Type': 'application/json', ...headers };
  return { method: 'POST', path: '/orders', key: scoped.value, headers: all, body: '{"half":', connect: source() };
}

async function send(request: Call): Promise<RawResponse> {
  await using connection = await openRaw(gateway.port, request.connect);
  connection.send(requestBytes(request));
  const response = await connection.next();
  await connection.closed();
  return response;
}

describe('an earlier step takes precedence over every later one', () => {
  test('step 0: a request that is not strict HTTP is refused before it is matched', async () => {
    const wrong = allWrong();
    const response = await send({ ...wrong, headers: { ...wrong.headers, X_Bad: 'a' } });
    const row = await refusalRow(expectRefusal(response, 'bad_request'));
    expect(row).toMatchObject({ status: 400, code: 'bad_request', why: { step: 0 } });
    expect(row.route).toBeUndefined();
  });

  test.each(LADDER)('step $step: $title → $code', async ({ step, request, code, row }) => {
    const wanted = request();
    const response = await send(wanted);
    const requestId = expectRefusal(response, code);
    expect(await refusalRow(requestId)).toMatchObject({ code, method: 'POST', why: { step }, ...row });
    const origin = step >= 4 ? ORIGIN : undefined;
    expect(response.header('access-control-allow-origin')).toBe(origin);
    expect(response.header('vary')).toBe(origin && 'Origin');
  });

  test('a valid request is served, and its use and outcome are in the journal', async () => {
    const headers = { Origin: ORIGIN, 'Content-Type': 'application/json', 'X-Request-Id': 'mine-1' };
    const request = {
      method: 'POST',
      path: '/orders',
      key: scoped.value,
      headers,
      body: '{"orderId":1}',
      connect: source(),
    };
    const response = await call(gateway.port, request);
    expect([response.status, response.json()]).toEqual([201, { done: true }]);
    const requestId = response.header('x-request-id') ?? '';
    expect(requestId).not.toBe('mine-1');
    const rows = await gateway.journalRows(requestId);
    const common = {
      clientRequestId: 'mine-1',
      keyId: scoped.entry.id,
      keyName: 'MES line 7',
      project: TEST_PROJECT,
      pipeline: 'full',
      route: '/orders',
      method: 'POST',
      path: '/orders',
    };
    expect(rows).toMatchObject([
      { type: 'use', ...common, ip: request.connect.localAddress },
      { type: 'outcome', requestId, status: 201, bytesIn: 13, bytesOut: 13 },
    ]);
    expect(rows[1]?.durationMs).toBeGreaterThan(0);
  });

  test('the outcome of a HEAD request records that no body bytes were sent', async () => {
    const response = await call(gateway.port, { method: 'HEAD', path: '/headed', key: scoped.value });
    expect([response.status, response.header('content-length')]).toEqual([200, '13']);
    const [, outcome] = await gateway.journalRows(response.header('x-request-id'));
    expect(outcome).toMatchObject({ type: 'outcome', status: 200, bytesOut: 0 });
  });
});

describe('step 0', () => {
  test.each<[string, Call, ErrorCode, object]>([
    ['headers that are too large', { headers: { 'X-Long': 'x'.repeat(9_000) } }, 'headers_too_large', { lines: 2 }],
    ['a header name', { headers: { a_b: '1' } }, 'bad_request', { header: 'a_b' }],
  ])('%s: the row records who called what, and the reason', async (_what, request, code, compared) => {
    const connect = source();
    const requestId = expectRefusal(await call(gateway.port, { path: '/open?a=1', connect, ...request }), code);
    expect(await refusalRow(requestId)).toMatchObject({
      path: '/open',
      method: 'GET',
      ip: connect.localAddress,
      why: { step: 0, compared },
    });
  });
});

describe('step 1', () => {
  test.each([
    ['DELETE', '/orders', 'not_found', { accepted: 'POST', pipeline: 'full', urlPattern: '/orders' }],
    ['GET', '/broken/', 'not_found', { pipeline: 'broken', urlPattern: '/broken' }],
    ['GET', '/stopped', STOPPED_CODE, { pipeline: 'stopped', urlPattern: '/stopped' }],
  ] as const)('%s %s: the row names the route that was probably meant', async (method, path, code, compared) => {
    const requestId = expectRefusal(await call(gateway.port, { method, path, connect: source() }), code);
    const row = await refusalRow(requestId);
    expect(row).toMatchObject({ project: TEST_PROJECT, pipeline: compared.pipeline, route: compared.urlPattern });
    expect(row.why?.compared).toMatchObject({ project: TEST_PROJECT, ...compared });
  });

  test('causes with the same code have the same body except for the request ID, and different causes in the journal', async () => {
    const causes: [RefusalCause, Call][] = [
      ['no_route', { path: '/nothing' }],
      ['method_differs', { method: 'DELETE', path: '/orders' }],
      ['slash_differs', { path: '/broken/' }],
      ['pipeline_stopped', { path: '/stopped' }],
    ];
    const bodies = new Set<string>();
    for (const [cause, request] of causes) {
      const response = await send({ ...request, key: scoped.value });
      const { code } = CAUSES[cause];
      const requestId = expectRefusal(response, code);
      bodies.add(response.text().replace(requestId, ''));
      expect((await refusalRow(requestId)).why).toMatchObject({ step: 1, cause });
    }
    expect(bodies.size).toBe(new Set(causes.map(([cause]) => CAUSES[cause].code)).size);
  });
});

describe('step 4', () => {
  test('malformed, unknown and revoked keys get the same text; the journal distinguishes them', async () => {
    const causes: Record<string, string> = {
      key_malformed: 'abc',
      key_unknown: unknownKey(),
      key_revoked: revoked.value,
    };
    const named: Record<string, object> = { key_revoked: { keyId: revoked.entry.id, keyName: 'Old' } };
    const bodies = new Set<string>();
    for (const [cause, key] of Object.entries(causes)) {
      const response = await send({ method: 'POST', path: '/orders', key, connect: source() });
      const requestId = expectRefusal(response, 'key_invalid');
      bodies.add(response.text().replace(requestId, ''));
      const row = await refusalRow(requestId);
      expect(row.why).toMatchObject({ step: 4, cause });
      expect({ keyId: row.keyId, keyName: row.keyName }).toEqual(named[cause] ?? {});
      expect(JSON.stringify(row)).not.toContain(key.slice(17) || key);
    }
    expect(bodies.size).toBe(1);
  });

  test.each<[string, Call]>([
    ['Authorization', { headers: { Authorization: `Bearer ${scoped.value}` } }],
    ['the query', { path: `/orders?X-API-Key=${scoped.value}&api_key=${scoped.value}` }],
    ['a cookie', { headers: { Cookie: `X-API-Key=${scoped.value}` } }],
    ['the body', { body: JSON.stringify({ 'X-API-Key': scoped.value }) }],
  ])('a valid key in %s is ignored', async (_where, request) => {
    expectRefusal(await send({ method: 'POST', path: '/orders', ...request, connect: source() }), 'key_missing');
  });

  test('a key with one changed character is refused', async () => {
    const { value } = scoped;
    const changed = value.slice(0, 30) + (value[30] === 'a' ? 'b' : 'a') + value.slice(31);
    expectRefusal(await send({ method: 'POST', path: '/orders', key: changed, connect: source() }), 'key_invalid');
  });

  test('a public route requires no key and records no success', async () => {
    const response = await call(gateway.port, { path: '/open' });
    expect(response.status).toBe(200);
    expect(await gateway.journalRows(response.header('x-request-id'))).toEqual([]);
  });

  test('a key with a known ID, another secret and a valid checksum is refused as unknown', async () => {
    const idBytes = randomBytes(9);
    const sameId = () => makeApiKey((count) => (count === 9 ? idBytes : randomBytes(count))).value;
    const [real, forged] = [sameId(), sameId()];
    const entry = { ...scoped.entry, id: real.slice(4, 16), name: 'Forged', hash: hashKey(real) };
    await gateway.change({ kind: 'key', key: entry });
    const request = (key: string) => ({ method: 'POST', path: '/orders', key, connect: source() });
    expect((await call(gateway.port, request(real))).status).toBe(201);
    const requestId = expectRefusal(await send(request(forged)), 'key_invalid');
    expect((await refusalRow(requestId)).why).toMatchObject({ step: 4, cause: 'key_unknown' });
  });

  test('a valid key is refused too while every key is refused', async () => {
    await gateway.change({ kind: 'refuse-all-keys', on: true });
    try {
      const requestId = expectRefusal(
        await send({ path: '/broken', key: scoped.value, connect: source() }),
        'key_invalid',
      );
      expect((await refusalRow(requestId)).why).toMatchObject({ step: 4 });
    } finally {
      await gateway.change({ kind: 'refuse-all-keys', on: false });
    }
  });
});

test('step 5: scope_missing names the missing scope; no other refusal names configuration', async () => {
  const response = await send({ method: 'POST', path: '/orders', key: lacking.value, connect: source() });
  const { detail } = response.json() as { detail: string };
  expect(detail).toContain('db:write');
  expect(detail).not.toContain('tag:read');
  for (const { request } of LADDER.filter(({ code }) => code !== 'scope_missing')) {
    const text = (await send(request())).text();
    for (const secret of ['127.1.0.0/16', 'hmi.local', 'line-1', 'line-2', 'MES', 'full', 'spent', 'db:'])
      expect(text).not.toContain(secret);
  }
});

describe('step 6', () => {
  test('invalid keys draw on a bucket of their source, not of the route: the next invalid key gets 429, a valid one is served', async () => {
    const guesser = source();
    const guess = () => send({ method: 'POST', path: '/guess', key: unknownKey(), connect: guesser });
    expectRefusal(await guess(), 'key_invalid');
    const limited = await guess();
    const requestId = expectRefusal(limited, 'rate_limited');
    expect(Number(limited.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await refusalRow(requestId)).why).toMatchObject({ step: 6 });
    const good = await call(gateway.port, { method: 'POST', path: '/guess', key: scoped.value, connect: guesser });
    expect(good.status).toBe(200);
    const other = await send({ method: 'POST', path: '/guess', key: unknownKey(), connect: source() });
    expectRefusal(other, 'key_invalid');
  });
});

describe('step 9', () => {
  // The gateway writes 50 single rows per second, which earlier tests have used up on a fast machine.
  beforeAll(async () => {
    await gateway.stop();
    await open();
  });

  test('a key that is revoked while the body arrives is refused and nothing runs', async () => {
    const late = makeKey({ name: 'Late', scopes: ['db:read', 'db:write'] });
    await gateway.change({ kind: 'key', key: late.entry });
    await using connection = await openRaw(gateway.port, source());
    const bytes = requestBytes({
      method: 'POST',
      path: '/orders',
      key: late.value,
      headers: { Expect: '100-continue' },
      body: '{}',
    });
    connection.send(bytes.subarray(0, -2));
    expect((await connection.next()).status).toBe(100);
    await gateway.change({ kind: 'key-revoked', keyId: late.entry.id });
    connection.send('{}');
    const requestId = expectRefusal(await connection.next(), 'key_invalid');
    expect(await refusalRow(requestId)).toMatchObject({ keyId: late.entry.id, why: { step: 9, cause: 'key_revoked' } });
  });

  test('a pipeline that is stopped while the body arrives refuses the call and nothing runs', async () => {
    const pipeline = routePipeline({ id: 'soon-stopped', method: 'POST', path: '/soon-stopped', ...fixedReply('up') });
    await gateway.change({ kind: 'start', start: pipelineStart(pipeline) });
    await using connection = await openRaw(gateway.port, source());
    const headers = { Expect: '100-continue' };
    const bytes = requestBytes({ method: 'POST', path: '/soon-stopped', key: scoped.value, headers, body: '{}' });
    connection.send(bytes.subarray(0, -2));
    expect((await connection.next()).status).toBe(100);
    await gateway.change({ kind: 'stop', project: TEST_PROJECT, pipeline: 'soon-stopped' });
    connection.send('{}');
    const requestId = expectRefusal(await connection.next(), STOPPED_CODE);
    await refusalRow(requestId);
  });
});

describe('step 10', () => {
  test('a run that reaches no HTTP Response gets 504 after the timeout, and only the journal names the node', async () => {
    const started = performance.now();
    const response = await send({ path: '/slow', key: scoped.value, connect: source() });
    const requestId = expectRefusal(response, 'route_timeout');
    expect(performance.now() - started).toBeGreaterThanOrEqual(195);
    const rows = await gateway.journalRows(requestId);
    expect(rows).toMatchObject([
      { type: 'use' },
      { type: 'outcome', status: 504, code: 'route_timeout', why: { step: 10 } },
    ]);
  });

  test('an uncaught node error gets 500 at once, with its cause only in the journal', async () => {
    const response = await send({ path: '/broken', key: scoped.value, connect: source() });
    const requestId = expectRefusal(response, 'pipeline_failed');
    expect(response.text()).not.toContain('pump');
    const rows = await gateway.journalRows(requestId);
    expect(rows).toMatchObject([
      { type: 'use' },
      { type: 'outcome', status: 500, code: 'pipeline_failed', why: { step: 10 } },
    ]);
    expect(JSON.stringify(rows)).toContain('pump 3');
  });
});
