import { afterEach, beforeEach, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { createAlarms } from '../host/alarms.ts';
import { tellOfUnsaved } from '../host/unsaved-alarm.ts';
import { PROJECTS_MAX } from '../projects/project-store.ts';
import { type Client, createHarness, type Harness, PASSWORD } from './harness.testing.ts';

/** Acts that take rights away, while the vault or the project store cannot be written. */
let harness: Harness;
let admin: Client;
beforeEach(async () => {
  harness = await createHarness();
  admin = await harness.setUp();
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
});
afterEach(() => harness.close());

const KEYS = '/projects/line-7/keys';
const ORDERS = '/projects/line-7/pipelines/orders';

async function makeKey(): Promise<KeyRecord> {
  const { body } = await admin.send('POST', KEYS, { name: 'MES', scopes: [] });
  return body['record'] as KeyRecord;
}

async function runOrders(): Promise<void> {
  const settings = { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders' };
  const nodes = [{ id: 'in', kind: 'rest-api', settings }];
  await admin.send('POST', '/projects/line-7/pipelines', { id: 'orders', name: 'Orders', nodes, wires: [] });
  expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(200);
}

test('a key is refused at once when the vault cannot be written, and is saved when it can', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  const answer = await admin.send('POST', `${KEYS}/${id}/revoke`);
  expect(answer).toMatchObject({
    status: 507,
    body: { code: 'not_saved', detail: expect.stringContaining('In force now, but not saved') },
  });
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-revoked', keyId: id });
  // What a gateway that is started now is sent.
  expect(harness.deps.keys.entries()).toMatchObject([{ id, revoked: true }]);
  expect((await admin.send('POST', `${KEYS}/${id}/rotate`)).status).not.toBe(201);
  expect((await admin.send('GET', KEYS)).body).toMatchObject({ items: [{ id, revokedBy: 'Ada' }] });

  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toHaveLength(1);
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(savedRevocations()).toEqual([['Ada']]);
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.revoke', keyId: id, status: 200, user: 'Ada' });
});

test('the ballast is given up for a revocation', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  harness.faults.ballast = true;
  expect((await admin.send('POST', `${KEYS}/${id}/revoke`)).status).toBe(200);
  expect(savedRevocations()).toEqual([['Ada']]);
});

test.each(['vault', 'journal'] as const)('the ballast is given up for a deactivation, full: %s', async (full) => {
  await harness.personWith(admin, 'view');
  const found = harness.deps.people.users().find(({ name }) => name !== 'Ada');
  harness.faults.vault = full === 'vault';
  harness.faults.ballast = true;
  if (full === 'journal') harness.audit.failFrom = harness.audit.rows.length;
  expect((await admin.send('PATCH', `/users/${found?.id}`, { active: false })).status).toBe(200);
  expect(harness.deps.people.users().find(({ id }) => id === found?.id)?.active).toBe(false);
});

test('a second revocation saves what the first could not', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  await admin.send('POST', `${KEYS}/${id}/revoke`);
  harness.faults.vault = false;
  expect((await admin.send('POST', `${KEYS}/${id}/revoke`)).body).toMatchObject({ id, revokedBy: 'Ada' });
  expect(harness.deps.unsaved.list()).toEqual([]);
});

test('a pipeline stops when neither the project store nor the journal can be written', async () => {
  await runOrders();
  harness.faults.wanted = true;
  expect((await admin.send('POST', `${ORDERS}/stop`)).body['code']).toBe('not_saved');
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'stop', project: 'line-7', pipeline: 'orders' });
  expect(harness.deps.resources.wanted()).toEqual([]);
  expect((await admin.send('GET', ORDERS)).body).toMatchObject({ state: 'stopped' });

  harness.faults.wanted = false;
  harness.audit.failFrom = harness.audit.rows.length;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toHaveLength(1);
  harness.audit.failFrom = Infinity;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.projects.pipeline('line-7', 'orders')?.wantedRevision).toBeNull();
});

test('a start takes the place of a stop that is not saved', async () => {
  await runOrders();
  harness.faults.wanted = true;
  await admin.send('POST', `${ORDERS}/stop`);
  harness.faults.wanted = false;
  expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(200);
  await harness.deps.unsaved.retry();
  expect(harness.projects.pipeline('line-7', 'orders')?.wantedRevision).toBe(1);
});

test('a user who is deactivated on a full disk is logged out and stays out', async () => {
  const bob = await harness.personWith(admin, 'view');
  const { body } = await admin.send('GET', '/users');
  const found = (body['items'] as { id: string; name: string }[]).find((user) => user.name !== 'Ada');
  if (found === undefined) throw new Error('there is no second user');
  const { id, name } = found;
  harness.faults.vault = true;
  expect((await admin.send('PATCH', `/users/${id}`, { active: false })).body['code']).toBe('not_saved');
  expect((await bob.send('GET', '/status')).status).toBe(401);
  expect((await harness.nobody.send('POST', '/session', { name, password: PASSWORD })).body['code']).toBe(
    'login_failed',
  );
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(harness.deps.people.users().find((user) => user.id === id)?.active).toBe(false);
});

test('uploads are refused below the reserve, and nothing is left of them', async () => {
  harness.faults.level = 'reserve';
  const file = (await admin.send('GET', '/projects/line-7/export')).body;
  for (const [path, body] of [
    ['/projects/import', { file, id: 'line-8' }],
    ['/plugins', { archive: '' }],
  ] as const)
    expect(await admin.send('POST', path, body)).toMatchObject({ status: 507, body: { code: 'disk_reserve' } });
  harness.faults.level = 'low';
  expect((await admin.send('POST', '/projects/import', { file, id: 'line-8' })).status).toBe(201);
});

test('the number of projects has a limit', async () => {
  harness.projects.atOnce(() => {
    for (let i = harness.projects.projects().length; i < PROJECTS_MAX; i++)
      harness.projects.createProject({ id: `p-${i}`, name: `P ${i}` });
  });
  expect((await admin.send('POST', '/projects', { id: 'more', name: 'More' })).body['code']).toBe('conflict');
});

test('what is no longer there is not saved again and again', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  await admin.send('POST', `${KEYS}/${id}/revoke`);
  harness.deps.keys.revoke = () => Promise.reject(new SluiceError('unknown', 'There is no such key.'));
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.deps.keys.entries()).toMatchObject([{ id, revoked: false }]);
});

test('a queue that is full neither ends a revocation that is held nor the attempts to save it', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  await admin.send('POST', `${KEYS}/${id}/revoke`);
  const { revoke } = harness.deps.keys;
  const refuseWith = (code: 'overloaded' | 'unknown') =>
    (harness.deps.keys.revoke = () => Promise.reject(new SluiceError(code, 'Made by the test.')));
  refuseWith('overloaded');
  await harness.deps.unsaved.retry();
  expect((await admin.send('POST', `${KEYS}/${id}/revoke`)).body['code']).toBe('not_saved');
  expect(harness.deps.unsaved.list()).toHaveLength(1);
  refuseWith('unknown');
  await admin.send('POST', `${KEYS}/${id}/revoke`);
  expect(harness.deps.keys.entries()).toMatchObject([{ id, revoked: true }]);

  harness.deps.keys.revoke = revoke;
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(savedRevocations()).toEqual([['Ada']]);
});

test('a deactivation that turns out to be refused leaves nobody shut out', async () => {
  await harness.personWith(admin, 'view');
  const found = harness.deps.people.users().find(({ name }) => name !== 'Ada');
  if (found === undefined) throw new Error('there is no second user');
  harness.faults.vault = true;
  await admin.send('PATCH', `/users/${found.id}`, { active: false });
  harness.deps.people.changeUser = () => Promise.reject(new SluiceError('conflict', 'Made by the test.'));
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect((await harness.logIn(found.name)).cookie).not.toBe('');
});

test('the alarm names what a restart would undo, and ends when it is saved', () => {
  const alarms = createAlarms();
  const save = () => Promise.resolve();
  tellOfUnsaved(
    alarms,
    ['a', 'b', 'c', 'd'].map((id) => ({ id, what: `the revocation of the key "${id}"`, save, release: () => {} })),
  );
  expect(alarms.list()).toMatchObject([{ code: 'changes_unsaved', values: { count: 4 } }]);
  expect(alarms.list()[0]?.text).toContain('the key "c" and 1 more');
  tellOfUnsaved(alarms, []);
  expect(alarms.list()).toEqual([]);
});

function savedRevocations(): unknown[] {
  return harness.vault.read((db) => db.exec('SELECT revoked_by FROM keys')[0]?.values ?? []);
}
