import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHarness, type Harness, PASSWORD } from './harness.testing.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());

const token = async (): Promise<string> => (await readFile(join(harness.dataDir, 'setup-token'), 'utf8')).trim();

test('set-up accepts the token once, creates an Administrator and is in the journal without token and password', async () => {
  const { nobody, audit } = harness;
  const body = { token: await token(), name: 'Ada', password: PASSWORD };
  const made = await nobody.send('POST', '/setup', body);
  expect(made.status).toBe(201);
  expect(made.body['user']).toMatchObject({ name: 'Ada', roles: ['Administrator'], active: true });
  expect((await nobody.send('POST', '/setup', body)).status).toBe(409);
  expect(audit.rows).toHaveLength(3);
  expect(audit.rows.map(({ act, status, code }) => ({ act, status, code }))).toMatchObject([
    { act: 'setup' },
    { act: 'setup', status: 200 },
    { act: 'call.refused', status: 409, code: 'conflict' },
  ]);
  expect(JSON.stringify(audit.rows)).not.toContain(body.token);
  expect(JSON.stringify(audit.rows)).not.toContain(PASSWORD);
});

test('set-up with a wrong token gets 403, an invalid password 400 with its field', async () => {
  const { nobody } = harness;
  const wrong = await nobody.send('POST', '/setup', { token: 'x', name: 'Ada', password: PASSWORD });
  expect([wrong.status, wrong.body['code']]).toEqual([403, 'setup_token_wrong']);
  const short = await nobody.send('POST', '/setup', { token: await token(), name: 'Ada', password: 'short' });
  expect(short.body['errors']).toMatchObject([{ path: 'password', message: 'expected at least 10 characters' }]);
});

test('delayed attempts with the set-up token are counted as refused calls', async () => {
  const { nobody, audit } = harness;
  const guess = () => nobody.send('POST', '/setup', { token: 'x', name: 'Eve', password: PASSWORD });
  for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(403);
  for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(429);
  expect(audit.rows.filter(({ act }) => act === 'setup')).toHaveLength(10);
});

test('delayed ones of concurrent attempts with the set-up token write no rows of their own', async () => {
  const { nobody, audit } = harness;
  const record = audit.record.bind(audit);
  // As a journal on a disk: all have come before the first row is written.
  audit.record = async (...row) => {
    await sleep(20);
    await record(...row);
  };
  const guess = () => nobody.send('POST', '/setup', { token: 'x', name: 'Eve', password: PASSWORD });
  const statuses = (await Promise.all(Array.from({ length: 12 }, guess))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 403)).toHaveLength(5);
  expect(audit.rows.filter(({ act }) => act === 'setup')).toHaveLength(10);
});

test('set-up fails while the journal cannot be written', async () => {
  harness.audit.failFrom = 0;
  const answer = await harness.nobody.send('POST', '/setup', { token: await token(), name: 'Ada', password: PASSWORD });
  expect([answer.status, answer.body['code']]).toEqual([503, 'audit_unavailable']);
  expect(harness.deps.people.setupNeeded).toBe(true);
});

test('a log-in before set-up is refused because set-up is needed', async () => {
  const { status, body } = await harness.nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD });
  expect([status, body['code']]).toEqual([401, 'setup_needed']);
});

test('a log-in returns user, permissions and CSRF token, and GET /session returns them again', async () => {
  const admin = await harness.setUp();
  const { body } = await admin.send('GET', '/session');
  expect(body).toMatchObject({ user: { name: 'Ada' }, csrfToken: admin.csrfToken });
  expect(body['permissions']).toContain('access_settings');
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'session.login', user: 'Ada', status: 200, ip: '127.0.0.1' });
});

test('a failed log-in is in the journal, and a delayed one counts as a refused call', async () => {
  await harness.setUp();
  const { nobody, audit } = harness;
  const before = audit.rows.length;
  for (let i = 0; i < 5; i++)
    expect((await nobody.send('POST', '/session', { name: 'Ada', password: 'wrong' })).status).toBe(401);
  const slowed = await nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD });
  expect([slowed.status, slowed.body['code']]).toEqual([429, 'login_slowed']);
  expect(slowed.headers.get('retry-after')).toBe('1');
  const rows = audit.rows.slice(before);
  expect(rows).toHaveLength(6);
  expect(rows[5]).toMatchObject({ act: 'call.refused', code: 'login_slowed', status: 429 });
  expect(rows[0]).toMatchObject({ act: 'session.login-failed', target: 'Ada', code: 'login_failed', status: 401 });
});

test('a log-in that cannot be recorded leaves no session', async () => {
  await harness.setUp();
  const { people } = harness.deps;
  const { logIn } = people;
  const cookies: string[] = [];
  people.logIn = async (...given) => {
    const opened = await logIn(...given);
    cookies.push(opened.cookie);
    return opened;
  };
  harness.audit.failFrom = 0;
  const answer = await harness.nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD });
  expect(cookies.map((cookie) => people.session(cookie))).toEqual([null]);
  expect(answer.status).toBe(503);
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('logging out ends the session, also while the journal cannot be written', async () => {
  const admin = await harness.setUp();
  harness.audit.failFrom = 0;
  const { status, headers } = await admin.send('DELETE', '/session');
  expect(status).toBe(204);
  expect(headers.getSetCookie()[0]).toMatch(/^sluice_session_\d+=; Path=\/; Expires=Thu, 01 Jan 1970/);
  expect((await admin.send('GET', '/session')).status).toBe(401);
});

test('a new log-in in the same browser ends the session before it', async () => {
  const admin = await harness.setUp();
  await admin.send('POST', '/session', { name: 'Ada', password: PASSWORD });
  expect((await admin.send('GET', '/session')).status).toBe(401);
});

test('users change their own password with the old one; the session continues as a new one, every other one ends', async () => {
  const admin = await harness.setUp();
  const elsewhere = await harness.logIn('Ada');
  const wrong = await admin.send('POST', '/session/password', { old: 'wrong', new: 'a new password' });
  expect([wrong.status, wrong.body['code']]).toEqual([401, 'login_failed']);
  const short = await admin.send('POST', '/session/password', { old: PASSWORD, new: 'short' });
  expect(short.body['errors']).toMatchObject([{ path: 'new' }]);
  const changed = await admin.send('POST', '/session/password', { old: PASSWORD, new: 'a new password' });
  expect([changed.status, changed.body['user']]).toMatchObject([200, { name: 'Ada' }]);
  // The thief of the session has lost it too.
  for (const old of [admin, elsewhere]) expect((await old.send('GET', '/session')).status).toBe(401);
  const cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const own = { cookie, 'x-csrf-token': String(changed.body['csrfToken']) };
  expect((await admin.send('GET', '/session', undefined, own)).status).toBe(200);
  await harness.logIn('Ada', 'a new password');
});

test('an expired session is refused', async () => {
  const admin = await harness.setUp();
  harness.clock.ms += 12 * 60 * 60_000;
  expect((await admin.send('GET', '/session')).body['code']).toBe('no_session');
});
