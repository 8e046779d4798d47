import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RESTORE_PIECE_BYTES, type RestorePreview } from '#common/model/restore.ts';
import type { AdminClient } from '#test/admin-client.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';

/** A backup that is restored through the admin API of a running service (docs/spec/storage.md#restore). */
// Each test derives keys that are slow on purpose; a starved machine takes its time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const PASSPHRASE = 'a long passphrase';
const dir = dirPerFile();
let service: TestService;
let backup: Buffer;
const keys = { kept: '', revoked: '', later: '' };

const make = (admin: AdminClient, name: string) =>
  admin.ok<{ key: string; record: { id: string } }>('POST', '/projects/line-7/keys', { name, scopes: [] });

beforeAll(async () => {
  service = await startService([], { dataDir: join(dir.path, 'data') });
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const route = routePipeline({ id: 'answer', path: '/answer', ...fixedReply('here') });
  await admin.run('line-7', route);
  const [kept, revoked] = [await make(admin, 'MES'), await make(admin, 'ERP')];
  backup = await makeBackup(admin);
  await admin.ok('POST', `/projects/line-7/keys/${revoked.record.id}/revoke`, {});
  const later = await make(admin, 'SCADA');
  Object.assign(keys, { kept: kept.key, revoked: revoked.key, later: later.key });
});
afterAll(() => service?.stop());

const makeBackup = async (admin: AdminClient): Promise<Buffer> =>
  Buffer.from(await (await admin.stream('POST', '/backup', { passphrase: PASSPHRASE })).arrayBuffer());

async function upload(bytes: Buffer): Promise<string> {
  const { admin } = service;
  const begun = await admin.ok<{ upload: string }>('POST', '/restore', { bytes: bytes.length });
  for (let at = 0; at < bytes.length; at += RESTORE_PIECE_BYTES) {
    const base64 = bytes.subarray(at, at + RESTORE_PIECE_BYTES).toString('base64');
    await admin.ok('POST', `/restore/${begun.upload}/pieces`, { at, base64 });
  }
  return `/restore/${begun.upload}`;
}

const leftovers = () => readdirSync(service.dataDir).filter((name) => name.startsWith('.restore-'));

const statusOf = async (key: string): Promise<number> =>
  (await fetch(`${service.ready.gateway}/answer`, { headers: { 'X-API-Key': key } })).status;

/** The session ends with the host. */
async function backAgain(): Promise<void> {
  await until(
    'the host has been replaced',
    async () => {
      const reply = await service.admin.request('GET', '/session').catch(() => null);
      return reply?.status === 401;
    },
    { timeoutMs: 60_000 },
  );
  await service.admin.logIn(ADMIN.name, ADMIN.password);
  await until('routes answer', async () => (await statusOf(keys.kept).catch(() => 0)) === 200, { timeoutMs: 60_000 });
}

test('an upload is accepted in order, up to its size, from one user at a time, and survives a wrong passphrase', async () => {
  const { admin } = service;
  const path = await upload(backup);
  const piece = { at: 0, base64: 'AAAA' };
  expect(await admin.request('POST', `${path}/pieces`, piece)).toMatchObject({ status: 409 });
  expect(await admin.request('POST', `${path}/pieces`, { ...piece, at: backup.length })).toMatchObject({ status: 413 });
  expect(await admin.request('POST', `${path}/apply`, { machine: 'x' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'machine' }] },
  });
  for (let time = 0; time < 2; time++)
    expect(await admin.request('POST', `${path}/check`, { passphrase: 'another passphrase' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'passphrase' }] },
    });
  const preview = await admin.ok<RestorePreview>('POST', `${path}/check`, { passphrase: PASSPHRASE });
  expect(preview).toMatchObject({ projects: 1, pipelines: 1, keys: 2, users: 1, journal: 'kept', uiUrl: null });
  expect(preview.revokedSince).toEqual({ count: 1, names: ['ERP'] });
  expect(preview.lost).toEqual({ count: 1, names: ['SCADA'] });
  expect(preview.machine).toBe((await service.status()).machine.name);
  expect(leftovers()).toHaveLength(2);
  await admin.ok('DELETE', path);
  expect(leftovers()).toEqual([]);
  expect(await admin.request('POST', `${path}/check`, { passphrase: PASSPHRASE })).toMatchObject({ status: 404 });
});

test('a file that is not a backup, is damaged or is too large is refused, and nothing is left', async () => {
  const { admin } = service;
  const damaged = Buffer.from(backup);
  damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
  for (const bytes of [Buffer.from('a text'), damaged]) {
    const path = await upload(bytes);
    const reply = await admin.request('POST', `${path}/check`, { passphrase: PASSPHRASE });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } });
    await admin.request('DELETE', path);
  }
  expect(await admin.request('POST', '/restore', { bytes: 2 ** 40 })).toMatchObject({ status: 400 });
  expect(leftovers()).toEqual([]);
});

test('a process that is killed before the confirmation keeps its data, and the next start removes the upload', async () => {
  const { admin } = service;
  const path = await upload(backup);
  await admin.ok('POST', `${path}/check`, { passphrase: PASSPHRASE });
  await service.kill9();
  expect(leftovers()).toHaveLength(2);
  service = await startService([], { dataDir: service.dataDir });
  expect(leftovers()).toEqual([]);
  await service.admin.logIn(ADMIN.name, ADMIN.password);
  await until('routes answer', async () => (await statusOf(keys.later)) === 200, { timeoutMs: 60_000 });
});

test('Sluice restores and restarts by itself: revoked keys stay revoked, and the journal names the user', async () => {
  const { admin, pid } = service;
  const { machine } = await service.status();
  const path = await upload(backup);
  expect(await admin.request('POST', `${path}/apply`, { machine: machine.name })).toMatchObject({ status: 409 });
  await admin.ok('POST', `${path}/check`, { passphrase: PASSPHRASE });
  expect(await admin.request('POST', `${path}/apply`, { machine: machine.name })).toMatchObject({ status: 202 });
  await backAgain();
  expect(process.kill(pid, 0)).toBe(true);
  expect([await statusOf(keys.kept), await statusOf(keys.revoked), await statusOf(keys.later)]).toEqual([
    200, 401, 401,
  ]);
  expect(leftovers()).toEqual([]);
  expect(readdirSync(service.dataDir).some((name) => name.startsWith('replaced-'))).toBe(true);
  const { items } = await service.admin.ok<{ items: { act?: string; user?: string; status?: number }[] }>(
    'GET',
    '/audit?type=admin&limit=100',
  );
  const rows = items.filter(({ act }) => act === 'restore');
  expect(rows.map(({ user }) => user)).toEqual(rows.map(() => ADMIN.name));
  expect(rows.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await service.admin.ok('GET', '/audit/verify')).toMatchObject({ ok: true });
  expect(readFileSync(join(service.dataDir, 'vault.db')).length).toBeGreaterThan(0);
});

test('a process that is killed right after the confirmation has either the old data or the complete backup', async () => {
  const { admin } = service;
  const { key } = await make(admin, 'Historian');
  const { machine } = await service.status();
  const path = await upload(backup);
  await admin.ok('POST', `${path}/check`, { passphrase: PASSPHRASE });
  await admin.ok('POST', `${path}/apply`, { machine: machine.name });
  await service.kill9();
  service = await startService([], { dataDir: service.dataDir });
  await service.admin.logIn(ADMIN.name, ADMIN.password);
  await until('routes answer', async () => (await statusOf(keys.kept)) === 200, { timeoutMs: 60_000 });
  const isRestored = readdirSync(service.dataDir).filter((name) => name.startsWith('replaced-')).length === 2;
  expect(await statusOf(key)).toBe(isRestored ? 401 : 200);
  expect(await statusOf(keys.revoked)).toBe(401);
  expect(leftovers()).toEqual([]);
});
