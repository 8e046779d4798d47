import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyRecord } from '#common/model/records.ts';
import { type Client, createLine, type Harness, holdStarts } from './harness.testing.ts';
import { LatestRestrictions, SUBJECTS_MAX } from './latest-restrictions.ts';
import { WAITING_MAX } from './locks.ts';

/** A revocation, a stop or a removal of rights takes effect immediately, whatever other changes are in progress. */
let harness: Harness;
let admin: Client;
beforeEach(async () => {
  ({ harness, admin } = await createLine());
});
afterEach(() => harness.close());

const ORDERS = '/projects/line-7/pipelines/orders';
/** For requests that are sent at the same time. */
const ARRIVE = { timeout: 20_000 };
const isInGateway = (wanted: object) => () =>
  expect(harness.gateway.changes).toContainEqual(expect.objectContaining(wanted));

/** Journal rows of this act are not written until `release`. */
function holdRows(act: string): { readonly begun: Promise<void>; release(): void } {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { record } = harness.audit;
  harness.audit.record = async (row) => {
    if (row.act === act) {
      begun.resolve();
      await released.promise;
    }
    return record.call(harness.audit, row);
  };
  return { begun: begun.promise, release: released.resolve };
}

async function createOrders(): Promise<void> {
  const settings = { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders' };
  const nodes = [{ id: 'in', kind: 'rest-api', settings }];
  await admin.send('POST', '/projects/line-7/pipelines', { id: 'orders', name: 'Orders', nodes, wires: [] });
}

async function addUser(...permissions: ('view' | 'edit_pipelines')[]): Promise<{ id: string; roles: string[] }> {
  await harness.personWith(admin, ...permissions);
  const user = harness.deps.people.users().findLast(({ name }) => name !== 'Ada');
  if (user === undefined) throw new Error('there is no second user');
  return user;
}

test('a key is revoked while its project is being deleted', async () => {
  const { body } = await admin.send('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
  const { id } = body['record'] as KeyRecord;
  const rows = holdRows('project.delete');
  const deleting = admin.send('DELETE', '/projects/line-7');
  await rows.begun;
  expect((await admin.send('POST', `/projects/line-7/keys/${id}/revoke`)).status).toBe(200);
  isInGateway({ kind: 'key-revoked', keyId: id })();
  rows.release();
  await deleting;
  expect(harness.deps.keys.get(id)?.revokedBy).toBe('Ada');
});

test('a pipeline stops while starts of it wait, none of which starts it again', async () => {
  await createOrders();
  await admin.send('POST', `${ORDERS}/start`);
  const held = holdStarts(harness);
  const { pipeline } = harness.projects;
  let reads = 0;
  harness.projects.pipeline = (...args) => {
    reads++;
    return pipeline(...args);
  };
  const starts = Array.from({ length: WAITING_MAX + 1 }, () => admin.send('POST', `${ORDERS}/start`));
  await held.asked;
  // Each reads the pipeline when it arrives, and the one that has its turn twice more.
  await expect.poll(() => reads, ARRIVE).toBe(starts.length + 2);
  expect((await admin.send('POST', `${ORDERS}/stop`)).body).toMatchObject({ state: 'stopped' });
  isInGateway({ kind: 'stop', project: 'line-7', pipeline: 'orders' })();
  held.release();
  expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(starts.map(() => 409));
  expect(harness.gateway.changes.at(-1)?.kind).toBe('stop');
  expect(harness.projects.pipeline('line-7', 'orders')?.wantedRevision).toBeNull();
  expect((await admin.send('POST', `${ORDERS}/start`)).body).toMatchObject({ state: 'running' });
});

test('a pipeline stops while its project is being deleted', async () => {
  await createOrders();
  await admin.send('POST', `${ORDERS}/start`);
  const rows = holdRows('project.delete');
  const deleting = admin.send('DELETE', '/projects/line-7');
  await rows.begun;
  expect((await admin.send('POST', `${ORDERS}/stop`)).status).toBe(200);
  rows.release();
  await deleting;
});

test('a start that was requested after a stop stays although the stop is saved later', async () => {
  await createOrders();
  await admin.send('POST', `${ORDERS}/start`);
  const rows = holdRows('pipeline.stop');
  const stopping = admin.send('POST', `${ORDERS}/stop`);
  await rows.begun;
  expect((await admin.send('POST', `${ORDERS}/start`)).status).toBe(200);
  rows.release();
  await stopping;
  expect(harness.gateway.changes.at(-1)?.kind).toBe('start');
  expect(harness.projects.pipeline('line-7', 'orders')?.wantedRevision).toBe(1);
});

test('a user is locked out before the journal has the row', async () => {
  const user = await addUser('view');
  const rows = holdRows('user.deactivate');
  const deactivating = admin.send('PATCH', `/users/${user.id}`, { active: false });
  await rows.begun;
  expect(harness.deps.people.users().find(({ id }) => id === user.id)?.active).toBe(false);
  rows.release();
  expect((await deactivating).status).toBe(200);
});

test('roles that were requested before a restriction are not given after it', async () => {
  const user = await addUser('view');
  const rows = holdRows('user.change');
  const giving = admin.send('PATCH', `/users/${user.id}`, { roles: [...user.roles, 'Engineer'] });
  await rows.begun;
  const taking = admin.send('PATCH', `/users/${user.id}`, { roles: [] });
  await expect.poll(() => harness.deps.people.users().find(({ id }) => id === user.id)?.roles, ARRIVE).toEqual([]);
  rows.release();
  expect((await giving).body['code']).toBe('conflict');
  expect((await taking).status).toBe(200);
  expect(harness.deps.people.users().find(({ id }) => id === user.id)?.roles).toEqual([]);
});

test('a user who is active again does not get back roles that were removed in the same call', async () => {
  const user = await addUser('view', 'edit_pipelines');
  harness.faults.vault = true;
  const both = { active: false, roles: [] };
  expect((await admin.send('PATCH', `/users/${user.id}`, both)).body['code']).toBe('not_saved');
  expect(harness.deps.unsaved.list().map(({ id }) => id)).toEqual([`user ${user.id}`, `roles of user ${user.id}`]);
  harness.faults.vault = false;
  expect((await admin.send('PATCH', `/users/${user.id}`, { active: true })).body).toMatchObject({ roles: [] });
  await harness.deps.unsaved.retry();
  expect(harness.deps.people.users().find(({ id }) => id === user.id)).toMatchObject({ active: true, roles: [] });
});

test('a manager cannot return what a held restriction removed', async () => {
  await admin.send('POST', '/roles', { name: 'Managers', permissions: ['manage_users'] });
  const password = 'correct horse battery';
  await admin.send('POST', '/users', { name: 'Carol', password, roles: ['Managers'] });
  await admin.send('POST', '/users', { name: 'Bob', password, roles: ['Engineer'] });
  const carol = await harness.logIn('Carol');
  const bob = harness.deps.people.users().find(({ name }) => name === 'Bob')?.id ?? '';
  harness.faults.vault = true;
  expect((await admin.send('PATCH', `/users/${bob}`, { roles: [] })).body['code']).toBe('not_saved');
  harness.faults.vault = false;
  expect((await carol.send('PATCH', `/users/${bob}`, { roles: ['Engineer'] })).body['code']).toBe('permission_missing');
  expect((await admin.send('PATCH', `/users/${bob}`, { roles: ['Engineer'] })).status).toBe(200);
});

test('the last Administrator stays, even while the deactivation of the other one is held', async () => {
  const account = { name: 'Carol', password: 'correct horse battery', roles: ['Administrator'] };
  const { body } = await admin.send('POST', '/users', account);
  harness.faults.vault = true;
  expect((await admin.send('PATCH', `/users/${String(body['id'])}`, { active: false })).body['code']).toBe('not_saved');
  const ada = harness.deps.people.users().find(({ name }) => name === 'Ada')?.id ?? '';
  expect((await admin.send('PATCH', `/users/${ada}`, { active: false })).body['code']).toBe('conflict');
  expect((await admin.send('GET', '/status')).status).toBe(200);
});

test('a restriction that is removed counts for every change that was requested before it', () => {
  const latest = new LatestRestrictions();
  const before = latest.watch('user u1');
  latest.add('user u2');
  expect(before).not.toThrow();
  latest.add('user u1');
  for (let i = 0; i < SUBJECTS_MAX; i++) latest.add(`user ${i}`);
  expect(before).toThrow('check and try again');
  expect(latest.watch('user u1')).not.toThrow();
});
