import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, statfsSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { tempDir } from '#test/temp-dir.ts';
import { sharedJournal, UNMAPPED_WAL } from './unmapped-wal.ts';

const reason = whyNoDisk();
/** Space in which a mapped index can be created but not filled. */
const FREE_KIB = [12, 24, 28, 36];

const program = (file: string, mode: string) => `
  import { DatabaseSync } from 'node:sqlite';
  try {
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec(${JSON.stringify(`${mode}; PRAGMA synchronous = NORMAL; CREATE TABLE t (a)`)});
    for (let i = 0; i < 100; i++) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(500));
  } catch (error) {
    process.stdout.write(error.message);
  }`;

/** Fills the disk to the last byte; then `freeKib` are released. */
function fill(filler: string, freeKib: number): void {
  const file = openSync(filler, 'a');
  for (let size = 1024 ** 2; size >= 1; size = Math.floor(size / 4)) {
    const piece = Buffer.alloc(size);
    try {
      while (writeSync(file, piece) === size);
    } catch {
      // Full for this size.
    }
  }
  closeSync(file);
  truncateSync(filler, statSync(filler).size - freeKib * 1024);
}

const MODES = { 'one connection': () => UNMAPPED_WAL, 'several connections': sharedJournal };

test.skipIf(reason !== null).each(Object.entries(MODES))(
  `with %s, a full disk is an error of the database, never the end of the process${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 60_000 },
  async (_, mode) => {
    await using disk = await smallDisk(16);
    expect(statfsSync(disk.path).bsize).toBeLessThan(4096);
    const ends = FREE_KIB.map((kib) => {
      fill(join(disk.path, 'filler'), kib);
      const file = join(disk.path, `${kib}.sqlite`);
      writeFileSync(file, '');
      const code = program(file, mode(file));
      const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
      return [signal, String(stdout)];
    });
    expect(ends).toEqual(FREE_KIB.map(() => [null, 'database or disk is full']));
  },
);

test.skipIf(reason !== null)(
  `with small blocks, a database in WAL is converted and can be read beside its writer${reason === null ? '' : ` (skipped: ${reason})`}`,
  async () => {
    await using disk = await smallDisk(16);
    const file = join(disk.path, 'a.sqlite');
    const before = new DatabaseSync(file);
    before.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    before.close();
    using writer = new DatabaseSync(file);
    writer.exec(sharedJournal(file));
    using reader = new DatabaseSync(file, { readOnly: true });
    writer.exec('INSERT INTO t VALUES (2)');
    expect(reader.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 2 });
    expect(writer.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'truncate' });
    expect(existsSync(`${file}-shm`)).toBe(false);
    // Opened again, as after a restart, while somebody reads.
    using again = new DatabaseSync(file);
    again.exec(sharedJournal(file));
    again.exec('INSERT INTO t VALUES (3)');
    expect(reader.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 3 });
  },
);

test('with usual blocks it is WAL', async () => {
  await using folder = await tempDir();
  const file = join(folder.path, 'a.sqlite');
  writeFileSync(file, '');
  expect(sharedJournal(file)).toBe('PRAGMA journal_mode = WAL');
});
