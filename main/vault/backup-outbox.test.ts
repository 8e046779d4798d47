import { createCipheriv, createDecipheriv } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempDir, type TempDir } from '#test/temp-dir.ts';
import { restoreBackup, writeBackup } from './backup.ts';
import { openTestVault, silent } from './testing/open-test-vault.ts';

/** A backup of waiting events, taken while the gateway writes to the outbox (docs/spec/storage.md#backup). */
const PASSPHRASE = 'twelve chars';
const NONCE = Buffer.alloc(12, 7);

let home: TempDir;
let spare: TempDir;
beforeEach(async () => {
  [home, spare] = await Promise.all([tempDir(), tempDir()]);
});
afterEach(async () => {
  await home.remove();
  await spare.remove();
});

function sealed(key: Buffer, text: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, NONCE);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function opened(key: Buffer, bytes: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', key, NONCE).setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
}

/**
 * Writes like the gateway, from a separate thread: WAL mode, every commit on disk before the next. Each commit stores
 * one event and counts it, so that a copy from the middle of a commit would be detected.
 */
const WRITER = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const db = new DatabaseSync(workerData.file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, sealed BLOB NOT NULL); CREATE TABLE count (n INTEGER NOT NULL)');
  db.exec('INSERT INTO count VALUES (0)');
  const insert = db.prepare('INSERT INTO events (sealed) VALUES (?)');
  const count = db.prepare('UPDATE count SET n = n + 1');
  let ended = false;
  parentPort.on('message', () => { ended = true; });
  (function write() {
    if (ended) { db.close(); parentPort.close(); return; }
    db.exec('BEGIN IMMEDIATE');
    insert.run(workerData.sealed);
    count.run();
    db.exec('COMMIT');
    parentPort.postMessage('written');
    setImmediate(write);
  })();`;

interface Writer {
  until(written: number): Promise<void>;
  stop(): Promise<void>;
}

function startWriter(file: string, bytes: Buffer): Writer {
  const worker = new Worker(WRITER, { eval: true, workerData: { file, sealed: bytes } });
  const ended = new Promise<void>((resolve, reject) => worker.once('exit', () => resolve()).once('error', reject));
  let written = 0;
  let look = (): void => {};
  worker.on('message', () => {
    written++;
    look();
  });
  return {
    until: (wanted) =>
      Promise.race([
        new Promise<void>((resolve) => {
          look = () => void (written >= wanted && resolve());
          look();
        }),
        ended,
      ]),
    stop: async () => {
      worker.postMessage('stop');
      await ended;
    },
  };
}

test('an outbox in use is copied completely, and a spare PC opens it with the key of its restored vault', async () => {
  const vault = await openTestVault(home.path);
  const writer = startWriter(join(home.path, 'outbox.sqlite'), sealed(vault.derive('outbox'), 'report 4711'));
  await writer.until(50);
  const file = join(spare.path, 'line.backup');
  writeFileSync(file, await buffer(await writeBackup({ vault, dataDir: home.path, passphrase: PASSPHRASE })));
  await writer.stop();
  await vault.close();

  const dataDir = join(spare.path, 'data');
  await restoreBackup({ file, passphrase: PASSPHRASE, dataDir, secretStore: 'file', packaged: false, log: silent });
  const restored = await openTestVault(dataDir);
  const outbox = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
  const stored = outbox.prepare('SELECT sealed FROM events').all();
  expect(stored.length).toBeGreaterThanOrEqual(50);
  expect(outbox.prepare('SELECT n FROM count').get()).toEqual({ n: stored.length });
  const key = restored.derive('outbox');
  for (const row of stored) expect(opened(key, row['sealed'] as Uint8Array)).toBe('report 4711');
  expect(() => outbox.exec('DELETE FROM events')).not.toThrow();
  outbox.close();
  await restored.close();
}, 120_000);

test('committed data of a killed gateway that was not yet moved into the database is in the copy', async () => {
  const vault = await openTestVault(home.path);
  const running = new DatabaseSync(join(spare.path, 'outbox.sqlite'));
  running.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE events (seq INTEGER PRIMARY KEY); INSERT INTO events VALUES (1)',
  );
  // As after a kill: the database and its WAL, which nobody has open.
  for (const name of ['outbox.sqlite', 'outbox.sqlite-wal'])
    copyFileSync(join(spare.path, name), join(home.path, name));
  running.close();
  const file = join(spare.path, 'line.backup');
  writeFileSync(file, await buffer(await writeBackup({ vault, dataDir: home.path, passphrase: PASSPHRASE })));
  await vault.close();
  const dataDir = join(spare.path, 'data');
  await restoreBackup({ file, passphrase: PASSPHRASE, dataDir, secretStore: 'file', packaged: false, log: silent });
  const outbox = new DatabaseSync(join(dataDir, 'outbox.sqlite'));
  expect(outbox.prepare('SELECT seq FROM events').all()).toEqual([{ seq: 1 }]);
  outbox.close();
}, 120_000);
