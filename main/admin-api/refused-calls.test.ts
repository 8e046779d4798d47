import { expect, test, vi } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { createLogger } from '#common/node/log.ts';
import { PATIENT_WAIT } from '#test/until.ts';
import { SESSION_MS } from '../people/sessions.ts';
import { PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';
import { createRefusedCalls, FOLDS_MAX, REFUSED_ACT, SINGLES_MAX, SINGLES_PER_SECOND_MAX } from './refused-calls.ts';

harnessPerTest();

const rowsOf = (act: string): AuditRow[] => harness.audit.rows.filter((row) => row.act === act);

test('a refused call is in the journal with its user, address and path, without its query and body', async () => {
  const viewer = await harness.personWith(admin, 'view');
  const { headers } = await viewer.send('POST', '/projects?key=slk_query', { id: 'a-secret', name: 'x' });
  await harness.nobody.send('GET', '/settings');
  expect(rowsOf(REFUSED_ACT)).toMatchObject([
    {
      type: 'admin',
      requestId: headers.get('x-request-id'),
      user: 'person 1',
      ip: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/projects',
      status: 403,
      code: 'permission_missing',
    },
    { path: '/api/v1/settings', status: 401, code: 'no_session' },
  ]);
  expect(JSON.stringify(rowsOf(REFUSED_ACT))).not.toMatch(/slk_query|a-secret/);
});

test('a cookie without its token, another host and another origin are in the journal', async () => {
  const { cookie } = admin;
  await harness.nobody.send('GET', '/projects', undefined, { cookie });
  await admin.send('GET', '/projects', undefined, { origin: 'http://attacker.example' });
  expect(rowsOf(REFUSED_ACT).map(({ user, code }) => [user, code])).toEqual([
    ['Ada', 'csrf_token_wrong'],
    [undefined, 'origin_not_allowed'],
  ]);
});

test('a conflict is in the journal once, as the action or as a refused call', async () => {
  await admin.send('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const before = harness.audit.rows.length;
  expect((await admin.send('POST', '/projects', { id: 'line-1', name: 'Line 1' })).status).toBe(409);
  expect(harness.audit.rows.slice(before).filter(({ status }) => status === 409)).toHaveLength(1);
});

test('a page that checks for a session leaves no row', async () => {
  expect((await harness.nobody.send('GET', '/session')).status).toBe(401);
  expect(rowsOf(REFUSED_ACT)).toEqual([]);
});

test('a refused call is answered as such while the journal cannot be written', async () => {
  harness.audit.failFrom = 0;
  const { status, body } = await harness.nobody.send('DELETE', '/projects/line-1');
  expect([status, body['code']]).toEqual([401, 'no_session']);
  expect(harness.logged.join('\n')).toContain('a refused call is not in the journal');
});

test('a log-out is in the journal, and one that cannot be recorded still ends the session', async () => {
  const other = await harness.logIn('Ada');
  expect((await admin.send('DELETE', '/session')).status).toBe(204);
  expect(rowsOf('session.logout')).toMatchObject([{ user: 'Ada', status: 200, ip: '127.0.0.1' }]);
  harness.audit.failFrom = 0;
  expect((await other.send('DELETE', '/session')).status).toBe(204);
  expect((await other.send('GET', '/projects')).status).toBe(401);
});

test('a session that expired or was replaced by a log-in is in the journal', async () => {
  await harness.nobody.send('POST', '/session', { name: 'Ada', password: PASSWORD }, { cookie: admin.cookie });
  expect(rowsOf('session.end')).toMatchObject([{ user: 'Ada', detail: 'replaced by a log-in' }]);
  harness.clock.ms += SESSION_MS;
  harness.deps.people.endExpiredSessions();
  harness.deps.people.endExpiredSessions();
  await vi.waitFor(() => expect(rowsOf('session.end')).toHaveLength(2), PATIENT_WAIT);
  expect(rowsOf('session.end')[1]).toMatchObject({ user: 'Ada', detail: 'expired', status: 200 });
});

function recorded(nowMs?: () => number) {
  const rows: Partial<AuditRow>[] = [];
  const log = createLogger('test', () => {});
  const refused = createRefusedCalls({ record: async (row) => void rows.push(row) }, log, nowMs);
  return { rows, refused };
}

test('a flood of 20,000 refused calls becomes a few rows a minute with the right total', async () => {
  const { rows, refused } = recorded();
  const path = `/${'x'.repeat(4_000)}`;
  for (let index = 0; index < 20_000; index++) {
    const user = index % 2 === 0 ? 'Ada' : `person ${index}`;
    await refused.add({
      ip: `10.0.0.${index % 250}`,
      user,
      method: 'PUT',
      path,
      status: 403,
      code: 'permission_missing',
    });
  }
  expect(rows.length).toBeLessThanOrEqual(SINGLES_PER_SECOND_MAX * 10);
  expect(rows.filter(({ user }) => user === 'Ada').length).toBeLessThanOrEqual(SINGLES_MAX);
  await refused.close();
  expect(rows.filter(({ count }) => count !== undefined).length).toBeLessThanOrEqual(FOLDS_MAX + 1);
  expect(rows.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(20_000);
  expect(Math.max(...rows.map((row) => String(row.path).length))).toBe(256);
});

test('networks and callers without a session have shares of the single rows of a second', async () => {
  const { rows, refused } = recorded(() => 0);
  const call = { method: 'GET', path: '/projects', status: 401, code: 'no_session' };
  for (let index = 0; index < 200; index++) await refused.add({ ...call, ip: `10.0.${index % 20}.7` });
  const flooded = rows.length;
  for (let index = 0; index < 200; index++) await refused.add({ ...call, ip: '10.9.0.7', user: `person ${index}` });
  const ofOneNetwork = rows.length - flooded;
  await refused.add({ ...call, ip: '192.168.4.7', user: 'Ada' });
  expect(rows.at(-1)).toMatchObject({ ip: '192.168.4.7', user: 'Ada' });
  expect([flooded, ofOneNetwork]).toEqual([5, 3]);
  await refused.close();
});
