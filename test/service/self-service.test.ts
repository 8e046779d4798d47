import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, type TestKey, unknownKey } from '#test/make-key.ts';
import { routePipeline } from '#test/route-pipeline.ts';

/** A key asks for its own access: GET /.well-known/sluice. */
const PATH = '/.well-known/sluice';
const GUIDE = new URL('../../docs/guides/call-a-route.md', import.meta.url);
const pipeline = (path: string, route: Record<string, unknown> = {}) => routePipeline({ path, route });

let gateway: TestGateway;
const mes = makeKey({ name: 'MES – line 7', scopes: ['tag:read'], limits: { 'tag:read': ['line7/*'] } });
const panel = makeKey({ name: 'Panel' });
const curl = makeKey({ name: 'curl' });
const busy = makeKey({ name: 'Busy' });
const paused = makeKey({ paused: 'Service' });
const foreign = makeKey({ project: 'line-2', name: 'Foreign' });

beforeAll(async () => {
  gateway = await startGateway({
    keys: [mes, panel, curl, busy, paused, foreign],
    pipelines: [
      pipeline('/state', { rateLimit: 2, burstLimit: 3 }),
      pipeline('/tags', { requiredScopes: ['tag:read'] }),
      pipeline('/orders', { requiredScopes: ['db:write'] }),
      pipeline('/elsewhere', { allowedIps: ['192.0.2.0/24'] }),
      pipeline('/public', { authType: 'none' }),
    ],
  });
});
afterAll(() => gateway.stop());

async function ask(key: TestKey | string | null, path = PATH, method = 'GET') {
  const value = typeof key === 'string' ? key : key?.value;
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method,
    headers: value === undefined ? {} : { 'X-API-Key': value },
  });
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, text, body: text === '' ? null : JSON.parse(text) };
}

test('the holder of a key gets its routes, scopes and limits, and nothing of others', async () => {
  const { status, body, text } = await ask(mes);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    key: { id: mes.entry.id, name: 'MES – line 7', scopes: ['tag:read'], limits: { 'tag:read': ['line7/*'] } },
    routes: [
      { method: 'GET', path: '/state', scopes: [], rate: { perSecond: 2, atOnce: 5, left: 5 } },
      { method: 'GET', path: '/tags', scopes: ['tag:read'], rate: null },
    ],
    moreRoutes: 0,
    refusals: [],
    certificate: null,
  });
  for (const secret of ['/orders', '/elsewhere', '/public', 'Panel', panel.entry.id, mes.entry.hash, mes.value])
    expect(text).not.toContain(secret);
  expect((await ask(foreign)).body).toMatchObject({ routes: [] });
});

test('it shows the last refusals of this key with their cause', async () => {
  const refused = await ask(panel, '/orders');
  expect(refused.status).toBe(403);
  const { body } = await ask(panel);
  expect(body.refusals).toEqual([
    {
      time: expect.any(String),
      requestId: refused.requestId,
      method: 'GET',
      path: '/orders',
      status: 403,
      code: 'scope_missing',
      cause: 'scope_missing',
      detail: 'The API key lacks: db:write.',
    },
  ]);
  expect((await ask(mes)).body.refusals).toEqual([]);
});

test('the question is a call of the key in the journal', async () => {
  const { requestId } = await ask(mes);
  const common = { requestId, keyId: mes.entry.id, method: 'GET', path: PATH, route: PATH };
  expect(await gateway.journalRows(requestId)).toMatchObject([
    { ...common, type: 'use' },
    { ...common, type: 'outcome', status: 200 },
  ]);
});

test.each([
  ['without a key', null, 401, 'key_missing'],
  ['with an unknown key', unknownKey(), 401, 'key_invalid'],
  ['with a paused key', paused, 403, 'key_inactive'],
])('%s it is refused as on a route with a key', async (_what, key, status, code) => {
  expect(await ask(key)).toMatchObject({ status, body: { code } });
});

test('HEAD has no body, and other methods are not found', async () => {
  expect(await ask(mes, PATH, 'HEAD')).toMatchObject({ status: 200, text: '' });
  expect(await ask(mes, PATH, 'POST')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('one key may ask at a limited rate', async () => {
  const answers = await Promise.all(Array.from({ length: 15 }, () => ask(busy)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.body).toMatchObject({ code: 'rate_limited' });
  expect((await ask(curl)).status).toBe(200);
});

test('the curl command of the guide works as it is shown', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const line = new RegExp(`^curl .*${PATH}'.*\\n.*<API_KEY>'$`, 'm').exec(guide)?.[0] ?? '';
  const command = line.replace('http://10.20.4.12:8090', `http://127.0.0.1:${gateway.port}`);
  const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('<API_KEY>', curl.value)]);
  expect(JSON.parse(stdout)).toMatchObject({ key: { name: 'curl' } });
});

test('the setting keySelfService turns it off, for every caller alike', async () => {
  await gateway.changeSettings({ keySelfService: 'off' });
  expect(await ask(mes)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await ask(null)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  await gateway.changeSettings({ keySelfService: 'on' });
});
