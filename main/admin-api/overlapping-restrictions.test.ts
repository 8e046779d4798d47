import { phrase } from '#common/alarms/phrase.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UserRecord } from '#common/model/records.ts';
import { type Client, createHarness, type Harness, PASSWORD } from './harness.testing.ts';
import { LatestRestrictions } from './latest-restrictions.ts';
import { performRestriction } from './perform-restriction.ts';
import { createRestarts } from './restart.testing.ts';

/** Restrictions of the same user or role that overlap in time, while the vault cannot be written. */
let harness: Harness;
let admin: Client;
const restarts = createRestarts();
beforeEach(async () => {
  harness = await createHarness({ heldFile: true });
  admin = await harness.setUp();
  await admin.send('POST', '/roles', { name: 'Crew', permissions: ['view', 'run_pipelines', 'edit_pipelines'] });
  await admin.send('POST', '/users', { name: 'Bob', password: PASSWORD, roles: ['Engineer', 'Operator', 'Viewer'] });
});
afterEach(async () => {
  restarts.end();
  await harness.close();
});

function userNamed(name: string): UserRecord {
  const found = harness.deps.people.users().find((user) => user.name === name);
  if (found === undefined) throw new Error(`there is no user ${name}`);
  return found;
}
const bob = () => userNamed('Bob');
const crew = () => harness.deps.people.roles().find(({ name }) => name === 'Crew');

/** The subject of a pair of restrictions: what each removes, and what remains. */
const SUBJECTS = {
  'roles of a user': {
    path: () => `/users/${bob().id}`,
    act: 'user.change',
    wide: { roles: ['Engineer', 'Operator'] },
    narrow: { roles: ['Operator'] },
    left: () => bob().roles,
    expected: ['Operator'],
  },
  'permissions of a role': {
    path: () => `/roles/${crew()?.id}`,
    act: 'role.change',
    wide: { permissions: ['view', 'run_pipelines'] },
    narrow: { permissions: ['view'] },
    left: () => crew()?.permissions,
    expected: ['view'],
  },
} as const;
const NAMES = Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[];

/** The `nth` row of this act, from 1, is not written until `release`. */
function holdRow(act: string, nth = 1): { readonly begun: Promise<void>; release(): void } {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { record } = harness.audit;
  let seen = 0;
  harness.audit.record = async (row) => {
    if (row.act === act && ++seen === nth) {
      begun.resolve();
      await released.promise;
    }
    return record.call(harness.audit, row);
  };
  return { begun: begun.promise, release: released.resolve };
}

/** The broad one is requested first, and its first journal row waits until the narrow one is held. */
async function overlap(name: keyof typeof SUBJECTS, endWide: (release: () => void) => void) {
  const { path, act, wide, narrow } = SUBJECTS[name];
  harness.faults.vault = true;
  const row = holdRow(act);
  const wider = admin.send('PATCH', path(), wide);
  await row.begun;
  expect((await admin.send('PATCH', path(), narrow)).body['code']).toBe('not_saved');
  endWide(row.release);
  return wider;
}

test.each(NAMES)('%s: the narrowest is in force after a restart when the wider one is kept last', async (name) => {
  const { left, expected } = SUBJECTS[name];
  expect((await overlap(name, (release) => release())).body['code']).toBe('not_saved');
  expect(left()).toEqual(expected);
  restarts.restart(harness);
  expect(left()).toEqual(expected);
  harness.faults.vault = false;
  await harness.deps.unsaved.retry();
  expect([left(), harness.deps.unsaved.list()]).toEqual([expected, []]);
});

test.each(NAMES)('%s: the narrowest is in force after a restart when the wider one is saved last', async (name) => {
  const { left, expected } = SUBJECTS[name];
  const answer = await overlap(name, (release) => {
    harness.faults.vault = false;
    release();
  });
  expect(answer.status).toBe(200);
  expect(left()).toEqual(expected);
  restarts.restart(harness);
  expect(left()).toEqual(expected);
  await harness.deps.unsaved.retry();
  expect([left(), harness.deps.unsaved.list()]).toEqual([expected, []]);
});

test.each([
  ['roles', 'user.change', { roles: ['Viewer', 'Crew'] }, { roles: [] }],
  ['a deactivation', 'user.reactivate', { active: true }, { active: false }],
] as const)('%s: a newer restriction stays kept when the outcome of an older grant is written', async (...of) => {
  const [, act, grant, restriction] = of;
  const path = `/users/${bob().id}`;
  const row = holdRow(act, 2);
  const giving = admin.send('PATCH', path, grant);
  await row.begun;
  harness.faults.vault = true;
  expect((await admin.send('PATCH', path, restriction)).body['code']).toBe('not_saved');
  row.release();
  expect((await giving).status).toBe(200);
  expect(harness.deps.unsaved.list()).toHaveLength(1);
  restarts.restart(harness);
  expect(bob()).toMatchObject(restriction);
});

test('a newer restriction of a role stays kept when the outcome of an older grant is written', async () => {
  const path = `/roles/${crew()?.id}`;
  const row = holdRow('role.change', 2);
  const giving = admin.send('PATCH', path, { permissions: ['view', 'run_pipelines', 'view_audit'] });
  await row.begun;
  harness.faults.vault = true;
  expect((await admin.send('PATCH', path, { permissions: [] })).body['code']).toBe('not_saved');
  row.release();
  expect((await giving).status).toBe(200);
  restarts.restart(harness);
  expect(crew()?.permissions).toEqual([]);
});

test('a restriction that could not be saved does not revoke a later grant', async () => {
  const path = `/users/${bob().id}`;
  const row = holdRow('user.change');
  const taking = admin.send('PATCH', path, { roles: ['Viewer'] });
  await row.begun;
  expect((await admin.send('PATCH', path, { roles: ['Viewer', 'Engineer'] })).status).toBe(200);
  harness.faults.vault = true;
  row.release();
  await taking;
  expect(bob().roles.toSorted()).toEqual(['Engineer', 'Viewer']);
  expect(harness.deps.unsaved.list()).toEqual([]);
});

test('a kept restriction is not saved over a grant that was made while its journal row was written', async () => {
  const path = `/users/${bob().id}`;
  harness.faults.vault = true;
  expect((await admin.send('PATCH', path, { roles: ['Viewer'] })).body['code']).toBe('not_saved');
  harness.faults.vault = false;
  const row = holdRow('user.change');
  const round = harness.deps.unsaved.retry();
  await row.begun;
  expect((await admin.send('PATCH', path, { roles: ['Viewer', 'Engineer'] })).status).toBe(200);
  row.release();
  await round;
  expect(bob().roles.toSorted()).toEqual(['Engineer', 'Viewer']);
});

test('an Administrator can deactivate their own account while there is another one', async () => {
  await admin.send('POST', '/users', { name: 'Carol', password: PASSWORD, roles: ['Administrator'] });
  expect((await admin.send('PATCH', `/users/${userNamed('Ada').id}`, { active: false })).status).toBe(200);
  expect((await admin.send('GET', '/status')).status).toBe(401);
  expect(userNamed('Ada').active).toBe(false);
});

test('an action that the call does not declare is refused before it takes effect', async () => {
  const { deps } = harness;
  const services = { ...deps, restrictions: new LatestRestrictions() };
  const change = { kind: 'user', user: bob().id, active: false, by: userNamed('Ada').id } as const;
  const acting = performRestriction(
    services,
    { who: {}, acts: ['user.change'] },
    { act: 'user.deactivate' },
    change,
    phrase('user_deactivated', { user: 'Bob' }),
  );
  await expect(acting).rejects.toThrow('does not declare the act user.deactivate');
  expect(bob().active).toBe(true);
  expect(harness.deps.unsaved.list()).toEqual([]);
});
