import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { makeServiceToken } from '#common/api-key.ts';
import { TOKEN_DAYS_MAX, TOKENS_MAX } from '../people/service-tokens.ts';
import { PERMISSIONS, type Permission, type TokenRecord } from '#common/model/records.ts';
import { putMeta } from '../vault/meta.ts';
import type { Answer, Client } from './harness.testing.ts';
import { openApi } from './openapi.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

/** Service tokens (docs/spec/users.md#service-tokens) through the served admin API. */
harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const DAY_MS = 24 * 60 * 60_000;
const GRANTABLE = PERMISSIONS.filter((permission) => permission !== 'manage_users');

interface Made {
  token: string;
  record: TokenRecord;
}

const given = (input: object = {}) => ({
  name: 'CI',
  permissions: ['view', 'edit_pipelines'],
  project: null,
  endsAt: new Date(harness.clock.ms + 30 * DAY_MS).toISOString(),
  ...input,
});

async function make(input: object = {}, by: Client = admin): Promise<Made> {
  const answer = await by.send('POST', '/tokens', given(input));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as unknown as Made;
}

const tokenOf = async (id: string): Promise<TokenRecord | undefined> => {
  const { body } = await admin.send('GET', '/tokens');
  return (body['items'] as TokenRecord[]).find((record) => record.id === id);
};

function call(token: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  return harness.nobody.send(method, path, body, { authorization: `Bearer ${token}`, ...headers });
}

/** A well-formed token with this ID and another secret. */
function forgedLike(id: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = Array.from(id).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
  const bytes = Buffer.from(value.toString(16).padStart(18, '0'), 'hex');
  return makeServiceToken((count) => (count === bytes.length ? bytes : new Uint8Array(count))).value;
}

const read = (token: string, headers = {}) => call(token, 'GET', '/projects/line-7', undefined, headers);
const INVALID = { status: 401, body: { code: 'token_invalid' } };
const FORBIDDEN = { status: 403, body: { code: 'permission_missing' } };

test('a token is shown once and calls with its permissions alone, as an actor of its own', async () => {
  const { token, record } = await make();
  expect(token).toMatch(/^slt_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(record).toMatchObject({ name: 'CI', createdBy: 'Ada', lastUsedAt: null, revokedAt: null, addresses: null });
  expect((await admin.send('GET', '/tokens')).body).toEqual({ items: [record], next: null });

  expect(await read(token)).toMatchObject({ status: 200 });
  expect(await call(token, 'POST', '/projects', { id: 'line-8', name: 'Line 8' })).toMatchObject({ status: 201 });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'project.create', user: 'token:CI', status: 200 });
  expect(await call(token, 'GET', '/settings')).toMatchObject(FORBIDDEN);
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'call.refused', user: 'token:CI' });
  expect((await tokenOf(record.id))?.lastUsedAt).toBe(new Date(harness.clock.ms).toISOString());

  const kept = JSON.stringify(harness.audit.rows) + harness.logged.join('');
  expect(kept).not.toContain(token.slice(17, 60));
  const stored = harness.vault.read((db) => Buffer.from(db.export()).toString('latin1'));
  expect(stored).not.toContain(token.slice(17, 60));
});

test('no token makes a call for users alone, whatever its permissions; each other one accepts tokens', async () => {
  const { token } = await make({ permissions: GRANTABLE });
  const { paths } = openApi({ version: '1.2.3', uiPort: 8091, host: '127.0.0.1:8091' }) as {
    paths: Record<string, Record<string, { security: object[] }>>;
  };
  const usersOnly: string[] = [];
  for (const [path, item] of Object.entries(paths))
    for (const [method, { security }] of Object.entries(item)) {
      if (!security.some((scheme) => 'session' in scheme)) continue;
      const isForTokens = security.some((scheme) => 'serviceToken' in scheme);
      if (!isForTokens) usersOnly.push(`${method.toUpperCase()} ${path}`);
      if (isForTokens) continue;
      const body = method === 'get' ? undefined : {};
      expect(await call(token, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x1'), body)).toMatchObject(FORBIDDEN);
    }
  expect(usersOnly.toSorted()).toEqual([
    'DELETE /plugins/{plugin}',
    'DELETE /projects/{project}/pipelines/{pipeline}/windows/{window}',
    'DELETE /session',
    'GET /session',
    'POST /backup',
    'POST /desktop/kiosk',
    'POST /plugins',
    'POST /plugins/{plugin}/approve',
    'POST /session/password',
    'POST /vault/confirm',
    'PUT /projects/{project}/pipelines/{pipeline}/windows/{window}',
  ]);
  for (const path of ['/users', '/roles', '/tokens']) expect(await call(token, 'GET', path)).toMatchObject(FORBIDDEN);
  expect(await call(token, 'POST', '/restore', { bytes: 1 })).toMatchObject(FORBIDDEN);
});

test('a token of one project reaches nothing else', async () => {
  await admin.send('POST', '/projects', { id: 'line-8', name: 'Line 8' });
  const { token } = await make({ project: 'line-7', permissions: GRANTABLE });
  expect(await read(token)).toMatchObject({ status: 200 });
  const elsewhere = [
    ['GET', '/projects/line-8'],
    ['GET', '/projects'],
    ['POST', '/projects'],
    ['POST', '/projects/import'],
    ['POST', '/projects/line-8/apply'],
    ['GET', '/settings'],
    ['GET', '/keys'],
    ['GET', '/audit'],
    ['GET', '/events'],
  ] as const;
  for (const [method, path] of elsewhere)
    expect(await call(token, method, path, method === 'GET' ? undefined : {})).toMatchObject(FORBIDDEN);
});

test('an unknown, ended, revoked or changed token and one from another address get the same answer', async () => {
  const ended = await make({ name: 'ended', endsAt: new Date(harness.clock.ms + DAY_MS).toISOString() });
  const revoked = await make({ name: 'revoked' });
  const elsewhere = await make({ name: 'elsewhere', addresses: ['10.0.0.0/8', 'fd00::/8'] });
  const here = await make({ name: 'here', addresses: ['127.0.0.0/8'] });
  expect(await read(ended.token)).toMatchObject({ status: 200 });
  expect(await read(revoked.token)).toMatchObject({ status: 200 });
  expect(await read(here.token)).toMatchObject({ status: 200 });
  harness.clock.ms += DAY_MS;
  const renewed = await harness.logIn('Ada');
  expect(await renewed.send('POST', `/tokens/${revoked.record.id}/revoke`)).toMatchObject({
    status: 200,
    body: { revokedBy: 'Ada' },
  });
  const refused: unknown[] = [];
  const forged = forgedLike(here.record.id);
  expect(forged.slice(0, 17)).toBe(here.token.slice(0, 17));
  for (const token of [ended.token, revoked.token, elsewhere.token, forged, 'x']) {
    const answer = await read(token);
    expect(answer).toMatchObject(INVALID);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    refused.push(answer.body['detail']);
  }
  expect(new Set(refused).size).toBe(1);
});

test('refusals are slowed down, a valid token is not', async () => {
  const { token } = await make();
  const answers: number[] = [];
  for (let n = 0; n < 8; n++) answers.push((await read('slt_wrong')).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  expect((await read('slt_wrong')).headers.get('retry-after')).toBe('1');
  expect(await read(token)).toMatchObject({ status: 200 });
});

test('a token is refused with any cookie, and as a cookie', async () => {
  const { token } = await make();
  expect(await read(token, { cookie: 'theme=dark' })).toMatchObject(INVALID);
  expect(await read(token, { cookie: admin.cookie, 'x-csrf-token': admin.csrfToken })).toMatchObject(INVALID);
  const name = admin.cookie.split('=', 1)[0];
  const asCookie = await harness.nobody.send('GET', '/projects/line-7', undefined, { cookie: `${name}=${token}` });
  expect(asCookie).toMatchObject({ status: 401, body: { code: 'no_session' } });
});

test('a token never has more rights than its maker has now', async () => {
  const engineer = await harness.personWith(admin, 'manage_users', 'view', 'edit_pipelines');
  const wanted = given({ permissions: ['view', 'access_settings'] });
  expect(await engineer.send('POST', '/tokens', wanted)).toMatchObject(FORBIDDEN);
  const { token, record } = await make({}, engineer);
  const rename = () => call(token, 'PATCH', '/projects/line-7', { name: 'Line 7' });
  expect(await rename()).toMatchObject({ status: 200 });

  const over: string[] = [];
  harness.deps.people.onSessionsEnded((id) => over.push(id));
  const roles = (await admin.send('GET', '/roles')).body['items'] as { id: string; name: string }[];
  const role = roles.find(({ name }) => name === 'person 1');
  await admin.send('PATCH', `/roles/${role?.id}`, { permissions: ['manage_users', 'view'] satisfies Permission[] });
  expect(await rename()).toMatchObject(FORBIDDEN);
  expect(await tokenOf(record.id)).toMatchObject({ permissions: ['edit_pipelines', 'view'], permissionsNow: ['view'] });

  // Streams of the token have the rights of their beginning.
  expect(over).toContain(`token:${record.id}`);

  const users = (await admin.send('GET', '/users')).body['items'] as { id: string; name: string }[];
  const user = users.find(({ name }) => name === 'person 1');
  expect(await read(token)).toMatchObject({ status: 200 });
  await admin.send('PATCH', `/users/${user?.id}`, { active: false });
  expect(await read(token)).toMatchObject(INVALID);
  expect((await tokenOf(record.id))?.permissionsNow).toEqual([]);
});

test('a revocation is in force on a full disk, and ends live streams at once', async () => {
  const { token, record } = await make();
  const stream = await fetch(`${harness.base}/api/v1/events`, { headers: { authorization: `Bearer ${token}` } });
  expect(stream.status).toBe(200);
  const ended = stream.body?.pipeTo(Writable.toWeb(new Writable({ write: (_c, _e, done) => done() })));
  const over: string[] = [];
  harness.deps.people.onSessionsEnded((id) => over.push(id));
  harness.faults.vault = true;
  expect(await admin.send('POST', `/tokens/${record.id}/revoke`)).toMatchObject({ status: 507 });
  expect(over).toContain(`token:${record.id}`);
  await ended;
  expect(await read(token)).toMatchObject(INVALID);
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(await read(token)).toMatchObject(INVALID);
  expect(await tokenOf(record.id)).toMatchObject({ revokedBy: 'Ada' });
});

test.each([
  [{ permissions: ['manage_users'] }, 'permissions'],
  [{ permissions: [] }, 'permissions'],
  [{ addresses: [] }, 'addresses'],
  [{ addresses: ['10.0.0.300'] }, 'addresses.0'],
  [{ name: ' ' }, 'name'],
  [{ project: 'Line 7' }, 'project'],
  [{ endsAt: '2026-02-01T06:00:00Z' }, 'endsAt'],
  [{ endsAt: 'never' }, 'endsAt'],
  [{ endsAt: new Date(Date.parse('2026-03-01T06:00:01Z') + TOKEN_DAYS_MAX * DAY_MS).toISOString() }, 'endsAt'],
])('%j is refused and names the field', async (input, path) => {
  const answer = await admin.send('POST', '/tokens', given(input));
  expect(answer.status).toBe(400);
  expect(answer.body['errors']).toMatchObject([{ path }]);
});

test('names are unique, and no user can be mistaken for a token', async () => {
  await make();
  expect(await admin.send('POST', '/tokens', given({ name: 'ci' }))).toMatchObject({ status: 409 });
  const user = { name: 'Token:CI', password: 'correct horse battery', roles: ['Viewer'] };
  expect(await admin.send('POST', '/users', user)).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } });
});

test('tokens that are over give way to new ones, valid ones do not', async () => {
  const { tokens } = harness.deps.people;
  const { user } = harness.deps.people.session(admin.cookie.split('=')[1] ?? '') ?? {};
  if (user === undefined) throw new Error('no session');
  const first = await make({ name: 'first' });
  const input = { permissions: ['view' as const], project: null, endsAt: first.record.endsAt };
  for (let n = 1; n < TOKENS_MAX; n++) await tokens.create({ ...input, name: `token ${n}` }, { user });
  expect(await admin.send('POST', '/tokens', given({ name: 'last' }))).toMatchObject({ status: 409 });
  await admin.send('POST', `/tokens/${first.record.id}/revoke`);
  await make({ name: 'last' });
  expect(await tokenOf(first.record.id)).toBeUndefined();
});

test('every token is refused while a restored older vault refuses every API key, until it is confirmed', async () => {
  const { token } = await make();
  await harness.vault.mutate((db) => {
    for (const name of ['rolled_back_at', 'keys_refused_at'] as const) putMeta(db, name, '2026-03-01T06:00:00.000Z');
  });
  expect(await read(token)).toMatchObject(INVALID);
  expect(await admin.send('POST', '/vault/confirm')).toMatchObject({ status: 204 });
  expect(await read(token)).toMatchObject({ status: 200 });
});
