import { randomBytes } from 'node:crypto';
import type { Database } from 'sql.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { dirPerTest } from '#test/test-dir.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { openTestVault } from '../vault/testing/open-test-vault.ts';
import { createPeople } from './people.ts';
import { ensureTables } from './tables.ts';

/** The roles that may manage keys in a data folder of a version that had no permission for it. */
const cost = { n: 1024, r: 8, p: 1 };
const log = createLogger('test', () => {});
const PASSWORD = 'correct horse battery';

const dir = dirPerTest();
let vault: OpenedVault;

beforeEach(async () => {
  vault = await openTestVault(dir.path);
});
afterEach(() => vault.close());

const people = () => createPeople({ vault, dataDir: dir.path, now: Date.now, elapsedMs: () => 0, log, cost });
const permissionsByRole = () =>
  Object.fromEntries(
    people()
      .roles()
      .map(({ name, permissions }): [string, Permission[]] => [name, permissions]),
  );

async function restart(): Promise<void> {
  await vault.close();
  vault = await openTestVault(dir.path);
}

/** The tables of version 1.0.4, with two custom roles. */
function asVersion104(db: Database): void {
  db.exec(`
    CREATE TABLE people_users (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
      active INTEGER NOT NULL, created_at TEXT NOT NULL, last_login_at TEXT);
    CREATE TABLE people_roles (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, permissions TEXT NOT NULL);
    CREATE TABLE people_user_roles (
      user_id TEXT NOT NULL REFERENCES people_users (id), role_id TEXT NOT NULL, PRIMARY KEY (user_id, role_id));`);
  const role = 'INSERT INTO people_roles (id, name, name_key, permissions) VALUES (?, ?, ?, ?)';
  db.run(role, ['r1', 'Key keeper', 'key keeper', '["access_settings","view"]']);
  db.run(role, ['r2', 'Shift lead', 'shift lead', '["run_pipelines","view"]']);
  db.run('INSERT INTO people_users VALUES (?, ?, ?, ?, 1, ?, NULL)', [
    randomBytes(9).toString('hex').slice(0, 12),
    'Ada',
    'ada',
    'no hash',
    '2026-01-01T00:00:00.000Z',
  ]);
  db.run('INSERT INTO people_user_roles SELECT id, ? FROM people_users', ['administrator']);
}

test('an Operator of a new installation manages keys, before and after the first user is created', async () => {
  expect(permissionsByRole()['Operator']).toContain('manage_keys');
  await people().addUser({ name: 'Ada', password: PASSWORD, roles: ['Administrator'] });
  await restart();
  expect(permissionsByRole()['Operator']).toEqual(['manage_keys', 'run_pipelines', 'view']);
});

const MIGRATED = {
  Administrator: [...PERMISSIONS],
  Engineer: ['edit_pipelines', 'run_pipelines', 'view_audit', 'view'],
  Operator: ['run_pipelines', 'view'],
  Viewer: ['view'],
  'Key keeper': ['access_settings', 'manage_keys', 'view'],
  'Shift lead': ['run_pipelines', 'view'],
};

test('in an older data folder, only the roles that managed keys still do', async () => {
  await vault.mutate(asVersion104);
  await restart();
  expect(permissionsByRole()).toEqual(MIGRATED);
});

test('the first change of an older data folder records that once', async () => {
  await vault.mutate(asVersion104);
  await vault.mutate(ensureTables);
  await restart();
  expect(permissionsByRole()).toEqual(MIGRATED);
  // From now on the two are apart.
  await vault.mutate((db) => db.run(`UPDATE people_roles SET permissions = '["access_settings"]' WHERE id = 'r1'`));
  await vault.mutate(ensureTables);
  expect(permissionsByRole()['Key keeper']).toEqual(['access_settings']);
});
