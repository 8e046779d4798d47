import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_ENTRY } from '#test/paths.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';

/**
 * The replacement of a broken PC, as described in docs/guides/backup-and-restore.md: a backup, a key that is revoked
 * after it, the PC fails, and another one continues with its own secret.
 */
// Each test starts several programs and derives keys that are intentionally slow; this takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const PASSPHRASE = 'a long passphrase\n';
const dir = dirPerFile();
let old: string;
let backup: string;
const keys = { kept: '', revoked: '' };

beforeAll(async () => {
  old = join(dir.path, 'old');
  backup = join(dir.path, 'line.backup');
  const service = await startService([], { dataDir: old });
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const route = routePipeline({ id: 'answer', path: '/answer', ...fixedReply('here') });
  await admin.run('line-7', route);
  const make = (name: string) =>
    admin.ok<{ key: string; record: { id: string } }>('POST', '/projects/line-7/keys', { name, scopes: [] });
  const [kept, revoked] = [await make('MES'), await make('ERP')];
  Object.assign(keys, { kept: kept.key, revoked: revoked.key });
  await sluice('backup', backup, '--data', old);
  await admin.ok('POST', `/projects/line-7/keys/${revoked.record.id}/revoke`, {});
  await service.kill9();
});

/** Its output; fails on any exit code except 0. */
function sluice(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [SERVICE_ENTRY, ...args], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end(PASSPHRASE);
  });
}

/** A folder of the spare PC with this folder of the old one copied into it. */
async function spare(name: string, ...copied: string[]): Promise<string> {
  const folder = join(dir.path, name);
  await mkdir(folder, { mode: 0o700 });
  for (const part of copied) await cp(join(old, part), join(folder, part), { recursive: true });
  return folder;
}

const statusOf = async ({ ready }: TestService, key: string): Promise<number> =>
  (await fetch(`${ready.gateway}/answer`, { headers: { 'X-API-Key': key } })).status;

async function alarmsOf(service: TestService): Promise<string[]> {
  await service.admin.logIn(ADMIN.name, ADMIN.password);
  return (await service.status()).alarms.map(({ code }) => code);
}

test('with the old journal, a key works on its route, and a key that was revoked since then stays revoked', async () => {
  const folder = await spare('with-journal', 'journal', 'anchors');
  const told = await sluice('restore', backup, '--data', folder, '--secret-store', 'file');
  expect(told).toContain('The audit journal is available');
  await using service = await startService([], { dataDir: folder });
  expect(await statusOf(service, keys.kept)).toBe(200);
  expect(await statusOf(service, keys.revoked)).toBe(401);
  expect(await alarmsOf(service)).toContain('vault_rolled_back');
  await sluice('vault', 'confirm', '--data', folder);
  expect(await alarmsOf(service)).not.toContain('vault_rolled_back');
  expect(await statusOf(service, keys.revoked)).toBe(401);
});

test('the old journal also applies to the vault that the spare PC created at its first start', async () => {
  const folder = await spare('started-before');
  await (await startService([], { dataDir: folder })).stop();
  for (const part of ['journal', 'anchors']) {
    await rm(join(folder, part), { recursive: true });
    await cp(join(old, part), join(folder, part), { recursive: true });
  }
  const told = await sluice('restore', backup, '--data', folder, '--secret-store', 'file');
  expect(told).toContain('The audit journal is available');
  await using service = await startService([], { dataDir: folder });
  expect(await statusOf(service, keys.kept)).toBe(200);
  expect(await statusOf(service, keys.revoked)).toBe(401);
});

test('the journal of that first start does not apply, which the output of the restore states', async () => {
  const folder = await spare('started-before-alone');
  await (await startService([], { dataDir: folder })).stop();
  const told = await sluice('restore', backup, '--data', folder, '--secret-store', 'file');
  expect(told).toContain('No audit journal is available: repeat the revocations and deactivations');
  await using service = await startService([], { dataDir: folder });
  expect(await statusOf(service, keys.kept)).toBe(200);
  expect(await alarmsOf(service)).not.toContain('keys_refused');
});

test('without the old journal, every key of the backup is valid, which the output of the restore states', async () => {
  const folder = await spare('without-journal');
  const told = await sluice('restore', backup, '--data', folder, '--secret-store', 'file');
  expect(told).toContain('No audit journal is available: repeat the revocations and deactivations');
  await using service = await startService([], { dataDir: folder });
  expect(await statusOf(service, keys.kept)).toBe(200);
  expect(await statusOf(service, keys.revoked)).toBe(200);
});

test('the new vault may store its secret elsewhere than the old one did', async () => {
  const folder = await spare('other-store', 'journal', 'anchors');
  const credentials = await spare('credentials');
  await writeFile(join(credentials, 'sluice-secret'), crypto.getRandomValues(new Uint8Array(32)));
  vi.stubEnv('CREDENTIALS_DIRECTORY', credentials);
  await sluice('restore', backup, '--data', folder, '--secret-store', 'credential');
  await using service = await startService(['--secret-store', 'credential'], { dataDir: folder });
  expect(await statusOf(service, keys.kept)).toBe(200);
  expect(await statusOf(service, keys.revoked)).toBe(401);
});
