import { cpSync, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { adminActs } from '../audit/admin-acts.ts';
import { restoreBackup, type RestoreReport } from '../vault/restore.ts';
import { desktop as german } from '#common/languages/de/desktop.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import { diskEdge, type FileEdge } from '#common/node/atomic-file.ts';
import { createAlarms } from './alarms.ts';
import { setUnfinishedStartAlarms } from './start-steps.ts';
import { openData, type Data } from './open-data.ts';

/** Several restores in sequence, on PCs that have served and PCs that have not. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const PASSPHRASE = 'a long enough pass phrase';
const log = createLogger('test', () => {});
let sample: TempDir;
let dir: TempDir;
let keyId: string;

const at = (name: string): string => join(dir.path, name);
const open = (name: string): Promise<Data> => openData({ dataDir: at(name), secretStore: 'file', overrides: {}, log });

async function using<T>(name: string, act: (data: Data) => T | Promise<T>): Promise<T> {
  const data = await open(name);
  try {
    return await act(data);
  } finally {
    await data.close();
  }
}

const backUp = (name: string, file: string, withJournal = false): Promise<void> =>
  using(name, async (data) => pipeline(await data.backup(PASSPHRASE, withJournal), createWriteStream(at(file))));
const restore = (file: string, name: string): Promise<RestoreReport> =>
  restoreBackup({
    file: at(file),
    passphrase: PASSPHRASE,
    dataDir: at(name),
    secretStore: 'file',
    packaged: false,
    log,
  });

async function revoke(data: Data): Promise<void> {
  const act = { act: 'key.revoke', target: keyId, keyId, requestId: 'r1', user: 'eve' };
  await data.audit.record(act);
  await data.keys.revoke(keyId, 'eve');
  await data.audit.record({ ...act, status: 200 });
}

interface Found {
  revoked: boolean | undefined;
  allRefused: boolean;
  alarm: boolean;
}
const found = (name: string): Promise<Found> =>
  using(name, ({ keys, vault, refuseAllKeys }) => ({
    revoked: keys.entry(keyId)?.revoked,
    allRefused: refuseAllKeys(),
    alarm: vault.rolledBack,
  }));
const ACCEPTED: Found = { revoked: false, allRefused: false, alarm: false };

/** The PC in use and its backup, created once. */
beforeAll(async () => {
  dir = sample = await tempDir();
  await using('main', async ({ keys, projects }) => {
    projects.createProject({ id: 'line-7', name: 'Line 7' });
    keyId = (await keys.create({ project: 'line-7', name: 'MES', scopes: [], by: 'eve' })).record.id;
  });
  await backUp('main', 'first');
});
afterAll(() => sample.remove());
beforeEach(async () => {
  dir = await tempDir();
  cpSync(sample.path, dir.path, { recursive: true });
});
afterEach(() => dir.remove());

describe('two restores in a row', () => {
  test('into a folder that never served accept the keys, and both are in the journal', async () => {
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'none' });
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'none' });
    expect(await found('spare')).toEqual(ACCEPTED);
    const rows = await adminActs(join(at('spare'), 'journal'), ['restore']);
    expect(rows.map(({ status, user }) => [status, user])).toEqual([
      [undefined, 'command line'],
      [200, 'command line'],
      [undefined, 'command line'],
      [200, 'command line'],
    ]);
    await found('spare');
    expect(await adminActs(join(at('spare'), 'journal'), ['restore'])).toHaveLength(4);
  });

  test('survive a disk that cannot be written: the service starts, and the next start makes up for it', async () => {
    await restore('first', 'spare');
    const full: FileEdge = { ...diskEdge, create: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    const data = await openData({ dataDir: at('spare'), secretStore: 'file', overrides: {}, files: full, log });
    expect(data.unfinished).toEqual(expect.arrayContaining(['anchors-log', 'restores']));
    const alarms = createAlarms();
    setUnfinishedStartAlarms(alarms, data.unfinished);
    const [alarm] = alarms.list();
    expect(alarm?.text).toContain('the journal rows of a restore');
    expect(alarm && alarmText(alarm, german)).toContain('Journalzeilen einer zurückgespielten Sicherung');
    await data.close();
    expect(await using('spare', ({ unfinished }) => unfinished)).toEqual([]);
    expect(await found('spare')).toEqual(ACCEPTED);
  });

  test('over the PC of the backup keep what was revoked there since', async () => {
    await using('main', revoke);
    expect(await restore('first', 'main')).toMatchObject({ journal: 'kept' });
    expect(await restore('first', 'main')).toMatchObject({ journal: 'kept' });
    expect(await found('main')).toEqual({ revoked: true, allRefused: false, alarm: true });
  });

  test('with a journal use the newer one, and without one, the first ends earlier', async () => {
    await backUp('main', 'full', true);
    expect(await restore('full', 'spare')).toMatchObject({ journal: 'restored' });
    expect(await restore('full', 'spare')).toMatchObject({ journal: 'restored' });
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'earlier' });
    expect(await found('spare')).toEqual({ ...ACCEPTED, alarm: true });
  });
});

describe('over a spare PC that has served with a backup of the same installation', () => {
  test('refuse a key that was revoked on the other PC along with all others, until a user decides', async () => {
    await restore('first', 'spare');
    expect(await found('spare')).toEqual(ACCEPTED);
    await using('main', revoke);
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'other' });
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'other' });
    for (let start = 0; start < 2; start++)
      expect(await found('spare')).toEqual({ revoked: false, allRefused: true, alarm: true });
    await using('spare', ({ confirmVault }) => confirmVault());
    expect(await found('spare')).toEqual(ACCEPTED);
  });

  test('keep revoked what was revoked on the spare PC itself after that', async () => {
    await restore('first', 'spare');
    await using('spare', revoke);
    expect(await restore('first', 'spare')).toMatchObject({ journal: 'other' });
    expect(await found('spare')).toEqual({ revoked: true, allRefused: true, alarm: true });
    await using('spare', ({ confirmVault }) => confirmVault());
    expect(await found('spare')).toEqual({ ...ACCEPTED, revoked: true });
  });

  test('of its own backup belong to the same installation: its journal continues', async () => {
    await restore('first', 'spare');
    await backUp('spare', 'of the spare');
    await using('spare', revoke);
    expect(await restore('of the spare', 'spare')).toMatchObject({ journal: 'kept' });
    expect(await found('spare')).toEqual({ revoked: true, allRefused: false, alarm: true });
  });
});
