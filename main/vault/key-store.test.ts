import { createHmac, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKeyId } from '#common/api-key.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { NOTHING_ALLOWED } from '#common/model/key-limits.ts';
import type { KeyStore } from '../key-contracts.ts';
import { becomeHub } from '../fleet/hub-state.ts';
import { fleetPepper } from './fleet-secrets.ts';
import { createKeyStore } from './key-store.ts';
import type { OpenedVault } from './live-vault.ts';
import { openTestVault } from './testing/open-test-vault.ts';

const dir = dirPerTest();
let vault: OpenedVault;
let keys: KeyStore;
let time = Date.parse('2026-03-01T08:00:00Z');
const used = new Map<string, string>();

beforeEach(async () => {
  vault = await openTestVault(dir.path);
  keys = createKeyStore(vault, { now: () => time, randomBytes, lastUsed: (id) => used.get(id) ?? null });
});
afterEach(() => vault.close());

const mes = { project: 'line-7', name: 'MES line 7', scopes: ['db:write' as const], by: 'anna' };

describe('the key store', () => {
  test('a pause that is being saved overtakes a resumption', async () => {
    const { record } = await keys.create(mes);
    const pause = { at: '2026-03-01T08:00:00Z', by: 'eve', reason: 'stolen' };
    keys.holdPaused(record.id, pause);
    expect((await keys.resume(record.id)).paused).toEqual(pause);
    await keys.pause(record.id, pause);
    expect(keys.get(record.id)?.paused).toEqual(pause);
  });

  test('creates a key whose value verifies against the entry under the derived pepper', async () => {
    const { value, record } = await keys.create(mes);
    expect(apiKeyId(value)).toBe(record.id);
    const hash = createHmac('sha256', vault.derive('api-key-pepper')).update(value).digest('hex');
    expect(keys.entry(record.id)).toEqual({
      id: record.id,
      hash,
      project: 'line-7',
      name: 'MES line 7',
      scopes: ['db:write'],
      limits: {},
      paused: null,
      honey: false,
      revoked: false,
    });
    expect(keys.entries()).toEqual([keys.entry(record.id)]);
  });

  test('stores only the hash of the value', async () => {
    const { value } = await keys.create(mes);
    const image = Buffer.from(vault.backupContents().image);
    expect(image.includes(value)).toBe(false);
    expect(image.includes(value.slice(17, 60))).toBe(false);
  });

  test('returns the record of the specification', async () => {
    const { record } = await keys.create({ ...mes, scopes: [] });
    used.set(record.id, '2026-03-02T00:00:00.000Z');
    expect(keys.get(record.id)).toEqual({
      id: record.id,
      project: 'line-7',
      name: 'MES line 7',
      scopes: [],
      limits: {},
      paused: null,
      honey: false,
      exposed: null,
      createdAt: '2026-03-01T08:00:00.000Z',
      createdBy: 'anna',
      lastUsedAt: '2026-03-02T00:00:00.000Z',
      revokedAt: null,
      revokedBy: null,
    });
    expect(keys.list('line-7')).toHaveLength(1);
    expect(keys.list('other')).toEqual([]);
    expect(keys.list()).toHaveLength(1);
  });

  test('refuses a name that any key of the project has or had, in any case, and allows it elsewhere', async () => {
    const { record } = await keys.create(mes);
    await expect(keys.create(mes)).rejects.toMatchObject({ code: 'conflict', errors: [{ path: 'name' }] });
    await keys.revoke(record.id, 'bert');
    await expect(keys.create({ ...mes, name: 'mes LINE 7' })).rejects.toMatchObject({ code: 'conflict' });
    await keys.create({ ...mes, project: 'line-8' });
  });

  test.each([
    [{ name: ' ' }, 'name: expected 1 to 64 characters'],
    [{ name: 'x'.repeat(65) }, 'name: expected 1 to 64 characters'],
    [{ project: 'No' }, 'project: expected 1 to 63 lower-case letters'],
  ])('refuses %o with a sentence that names the field', async (change, message) => {
    await expect(keys.create({ ...mes, ...change })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
    expect(keys.list()).toEqual([]);
  });

  test('lists a revoked key with the time and user of its first revocation', async () => {
    const { record } = await keys.create(mes);
    time += 1000;
    const revoked = await keys.revoke(record.id, 'bert');
    time += 1000;
    expect(await keys.revoke(record.id, 'carl')).toEqual(revoked);
    expect(revoked).toMatchObject({ revokedAt: '2026-03-01T08:00:01.000Z', revokedBy: 'bert' });
    expect(keys.list()).toEqual([revoked]);
    expect(keys.entry(record.id)).toMatchObject({ revoked: true });
  });

  test('creates a successor with the same scopes and the next free number', async () => {
    const { record } = await keys.create(mes);
    const second = await keys.rotate(record.id, 'bert');
    expect(second.record).toMatchObject({
      name: 'MES line 7 (2)',
      project: 'line-7',
      scopes: ['db:write'],
      createdBy: 'bert',
    });
    expect((await keys.rotate(second.record.id, 'bert')).record.name).toBe('MES line 7 (3)');
    expect((await keys.rotate(record.id, 'bert')).record.name).toBe('MES line 7 (4)');
    expect(keys.get(record.id)?.revokedAt).toBeNull();
    expect(keys.entry(second.record.id)?.hash).not.toBe(keys.entry(record.id)?.hash);
  });

  test('keeps limits in their canonical form, and passes them to the gateway and to a successor', async () => {
    const limits = { 'db:write': [' mes ', 'mes'], addresses: ['10.1.2.3/8'] };
    const { record } = await keys.create({ ...mes, limits });
    const stored = { 'db:write': ['mes'], addresses: ['10.0.0.0/8'] };
    expect([record.limits, keys.entry(record.id)?.limits]).toEqual([stored, stored]);
    expect((await keys.rotate(record.id, 'bert')).record.limits).toEqual(stored);
    expect((await keys.limit(record.id, { 'db:write': [] })).limits).toEqual({ 'db:write': [] });
    expect(keys.entry(record.id)?.limits).toEqual({ 'db:write': [] });
    expect((await keys.create({ ...mes, name: 'b' })).record.limits).toEqual({});
  });

  test('limits only scopes of the key, and no revoked key', async () => {
    const { record } = await keys.create(mes);
    const fault = { code: 'invalid', errors: [{ path: 'limits.tag:write', rule: 'limit_unheld' }] };
    await expect(keys.create({ ...mes, name: 'b', limits: { 'tag:write': [] } })).rejects.toMatchObject(fault);
    await expect(keys.limit(record.id, { 'tag:write': [] })).rejects.toMatchObject(fault);
    await keys.revoke(record.id, 'bert');
    await expect(keys.limit(record.id, {})).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each(['{', '7', '{"tag:delete":[]}', '{"db:write":7}'])(
    'reads stored limits %s as allowing nothing',
    async (limits) => {
      const { record } = await keys.create(mes);
      await vault.mutate((db) => void db.run('UPDATE keys SET limits = ?', [limits]));
      expect(keys.entry(record.id)?.limits).toEqual(NOTHING_ALLOWED);
      expect(keys.get(record.id)?.limits).toEqual(NOTHING_ALLOWED);
    },
  );

  test('reads the keys of a vault from before limits without limits', async () => {
    const { record } = await keys.create(mes);
    const later = ['limits', 'paused', 'honey', 'exposed'].map((column) => `ALTER TABLE keys DROP COLUMN ${column};`);
    await vault.mutate((db) => void db.exec(`${later.join(' ')} PRAGMA user_version = 1`));
    await vault.close();
    vault = await openTestVault(dir.path);
    keys = createKeyStore(vault, { now: () => time, randomBytes, lastUsed: () => null });
    expect(keys.get(record.id)).toEqual({ ...record, limits: {} });
  });

  test('keeps a successor of the longest name within 64 characters', async () => {
    const { record } = await keys.create({ ...mes, name: 'x'.repeat(64) });
    expect((await keys.rotate(record.id, 'b')).record.name).toBe(`${'x'.repeat(60)} (2)`);
  });

  test('creates no successor of a revoked or unknown key', async () => {
    const { record } = await keys.create(mes);
    await keys.revoke(record.id, 'bert');
    await expect(keys.rotate(record.id, 'bert')).rejects.toMatchObject({ code: 'conflict' });
    await expect(keys.revoke('nothing', 'bert')).rejects.toMatchObject({ code: 'unknown' });
    await expect(keys.rotate('nothing', 'bert')).rejects.toMatchObject({ code: 'unknown' });
    expect([keys.get('nothing'), keys.entry('nothing')]).toEqual([null, null]);
  });

  test('treats a key as revoked if its hash is of an unknown kind', async () => {
    const { record } = await keys.create(mes);
    await vault.mutate((db) => void db.run('UPDATE keys SET hash_version = 3'));
    expect(keys.entry(record.id)?.revoked).toBe(true);
  });

  test('hashes new keys of a hub under the pepper of the fleet, and earlier ones as before', async () => {
    const before = await keys.create({ ...mes, name: 'before' });
    await becomeHub(vault, {});
    const { value, record } = await keys.create(mes);
    const pepper = vault.read(fleetPepper) ?? '';
    const hash = createHmac('sha256', pepper).update(value).digest('hex');
    expect(keys.entry(record.id)).toMatchObject({ hash, ofFleet: true, revoked: false });
    expect(keys.entry(before.record.id)).not.toHaveProperty('ofFleet');
    await becomeHub(vault, { port: 9000 });
    expect(vault.read(fleetPepper)).toEqual(pepper);
  });

  test('keeps revoked keys revoked, and valid ones valid, after a restart', async () => {
    const a = await keys.create(mes);
    const b = await keys.create({ ...mes, name: 'b' });
    await keys.revoke(a.record.id, 'x');
    const before = keys.entries();
    await vault.close();
    vault = await openTestVault(dir.path);
    keys = createKeyStore(vault, { now: () => time, randomBytes, lastUsed: () => null });
    expect(keys.entries()).toEqual(before);
    expect(keys.entry(b.record.id)?.revoked).toBe(false);
  });
});
