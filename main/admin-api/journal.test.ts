import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

/** With the real journal: actions through the API are found in it, through the API. */
harnessPerTest({ journal: true });

async function rows(query = ''): Promise<AuditRow[]> {
  const { status, body } = await admin.send('GET', `/audit${query}`);
  expect(status).toBe(200);
  return body['items'] as AuditRow[];
}

test('every action is found at once, newest first, by its request ID too', async () => {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const made = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: ['db:write'] });
  expect((await rows()).map(({ act, status }) => [act, status])).toEqual([
    ['key.create', 200],
    ['key.create', undefined],
    ['project.create', 200],
    ['project.create', undefined],
    ['session.login', 200],
    ['setup', 200],
    ['setup', undefined],
  ]);
  const requestId = made.headers.get('x-request-id') ?? '';
  expect(await rows(`?requestId=${requestId}&type=admin`)).toMatchObject([
    { status: 200, user: 'Ada', project: 'line-7' },
    { act: 'key.create' },
  ]);
});

test('no password, token or key is in the exported journal', async () => {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const { body } = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
  await admin.send('PATCH', '/settings', { metricsToken: 'a token of 24 characters' });
  await harness.nobody.send('POST', '/session', { name: 'Ada', password: 'a wrong password' });
  const { body: exported } = await admin.send('GET', '/audit/export?format=jsonl');
  const text = String(exported['text']);
  expect(text).toContain('session.login-failed');
  for (const secret of [
    PASSWORD,
    'a wrong password',
    'a token of',
    String(body['key']),
    admin.cookie,
    admin.csrfToken,
  ]) {
    expect(text).not.toContain(secret);
  }
});

test('both chains are valid after all of it', async () => {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  expect((await admin.send('GET', '/audit/verify')).body).toMatchObject({ ok: true, findings: [] });
});
