import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { openData, type Data } from './open-data.ts';

vi.setConfig({ testTimeout: 60_000 });
const PASSWORD = 'correct horse';
let folder: string;
let open: Data | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

async function data(): Promise<Data> {
  open = await openData({ dataDir: folder, secretStore: 'file', overrides: {}, log: createLogger('test', () => {}) });
  return open;
}

async function close(): Promise<void> {
  await open?.close();
  open = null;
}

const vaultFile = () => join(folder, 'vault.db');
const kept = () => join(folder, 'vault.kept');

/** A key and a second user, the vault as it then is set aside, and the key revoked and the user deactivated after. */
async function revokeAfterTheCopy(): Promise<{ keyId: string; userId: string }> {
  const before = await data();
  const { record } = await before.keys.create({ project: 'line-7', name: 'MES', scopes: [], by: 'eve' });
  await before.people.addUser({ name: 'eve', password: PASSWORD, roles: ['Administrator'] });
  const pat = await before.people.addUser({ name: 'pat', password: PASSWORD, roles: ['Engineer'] });
  await close();
  copyFileSync(vaultFile(), kept());

  const after = await data();
  const revoke = { act: 'key.revoke', target: record.id, keyId: record.id, requestId: 'r1', user: 'eve' };
  await after.audit.record(revoke);
  await after.keys.revoke(record.id, 'eve');
  await after.audit.record({ ...revoke, status: 200 });
  const { session } = await after.people.logIn('eve', PASSWORD, '127.0.0.1');
  await after.audit.record({ act: 'user.deactivate', target: pat.id, requestId: 'r2', user: 'eve' });
  await after.people.changeUser(pat.id, { active: false }, session);
  await after.audit.record({ act: 'user.deactivate', target: pat.id, requestId: 'r2', user: 'eve', status: 200 });
  await close();
  return { keyId: record.id, userId: pat.id };
}

test('a key revoked and a user deactivated after the older vault was made stay so, and the alarm stands', async () => {
  const { keyId, userId } = await revokeAfterTheCopy();
  copyFileSync(kept(), vaultFile());
  const opened = await data();
  expect(opened.vault.rolledBack).toBe(true);
  expect(opened.keys.entry(keyId)).toMatchObject({ revoked: true });
  expect(opened.people.users().find(({ id }) => id === userId)).toMatchObject({ active: false });
  expect(opened.people.setupNeeded).toBe(false);
  expect(opened.refuseAllKeys()).toBe(false);
  await opened.confirmVault();
  expect(opened.vault.rolledBack).toBe(false);
  await expect(opened.confirmVault()).rejects.toMatchObject({ code: 'conflict' });
  expect(opened.keys.entry(keyId)).toMatchObject({ revoked: true });
});

test('without its journal every key is refused, over restarts too, until it is confirmed', async () => {
  await revokeAfterTheCopy();
  copyFileSync(kept(), vaultFile());
  rmSync(join(folder, 'journal'), { recursive: true });
  expect((await data()).refuseAllKeys()).toBe(true);
  await close();
  const again = await data();
  expect(again.refuseAllKeys()).toBe(true);
  await again.confirmVault();
  expect(again.refuseAllKeys()).toBe(false);
  await close();
  expect((await data()).refuseAllKeys()).toBe(false);
});

test('a vault from before the first act, with journal and anchors gone, is no fresh start', async () => {
  const first = await data();
  copyFileSync(vaultFile(), kept());
  await first.keys.create({ project: 'line-7', name: 'MES', scopes: [], by: 'eve' });
  await close();
  copyFileSync(kept(), vaultFile());
  for (const name of ['journal', 'anchors']) rmSync(join(folder, name), { recursive: true, force: true });
  expect((await data()).refuseAllKeys()).toBe(true);
  await close();
  expect((await data()).refuseAllKeys()).toBe(true);
});

test('a journal that was changed counts as missing', async () => {
  await revokeAfterTheCopy();
  copyFileSync(kept(), vaultFile());
  writeFileSync(join(folder, 'anchors'), 'nonsense');
  expect((await data()).refuseAllKeys()).toBe(true);
});

test('an act that failed is not replayed', async () => {
  const before = await data();
  const { record } = await before.keys.create({ project: 'line-7', name: 'MES', scopes: [], by: 'eve' });
  await close();
  copyFileSync(vaultFile(), kept());
  const after = await data();
  const revoke = { act: 'key.revoke', target: record.id, keyId: record.id, requestId: 'r1' };
  await after.audit.record(revoke);
  await after.audit.record({ ...revoke, status: 500, code: 'internal' });
  await after.keys.create({ project: 'line-7', name: 'other', scopes: [], by: 'eve' });
  await close();
  copyFileSync(kept(), vaultFile());
  const opened = await data();
  expect(opened.vault.rolledBack).toBe(true);
  expect(opened.keys.entry(record.id)).toMatchObject({ revoked: false });
});

test('letting somebody in again counts only when its outcome is known', async () => {
  const { userId } = await revokeAfterTheCopy();
  const after = await data();
  await after.audit.record({ act: 'user.reactivate', target: userId, requestId: 'r3', user: 'eve' });
  await close();
  copyFileSync(kept(), vaultFile());
  const opened = await data();
  expect(opened.people.users().find(({ id }) => id === userId)).toMatchObject({ active: false });
});

test('the newest vault is opened without any of this', async () => {
  const { keyId } = await revokeAfterTheCopy();
  const opened = await data();
  expect(opened.vault.rolledBack).toBe(false);
  expect(opened.refuseAllKeys()).toBe(false);
  expect(opened.keys.entry(keyId)).toMatchObject({ revoked: true });
});
