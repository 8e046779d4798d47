import { randomUUID } from 'node:crypto';
import { copyFileSync, cpSync, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { diskEdge, type FileEdge } from '#common/node/atomic-file.ts';
import { createLogger } from '#common/node/log.ts';
import { roleDetail, userDetail } from '../people/act-detail.ts';
import { limitsDetail } from '../vault/limits-detail.ts';
import { restoreBackup } from '../vault/restore.ts';
import { openData, type Data } from './open-data.ts';

vi.setConfig({ testTimeout: 60_000 });
const PASSWORD = 'correct horse';
let folder: string;
let open: Data | null = null;
let logged: string[] = [];

beforeEach(() => {
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

async function data(files?: FileEdge): Promise<Data> {
  open = await openData({
    ...(files && { files }),
    dataDir: folder,
    secretStore: 'file',
    overrides: {},
    log: createLogger('test', (line) => logged.push(line)),
  });
  return open;
}

async function close(): Promise<void> {
  await open?.close();
  open = null;
}

const vaultFile = () => join(folder, 'vault.db');
const kept = () => join(folder, 'vault.kept');

/** A key and a second user; then the vault is copied, the key revoked and the user deactivated. */
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

test('a key revoked and a user deactivated after the older vault was written remain so, and the alarm remains', async () => {
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

test.each(['with', 'without'])(
  'a full disk keeps nothing of it from being in force, %s the journal',
  async (journal) => {
    const { keyId, userId } = await revokeAfterTheCopy();
    copyFileSync(kept(), vaultFile());
    if (journal === 'without') rmSync(join(folder, 'journal'), { recursive: true });
    const full = { ...diskEdge, create: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    const opened = await data(full);
    const isInForce = () => {
      expect(open?.refuseAllKeys()).toBe(journal === 'without');
      if (journal === 'without') return;
      expect(open?.keys.entry(keyId)).toMatchObject({ revoked: true });
      expect(open?.people.users().find(({ id }) => id === userId)).toMatchObject({ active: false });
    };
    isInForce();
    expect(opened.unfinished).toContain('rollback');
    await close();
    expect((await data()).unfinished).toEqual([]);
    isInForce();
  },
);

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

test('a vault from before the first action, without journal and anchors, does not count as a fresh start', async () => {
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

test.each([
  ['narrowed', true, { 'tag:write': ['a'] }, { 'tag:write': ['a'] }],
  ['narrowed, with an unknown outcome', false, { 'tag:write': ['a'] }, { 'tag:write': ['a'] }],
  ['widened', true, {}, {}],
  ['widened, with an unknown outcome', false, {}, { 'tag:write': ['a', 'b'] }],
])('limits that were %s after the older vault was written are in it', async (_what, known, after, limits) => {
  const older = { 'tag:write': ['a', 'b'] };
  const first = await data();
  const { record } = await first.keys.create({
    project: 'line-7',
    name: 'MES',
    scopes: ['tag:write'],
    limits: older,
    by: 'eve',
  });
  await close();
  copyFileSync(vaultFile(), kept());
  const later = await data();
  const detail = limitsDetail(older, after);
  const row = { act: 'key.limit', target: record.id, keyId: record.id, requestId: 'r1', user: 'eve', detail };
  await later.audit.record(row);
  await later.keys.limit(record.id, after);
  if (known) await later.audit.record({ ...row, status: 200 });
  await close();
  copyFileSync(kept(), vaultFile());
  const opened = await data();
  expect(opened.vault.rolledBack).toBe(true);
  expect(opened.keys.entry(record.id)?.limits).toEqual(limits);
});

test.each([
  ['of unknown outcome', false, false, 'service'],
  ['of known outcome', true, false, 'service'],
  ['that was resumed', true, true, null],
])('a pause %s after the older vault was written applies again', async (_what, known, resumed, paused) => {
  const first = await data();
  const { record } = await first.keys.create({ project: 'line-7', name: 'MES', scopes: [], by: 'eve' });
  await close();
  copyFileSync(vaultFile(), kept());
  const later = await data();
  const row = { target: record.id, keyId: record.id, requestId: 'r1', user: 'eve' };
  await later.audit.record({ ...row, act: 'key.pause', detail: 'service' });
  await later.keys.pause(record.id, { at: '2026-11-20T12:00:00Z', by: 'eve', reason: 'service' });
  if (known) await later.audit.record({ ...row, act: 'key.pause', detail: 'service', status: 200 });
  if (resumed) {
    await later.audit.record({ ...row, requestId: 'r2', act: 'key.resume' });
    await later.keys.resume(record.id);
    await later.audit.record({ ...row, requestId: 'r2', act: 'key.resume', status: 200 });
  }
  await close();
  copyFileSync(kept(), vaultFile());
  const opened = await data();
  expect(opened.vault.rolledBack).toBe(true);
  expect(opened.keys.entry(record.id)?.paused).toBe(paused);
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

describe('rights that were taken away after the older vault was made', () => {
  /** Created once: password hashes are slow. */
  let base: string;
  let ids: Ids;
  beforeAll(async () => {
    base = folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
    const { people } = await data();
    const eve = await people.addUser({ name: 'Eve', password: PASSWORD, roles: ['Administrator'] });
    const { session } = await people.logIn('Eve', PASSWORD, '127.0.0.1');
    const shift = await people.createRole({ name: 'Shift', permissions: ['run_pipelines', 'view'] }, session);
    const roles = ['Administrator', 'Engineer', 'Shift'];
    const pat = await people.addUser({ name: 'Pat', password: PASSWORD, roles });
    await close();
    ids = { eve: eve.id, pat: pat.id, shift: shift.id };
  });
  afterAll(() => rmSync(base, { recursive: true }));

  /** Eve (Administrator), Pat (Administrator, Engineer and Shift) and the role Shift; the vault is copied. */
  function people(): Ids {
    cpSync(base, folder, { recursive: true });
    copyFileSync(vaultFile(), kept());
    return ids;
  }
  interface Ids {
    eve: string;
    pat: string;
    shift: string;
  }
  type Row = Partial<AuditRow> & { act: string };

  /** As the admin API records actions: before, and with the outcome if there is one. */
  async function journal(rows: readonly Row[], outcome: number | null = 200): Promise<void> {
    const { audit } = await data();
    for (const row of rows) {
      const full = { requestId: randomUUID(), user: 'Eve', path: '/api/v1', ...row };
      await audit.record(full);
      if (outcome !== null) await audit.record({ ...full, status: outcome });
    }
    await writeOnce();
    await close();
  }
  /** So that the copied vault is not the newest. */
  const writeOnce = () => open?.vault.mutate(() => {});
  async function putBack(): Promise<Data> {
    copyFileSync(kept(), vaultFile());
    const opened = await data();
    expect(opened.vault.rolledBack).toBe(true);
    return opened;
  }
  const rolesOf = (opened: Data, id: string) => opened.people.users().find((user) => user.id === id)?.roles;
  const change = (pat: string, patch: Parameters<typeof userDetail>[1]): Row => ({
    act: 'user.change',
    target: pat,
    detail: userDetail('Pat', patch),
  });

  test('a role', async () => {
    const { pat } = people();
    await journal([change(pat, { roles: ['engineer'] })]);
    expect(rolesOf(await putBack(), pat)).toEqual(['Engineer']);
  });

  test('all roles, beside a deactivation', async () => {
    const { pat } = people();
    await journal([{ ...change(pat, { roles: [] }), act: 'user.deactivate' }]);
    const opened = await putBack();
    expect(rolesOf(opened, pat)).toEqual([]);
    expect(opened.people.users().find(({ id }) => id === pat)?.active).toBe(false);
  });

  test('a role whose taking has no known outcome is taken, and none is given so', async () => {
    const { eve, pat } = people();
    const given = { act: 'user.change', target: eve, detail: userDetail('Eve', { roles: ['Administrator', 'Shift'] }) };
    await journal([change(pat, { roles: ['Engineer', 'Viewer'] }), given], null);
    const opened = await putBack();
    expect(rolesOf(opened, pat)).toEqual(['Engineer']);
    expect(rolesOf(opened, eve)).toEqual(['Administrator']);
  });

  test('a role that was taken and given again is there', async () => {
    const { pat } = people();
    await journal([change(pat, { roles: [] }), change(pat, { roles: ['Engineer', 'Shift'] })]);
    expect(rolesOf(await putBack(), pat)).toEqual(['Engineer', 'Shift']);
  });

  test('a refused change is not applied', async () => {
    const { pat } = people();
    await journal([change(pat, { roles: [], password: 'x' })], 409);
    const opened = await putBack();
    expect(rolesOf(opened, pat)).toEqual(['Administrator', 'Engineer', 'Shift']);
    await opened.people.logIn('Pat', PASSWORD, '127.0.0.1');
  });

  test.each<[string, (ids: Ids) => Row]>([
    ['a role was renamed', ({ shift }) => ({ act: 'role.change', target: shift, detail: roleDetail({ name: 'Old' }) })],
    ['a role has a comma in its name', () => ({ act: 'role.create', target: 'Engineer, Shift' })],
  ])('no role is left if %s since then, because names do not identify the remaining ones', async (_, row) => {
    const { pat } = people();
    await journal([row(ids), change(pat, { roles: ['Engineer', 'Shift'] })]);
    expect(rolesOf(await putBack(), pat)).toEqual([]);
  });

  test('a row that cannot be read takes roles and password', async () => {
    const { pat } = people();
    await journal([{ act: 'user.change', target: pat, detail: 'somebody else; roles: Administrator' }]);
    const opened = await putBack();
    expect(rolesOf(opened, pat)).toEqual([]);
    await expect(opened.people.logIn('Pat', PASSWORD, '127.0.0.1')).rejects.toMatchObject({ code: 'login_failed' });
  });

  test('a permission of a role', async () => {
    const { shift } = people();
    const row = { act: 'role.change', target: shift, detail: roleDetail({ name: 'Old', permissions: ['view'] }) };
    await journal([row]);
    const opened = await putBack();
    expect(opened.people.roles().find(({ id }) => id === shift)?.permissions).toEqual(['view']);
  });

  test.each<[string, (pat: string) => Row]>([
    ['by an administrator', (pat) => change(pat, { password: 'x' })],
    ['with the reactivation', (pat) => ({ ...change(pat, { password: 'x' }), act: 'user.reactivate' })],
    ['by Pat', (pat) => ({ act: 'session.password', target: pat, detail: 'Pat' })],
  ])('a password that was changed %s: the old one opens nothing, and a new one can be set', async (_, row) => {
    const { pat } = people();
    await journal([row(pat)]);
    const opened = await putBack();
    await expect(opened.people.logIn('Pat', PASSWORD, '127.0.0.1')).rejects.toMatchObject({ code: 'login_failed' });
    const told = logged.filter((line) => line.includes('need a new password'));
    expect(told.map((line) => (JSON.parse(line) as { people: unknown }).people)).toEqual([['Pat']]);
    await opened.people.logIn('Eve', PASSWORD, '127.0.0.1');
    await opened.people.resetPassword('pat', 'another password');
    await opened.people.logIn('Pat', 'another password', '127.0.0.1');
  });

  test('a password set on the command line is found by its name; nobody is locked out of the data folder', async () => {
    people();
    const { audit } = await data();
    const row = { act: 'user.change', user: 'command line', requestId: 'c1' };
    for (const target of ['EVE', 'Pat']) {
      await audit.record({ ...row, target, requestId: target });
      await audit.record({ ...row, target, requestId: target, status: 200 });
    }
    await writeOnce();
    await close();
    const opened = await putBack();
    await expect(opened.people.logIn('Eve', PASSWORD, '127.0.0.1')).rejects.toMatchObject({ code: 'login_failed' });
    // No new set-up of an existing installation: the command line is the remedy.
    expect(opened.people.setupNeeded).toBe(false);
    await opened.people.resetPassword('Eve', 'another password');
    await opened.people.logIn('Eve', 'another password', '127.0.0.1');
  });

  test('a password that was set after the older vault was restored remains, across a start that was not clean', async () => {
    const { pat } = people();
    await journal([change(pat, { password: 'x' })]);
    const opened = await putBack();
    const row = { ...change(pat, { password: 'x' }), requestId: 'later', user: 'Eve', path: '/api/v1' };
    await opened.audit.record(row);
    await opened.people.resetPassword('Pat', 'another password');
    copyFileSync(vaultFile(), kept());
    copyFileSync(join(folder, 'vault.secret'), join(folder, 'secret.kept'));
    await opened.audit.record({ ...row, status: 200 });
    await close();
    // As after a kill: data that is written on closing is missing.
    copyFileSync(kept(), vaultFile());
    copyFileSync(join(folder, 'secret.kept'), join(folder, 'vault.secret'));
    const again = await data();
    await again.people.logIn('Pat', 'another password', '127.0.0.1');
  });

  test('a plugin that was removed and the token of the figures, which is another one since', async () => {
    people();
    const before = await data();
    const [manifest, hashes] = ['{}', '{}'];
    await before.vault.mutate((db) => {
      db.run(`CREATE TABLE IF NOT EXISTS plugins (
        id TEXT NOT NULL, digest TEXT NOT NULL, manifest TEXT NOT NULL, hashes TEXT NOT NULL,
        added_at TEXT NOT NULL, added_by TEXT NOT NULL, approved_at TEXT, approved_by TEXT, PRIMARY KEY (id, digest))`);
      const values = ['gone', 'd', manifest, hashes, 'then', 'Eve', 'then', 'Eve'];
      db.run('INSERT INTO plugins VALUES (?, ?, ?, ?, ?, ?, ?, ?)', values);
    });
    await before.settings.change(
      { metricsToken: 'a token of the old figures', trustedProxies: ['10.0.0.1/32'] },
      'Eve',
    );
    await close();
    copyFileSync(vaultFile(), kept());
    await journal([
      { act: 'plugin.remove', target: 'gone', detail: '1.0.0 d' },
      { act: 'settings.change', target: 'settings', detail: 'trustedProxies, metricsToken' },
    ]);
    const opened = await putBack();
    expect(opened.pluginStore.list()).toEqual([]);
    expect(opened.settings.current()).toMatchObject({ metricsToken: null, trustedProxies: ['10.0.0.1/32'] });
  });

  test.each([
    ['', false],
    [' with its journal', true],
  ])('a password that was changed immediately before a backup is valid after its restore%s', async (_, withJournal) => {
    const { eve } = people();
    const opened = await data();
    const full = { act: 'session.password', target: eve, detail: 'Eve', requestId: 'p', user: 'Eve', path: '/api/v1' };
    await opened.audit.record(full);
    await opened.people.resetPassword('Eve', 'another password');
    await opened.audit.record({ ...full, status: 200 });
    const [file, passphrase] = [join(folder, 'line.backup'), 'a long passphrase'];
    await pipeline(await opened.backup(passphrase, withJournal), createWriteStream(file));
    await close();
    const log = createLogger('test', (line) => logged.push(line));
    await restoreBackup({ file, passphrase, dataDir: folder, secretStore: 'file', packaged: false, log });
    const restored = await data();
    expect(restored.vault.rolledBack).toBe(true);
    await restored.people.logIn('Eve', 'another password', '127.0.0.1');
  });

  test('a password whose change was cut off immediately before the backup is no longer valid', async () => {
    const { eve } = people();
    const opened = await data();
    await opened.audit.record({ act: 'session.password', target: eve, requestId: 'p', user: 'Eve', path: '/api/v1' });
    const [file, passphrase] = [join(folder, 'line.backup'), 'a long passphrase'];
    await pipeline(await opened.backup(passphrase), createWriteStream(file));
    await close();
    const log = createLogger('test', (line) => logged.push(line));
    await restoreBackup({ file, passphrase, dataDir: folder, secretStore: 'file', packaged: false, log });
    await expect((await data()).people.logIn('Eve', PASSWORD, '127.0.0.1')).rejects.toMatchObject({
      code: 'login_failed',
    });
  });

  test('a password that was changed before a backup is still good when that is restored, one changed after it is not', async () => {
    const { eve, pat } = people();
    await journal([{ act: 'session.password', target: pat, detail: 'Pat' }]);
    const passphrase = 'a long passphrase';
    const file = join(folder, 'line.backup');
    await pipeline(await (await data()).backup(passphrase), createWriteStream(file));
    await close();
    await journal([{ act: 'session.password', target: eve, detail: 'Eve' }]);
    const log = createLogger('test', (line) => logged.push(line));
    await restoreBackup({ file, passphrase, dataDir: folder, secretStore: 'file', packaged: false, log });
    const opened = await data();
    expect(opened.vault.rolledBack).toBe(true);
    await opened.people.logIn('Pat', PASSWORD, '127.0.0.1');
    await expect(opened.people.logIn('Eve', PASSWORD, '127.0.0.1')).rejects.toMatchObject({ code: 'login_failed' });
  });
});
