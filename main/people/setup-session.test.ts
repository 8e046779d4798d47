import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PERMISSIONS } from '#common/model/records.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import type { People } from '../contracts.ts';
import { createMemoryVault, type MemoryVault } from './memory-vault.testing.ts';
import { createPeople } from './people.ts';

const PASSWORD = 'correct horse battery';
const FIRST = { administrator: { name: 'Ada', password: PASSWORD }, roles: [], users: [] };

let folder: TempDir;
let vault: MemoryVault;
let people: People;

beforeEach(async () => {
  [folder, vault] = await Promise.all([tempDir(), createMemoryVault()]);
  people = createPeople({
    vault,
    dataDir: folder.path,
    now: Date.now,
    elapsedMs: () => performance.now(),
    log: createLogger('test', () => {}),
    cost: { n: 1024, r: 8, p: 1 },
  });
});
afterEach(() => folder.remove());

test('the session of a set-up has every permission, and may not manage users', async () => {
  const { cookie, session } = people.openSetupSession();
  expect([...(people.session(cookie)?.permissions ?? [])]).toEqual([...PERMISSIONS]);
  const user = { name: 'Eve', password: PASSWORD, roles: ['Administrator'] };
  await expect(people.createUser(user, session)).rejects.toMatchObject({ code: 'permission_missing' });
  const role = { name: 'All', permissions: [...PERMISSIONS] };
  await expect(people.createRole(role, session)).rejects.toMatchObject({ code: 'permission_missing' });
});

test('the session ends when the set-up has created the first Administrator', async () => {
  const { cookie } = people.openSetupSession();
  await people.setUpAll(FIRST);
  expect(people.session(cookie)).toBeNull();
  expect(() => people.openSetupSession()).toThrow('Sluice is already set up.');
  expect(existsSync(join(folder.path, 'setup-token'))).toBe(false);
  await expect(people.setUpAll(FIRST)).rejects.toMatchObject({ code: 'conflict' });
});

test('an Administrator created in the browser ends it too', async () => {
  const { cookie } = people.openSetupSession();
  const token = readFileSync(join(folder.path, 'setup-token'), 'utf8').trim();
  await people.setup({ token, name: 'Ada', password: PASSWORD });
  expect(people.session(cookie)).toBeNull();
});

test('a second session ends the first, and it can be ended', () => {
  const first = people.openSetupSession();
  const second = people.openSetupSession();
  expect([people.session(first.cookie), people.session(second.cookie) === null]).toEqual([null, false]);
  people.endSetupSession();
  expect(people.session(second.cookie)).toBeNull();
});

test('either all users and roles are created or none', async () => {
  const users = [{ name: 'Anna', password: PASSWORD, roles: ['No such role'] }];
  const roles = [{ name: 'Line lead', permissions: ['view' as const] }];
  await expect(people.setUpAll({ ...FIRST, roles, users })).rejects.toMatchObject({ code: 'invalid' });
  expect([people.setupNeeded, people.users(), people.roles().length]).toEqual([true, [], 4]);
});
