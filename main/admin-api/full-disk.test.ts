import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { phrase } from '#common/alarms/phrase.ts';
import { desktop as german } from '#common/languages/de/desktop.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import { createAlarms } from '../host/alarms.ts';
import { HELD_FILE } from '../host/held-file.ts';
import { setUnsavedAlarms } from '../host/unsaved-alarm.ts';
import { PROJECTS_MAX } from '../projects/project-store.ts';
import { type Client, createLine, type Harness, PASSWORD } from './harness.testing.ts';
import { createRestarts } from './restart.testing.ts';

/** Actions that remove rights, while the vault or the project store cannot be written. */
let harness: Harness;
let admin: Client;
beforeEach(async () => {
  ({ harness, admin } = await createLine());
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

/** Stops the running pipeline `orders`, which cannot be saved; then the disk has space again. */
async function stopUnsaved(): Promise<void> {
  await runOrders();
  harness.faults.wanted = true;
  await admin.send('POST', `${ORDERS}/stop`);
  harness.faults.wanted = false;
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
  // The snapshot of a gateway that starts now.
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
  await stopUnsaved();
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
  harness.faults.free = -1;
  const file = (await admin.send('GET', '/projects/line-7/export')).body;
  for (const [path, body] of [
    ['/projects/import', { file, id: 'line-8' }],
    ['/plugins', { archive: '' }],
  ] as const)
    expect(await admin.send('POST', path, body)).toMatchObject({ status: 507, body: { code: 'disk_reserve' } });
  const bytes = JSON.stringify(file).length;
  harness.faults.free = 2 * bytes - 1;
  expect((await admin.send('POST', '/projects/import', { file, id: 'line-8' })).body['code']).toBe('disk_reserve');
  harness.faults.free = 2 * bytes + 1_000;
  expect((await admin.send('POST', '/projects/import', { file, id: 'line-8' })).status).toBe(201);
});

test('the number of projects has a limit', async () => {
  harness.projects.atOnce(() => {
    for (let i = harness.projects.projects().length; i < PROJECTS_MAX; i++)
      harness.projects.createProject({ id: `p-${i}`, name: `P ${i}` });
  });
  expect((await admin.send('POST', '/projects', { id: 'more', name: 'More' })).body['code']).toBe('conflict');
});

test('a revocation of a key that no longer exists is not retried again', async () => {
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

test('a revocation that is held stays in force while its project is locked', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  await admin.send('POST', `${KEYS}/${id}/revoke`);
  const begun = Promise.withResolvers<undefined>();
  const mayEnd = Promise.withResolvers<undefined>();
  const { record } = harness.audit;
  harness.audit.record = async (row) => {
    if (row.act === 'project.delete') {
      begun.resolve(undefined);
      await mayEnd.promise;
    }
    return record.call(harness.audit, row);
  };
  const deleting = admin.send('DELETE', '/projects/line-7');
  await begun.promise;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toHaveLength(1);
  expect(harness.deps.keys.entries()).toMatchObject([{ id, revoked: true }]);
  mayEnd.resolve(undefined);
  await deleting;
});

test('a deactivation that turns out to be refused leaves nobody shut out', async () => {
  await harness.personWith(admin, 'view');
  const found = harness.deps.people.users().find(({ name }) => name !== 'Ada');
  if (found === undefined) throw new Error('there is no second user');
  harness.faults.vault = true;
  await admin.send('PATCH', `/users/${found.id}`, { active: false });
  harness.deps.people.saveHeld = () => Promise.reject(new SluiceError('conflict', 'Made by the test.'));
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect((await harness.logIn(found.name)).cookie).not.toBe('');
});

test('a deactivation that is held is saved, although its author has no rights any more', async () => {
  const account = { name: 'Carol', password: PASSWORD, roles: ['Administrator'] };
  expect((await admin.send('POST', '/users', account)).status).toBe(201);
  await harness.personWith(admin, 'view');
  const idOf = (wanted: (name: string) => boolean) =>
    harness.deps.people.users().find(({ name }) => wanted(name))?.id ?? '';
  const bob = idOf((name) => name !== 'Ada' && name !== 'Carol');
  const carol = await harness.logIn('Carol');
  harness.faults.vault = true;
  expect((await carol.send('PATCH', `/users/${bob}`, { active: false })).body['code']).toBe('not_saved');
  harness.faults.vault = false;
  const ofCarol = `/users/${idOf((name) => name === 'Carol')}`;
  expect((await admin.send('PATCH', ofCarol, { active: false })).status).toBe(200);
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.deps.people.users().find(({ id }) => id === bob)?.active).toBe(false);
});

test('the alarm names the changes in both languages, and whether a restart undoes them', () => {
  const alarms = createAlarms();
  const list = ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    begun: 0,
    what: phrase('key_revoked', { key: id, project: 'line-1' }),
    record: {},
    save: () => Promise.resolve(),
    release: () => {},
  }));
  setUnsavedAlarms(alarms, { list: () => list, survive: true, unreadable: 0 });
  const [alarm] = alarms.list();
  expect(alarm).toMatchObject({ code: 'changes_unsaved', values: { count: 4 } });
  expect(alarm?.text).toContain('the revocation of the key "c" of the project "line-1", 1 more.');
  expect(alarm && alarmText(alarm, german)).toContain('Widerruf des Schlüssels „c“ im Projekt „line-1“, 1 weitere.');
  setUnsavedAlarms(alarms, { list: () => list, survive: false, unreadable: 0 });
  expect(alarms.list()).toMatchObject([{ code: 'changes_undone_by_restart' }]);
  const [undone] = alarms.list();
  expect(undone && alarmText(undone, german)).toContain('macht ein Neustart sie rückgängig');
  setUnsavedAlarms(alarms, { list: () => [], survive: true, unreadable: 2 });
  const [unreadable] = alarms.list();
  expect(unreadable).toMatchObject({ code: 'changes_unreadable', values: { count: 2 } });
  expect(unreadable && alarmText(unreadable, german)).toContain('2 Widerrufe, Stopps');
  setUnsavedAlarms(alarms, { list: () => [], survive: true, unreadable: 0 });
  expect(alarms.list()).toEqual([]);
});

describe('across a restart', () => {
  const restarts = createRestarts();
  const restart = () => restarts.restart(harness);
  afterEach(restarts.end);
  const beginWithFile = async () => {
    await harness.close();
    ({ harness, admin } = await createLine({ heldFile: true }));
  };
  beforeEach(beginWithFile);

  test('a revocation that was not saved is in force again, and is saved with its journal rows', async () => {
    const { id } = await makeKey();
    harness.faults.vault = true;
    const { body } = await admin.send('POST', `${KEYS}/${id}/revoke`);
    expect(body).toMatchObject({ code: 'not_saved', detail: expect.stringContaining('It survives a restart') });
    restart();
    expect(harness.deps.keys.entries()).toMatchObject([{ id, revoked: true }]);
    harness.faults.vault = false;
    await harness.deps.unsaved.retry();
    expect(savedRevocations()).toEqual([['Ada']]);
    expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.revoke', keyId: id, status: 200, user: 'Ada' });
    restart();
    expect(harness.deps.unsaved.list()).toEqual([]);
  });

  test('narrower limits that were not saved are in force again, and are saved', async () => {
    const { id } = await makeLimited();
    harness.faults.vault = true;
    expect((await narrowKey(id)).status).toBe(507);
    restart();
    expect(harness.deps.keys.entries()).toMatchObject([{ id, limits: NARROW }]);
    harness.faults.vault = false;
    await harness.deps.unsaved.retry();
    expect(savedLimits()).toEqual([[JSON.stringify(NARROW)]]);
  });

  test('a stop that was not saved is in force again', async () => {
    await runOrders();
    harness.faults.wanted = true;
    await admin.send('POST', `${ORDERS}/stop`);
    restart();
    expect(harness.deps.projects.wanted()).toEqual([]);
    await harness.deps.unsaved.retry();
    expect(harness.projects.pipeline('line-7', 'orders')?.wantedRevision).toBeNull();
  });

  test('a start that took the place of a stop stays', async () => {
    await stopUnsaved();
    await admin.send('POST', `${ORDERS}/start`);
    restart();
    expect(harness.deps.projects.wanted()).toHaveLength(1);
  });

  test('people without their log-in, a role or a permission stay so', async () => {
    const [bob, eve, dan] = await Promise.all(
      (['view', 'edit_pipelines', 'run_pipelines'] as const).map((one) => harness.personWith(admin, one, 'view')),
    );
    const users = harness.deps.people.users().filter(({ name }) => name !== 'Ada');
    const [first, second, third] = users.map(({ id, name, roles }) => ({ id, name, roles }));
    const role = harness.deps.people.roles().find(({ name }) => name === third?.roles[0]);
    harness.faults.vault = true;
    for (const [path, body] of [
      [`/users/${first?.id}`, { active: false }],
      [`/users/${second?.id}`, { roles: [] }],
      [`/roles/${role?.id}`, { permissions: ['view'] }],
    ] as const)
      expect((await admin.send('PATCH', path, body)).body['code']).toBe('not_saved');
    for (const client of [bob, eve, dan]) expect((await client?.send('GET', '/status'))?.status).toBe(401);

    const rightsOf = async (name = '') => {
      const { session } = await harness.deps.people.logIn(name, PASSWORD, '127.0.0.1');
      return [...session.permissions];
    };
    for (let start = 0; start < 2; start++) {
      await expect(rightsOf(first?.name)).rejects.toMatchObject({ code: 'login_failed' });
      expect(await rightsOf(second?.name)).toEqual([]);
      expect(await rightsOf(third?.name)).toEqual(['view']);
      restart();
    }
    harness.faults.vault = false;
    await harness.deps.unsaved.retry();
    expect(harness.deps.unsaved.list()).toEqual([]);
    expect(harness.deps.people.users().find(({ id }) => id === first?.id)?.active).toBe(false);
    expect(harness.deps.people.users().find(({ id }) => id === second?.id)?.roles).toEqual([]);
    expect(harness.deps.people.roles().find(({ id }) => id === role?.id)?.permissions).toEqual(['view']);
  });

  test('a restored older file gives nobody more rights than a newer decision left', async () => {
    await harness.personWith(admin, 'view', 'edit_pipelines', 'run_pipelines');
    const { people } = harness.deps;
    const user = people.users().find(({ name }) => name !== 'Ada');
    const role = people.roles().find(({ name }) => name === user?.roles[0]);
    const ofRole = `/roles/${role?.id}`;
    const ofUser = `/users/${user?.id}`;
    const file = join(harness.dataDir, HELD_FILE);
    harness.faults.vault = true;
    const fewer = { permissions: ['view', 'edit_pipelines'] };
    expect((await admin.send('PATCH', ofRole, fewer)).body['code']).toBe('not_saved');
    const same = { roles: user?.roles };
    expect((await admin.send('PATCH', ofUser, same)).body['code']).toBe('not_saved');
    const older = readFileSync(file);
    harness.faults.vault = false;
    expect((await admin.send('PATCH', ofRole, { permissions: ['view'] })).status).toBe(200);
    expect((await admin.send('PATCH', ofUser, { roles: [] })).status).toBe(200);
    expect(harness.deps.unsaved.list()).toEqual([]);

    writeFileSync(file, older);
    restart();
    expect(harness.deps.unsaved.list()).toHaveLength(2);
    await harness.deps.unsaved.retry();
    expect(harness.deps.unsaved.list()).toEqual([]);
    expect(harness.deps.people.roles().find(({ id }) => id === role?.id)?.permissions).toEqual(['view']);
    expect(harness.deps.people.users().find(({ id }) => id === user?.id)?.roles).toEqual([]);
  });

  test('the answer says it when the change cannot be kept', async () => {
    const { id } = await makeKey();
    harness.faults.vault = true;
    rmSync(join(harness.dataDir, HELD_FILE));
    const { body } = await admin.send('POST', `${KEYS}/${id}/revoke`);
    expect(body['detail']).toContain('a restart of Sluice undoes it');
    expect(harness.deps.unsaved.survive).toBe(false);
  });
});

const NARROW = { 'tag:write': ['line7/speed'], addresses: ['10.0.0.0/8'] };
const narrowKey = (id: string, limits: object = NARROW) => admin.send('PUT', `${KEYS}/${id}/limits`, { limits });
const savedLimits = () => harness.vault.read((db) => db.exec('SELECT limits FROM keys')[0]?.values ?? []);

async function makeLimited(): Promise<KeyRecord> {
  const limits = { 'tag:write': ['line7/*'] };
  const { body } = await admin.send('POST', KEYS, { name: 'MES', scopes: ['tag:write'], limits });
  return body['record'] as KeyRecord;
}

test('narrower limits of a key are in force at once when the vault cannot be written, and are saved when it can', async () => {
  const { id } = await makeLimited();
  harness.faults.vault = true;
  expect(await narrowKey(id)).toMatchObject({ status: 507, body: { code: 'not_saved' } });
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-limits', keyId: id, limits: NARROW });
  expect(harness.deps.keys.entries()).toMatchObject([{ id, limits: NARROW }]);
  expect((await admin.send('GET', KEYS)).body).toMatchObject({ items: [{ id, limits: NARROW }] });
  harness.faults.vault = false;
  expect(savedLimits()).toEqual([['{"tag:write":["line7/*"]}']]);
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(savedLimits()).toEqual([[JSON.stringify(NARROW)]]);
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.limit', keyId: id, status: 200, user: 'Ada' });
});

test('of two narrowings that are not saved, the narrowest lists are in force and saved', async () => {
  const { id } = await makeLimited();
  harness.faults.vault = true;
  await narrowKey(id, { 'tag:write': ['line7/*'], addresses: ['10.0.0.0/8'] });
  await narrowKey(id, { 'tag:write': ['line7/speed'], addresses: ['10.1.0.0/16'] });
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(savedLimits()).toEqual([['{"tag:write":["line7/speed"],"addresses":["10.1.0.0/16"]}']]);
  expect(harness.deps.keys.get(id)?.limits).toEqual({ 'tag:write': ['line7/speed'], addresses: ['10.1.0.0/16'] });
});

test('wider limits take the place of a narrowing that is not saved', async () => {
  const { id } = await makeLimited();
  harness.faults.vault = true;
  await narrowKey(id);
  expect((await narrowKey(id, {})).status).toBe(500);
  expect(harness.deps.keys.get(id)?.limits).toEqual(NARROW);
  harness.faults.vault = false;
  expect((await narrowKey(id, {})).body).toMatchObject({ limits: {} });
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-limits', keyId: id, limits: {} });
  expect(harness.deps.keys.entries()).toMatchObject([{ id, limits: {} }]);
});

test('a pause is in force at once when the vault cannot be written, and is saved when it can', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  const answer = await admin.send('POST', `${KEYS}/${id}/pause`, { reason: 'service' });
  expect(answer).toMatchObject({ status: 507, body: { code: 'not_saved' } });
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-paused', keyId: id, paused: 'service' });
  expect(harness.deps.keys.entries()).toMatchObject([{ id, paused: 'service' }]);
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(savedPauses()).toMatchObject([[expect.stringContaining('"reason":"service"')]]);
  expect(harness.audit.rows.at(-1)).toMatchObject({ act: 'key.pause', keyId: id, status: 200, user: 'Ada' });
});

test('a resumption takes the place of a pause that is not saved', async () => {
  const { id } = await makeKey();
  harness.faults.vault = true;
  await admin.send('POST', `${KEYS}/${id}/pause`, { reason: 'service' });
  expect((await admin.send('POST', `${KEYS}/${id}/resume`)).status).toBe(500);
  expect(harness.deps.keys.get(id)?.paused).toMatchObject({ reason: 'service' });
  harness.faults.vault = false;
  expect((await admin.send('POST', `${KEYS}/${id}/resume`)).body).toMatchObject({ paused: null });
  expect(harness.deps.unsaved.list()).toEqual([]);
  expect(harness.gateway.changes.at(-1)).toEqual({ kind: 'key-paused', keyId: id, paused: null });
  expect(savedPauses()).toEqual([[null]]);
});

const savedPauses = () => harness.vault.read((db) => db.exec('SELECT paused FROM keys')[0]?.values ?? []);

function savedRevocations(): unknown[] {
  return harness.vault.read((db) => db.exec('SELECT revoked_by FROM keys')[0]?.values ?? []);
}
