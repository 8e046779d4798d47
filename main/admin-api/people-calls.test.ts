import { expect, test } from 'vitest';
import { type Client, PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest();

async function makeUser(by: Client, name: string, roles: string[]): Promise<string> {
  const { status, body } = await by.send('POST', '/users', { name, password: PASSWORD, roles });
  expect(status).toBe(201);
  return String(body['id']);
}

test('users are created and listed, and never show a password', async () => {
  await makeUser(admin, 'Bob', ['Operator']);
  const { body } = await admin.send('GET', '/users');
  expect(body).toMatchObject({
    items: [
      { name: 'Ada', roles: ['Administrator'] },
      { name: 'Bob', roles: ['Operator'], active: true },
    ],
    next: null,
  });
  expect(JSON.stringify([body, harness.audit.rows])).not.toMatch(/scrypt|correct horse/);
});

test.each([
  ['a short password', { name: 'Bob', password: 'short', roles: [] }, 'password'],
  ['an unknown role', { name: 'Bob', password: PASSWORD, roles: ['Root'] }, 'roles.0'],
  ['no roles', { name: 'Bob', password: PASSWORD }, 'roles'],
])('%s is refused, naming the field', async (_what, body, path) => {
  expect(await admin.send('POST', '/users', body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test('a deactivated user is locked out at once, even during a session', async () => {
  const id = await makeUser(admin, 'Bob', ['Operator']);
  const bob = await harness.logIn('Bob');
  expect((await bob.send('GET', '/projects')).status).toBe(200);
  expect((await admin.send('PATCH', `/users/${id}`, { active: false })).body['active']).toBe(false);
  expect((await bob.send('GET', '/projects')).body['code']).toBe('no_session');
  expect(harness.audit.rows.at(-2)).toMatchObject({
    act: 'user.deactivate',
    target: id,
    user: 'Ada',
    status: 200,
    detail: 'Bob',
  });
});

test('the last Administrator is kept', async () => {
  const { body } = await admin.send('GET', '/session');
  const { id } = body['user'] as { id: string };
  expect((await admin.send('PATCH', `/users/${id}`, { active: false })).body['code']).toBe('conflict');
  expect((await admin.send('PATCH', `/users/${id}`, { roles: [] })).body['code']).toBe('conflict');
});

test('managers of users grant nothing that they do not hold, and the attempt is in the journal', async () => {
  const manager = await harness.personWith(admin, 'manage_users', 'view');
  const attempt = await manager.send('POST', '/users', { name: 'Eve', password: PASSWORD, roles: ['Administrator'] });
  expect(attempt).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'user.create', code: 'permission_missing', status: 403 });
  const { body } = await admin.send('GET', '/session');
  const { id } = body['user'] as { id: string };
  expect((await manager.send('PATCH', `/users/${id}`, { password: 'known to them' })).status).toBe(403);
  expect((await manager.send('POST', '/roles', { name: 'Root', permissions: ['access_settings'] })).status).toBe(403);
});

test('roles are created and changed, built-in ones cannot be changed, unknown ones get 404', async () => {
  const made = await admin.send('POST', '/roles', { name: 'Auditor', permissions: ['view_audit', 'view'] });
  expect(made.body).toMatchObject({ name: 'Auditor', permissions: ['view_audit', 'view'], builtIn: false });
  const changed = await admin.send('PATCH', `/roles/${String(made.body['id'])}`, { permissions: ['view_audit'] });
  expect(changed.body['permissions']).toEqual(['view_audit']);
  expect((await admin.send('PATCH', '/roles/viewer', { permissions: [] })).status).toBe(409);
  expect((await admin.send('PATCH', '/roles/nothing', { permissions: [] })).status).toBe(404);
  expect((await admin.send('PATCH', '/users/nothing', { active: false })).status).toBe(404);
  expect((await admin.send('POST', '/roles', { name: 'X', permissions: ['root'] })).body['errors']).toMatchObject([
    { path: 'permissions.0' },
  ]);
  expect((await admin.send('GET', '/roles')).body['items']).toHaveLength(5);
});
