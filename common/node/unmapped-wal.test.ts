import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk, whyNoDisk } from '#test/mounts.ts';
import { UNMAPPED_WAL } from './unmapped-wal.ts';

const reason = whyNoDisk();
/** Space in which a mapped index can be created but not filled. */
const FREE_KIB = [12, 24, 28, 36];

const program = (file: string) => `
  import { DatabaseSync } from 'node:sqlite';
  try {
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec(${JSON.stringify(`${UNMAPPED_WAL}; PRAGMA synchronous = NORMAL; CREATE TABLE t (a)`)});
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

test.skipIf(reason !== null)(
  `a full disk is an error of the database, never the end of the process${reason === null ? '' : ` (skipped: ${reason})`}`,
  { timeout: 60_000 },
  async () => {
    await using disk = await smallDisk(16);
    const ends = FREE_KIB.map((kib) => {
      fill(join(disk.path, 'filler'), kib);
      const code = program(join(disk.path, `${kib}.sqlite`));
      const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
      return [signal, String(stdout)];
    });
    expect(ends).toEqual(FREE_KIB.map(() => [null, 'database or disk is full']));
  },
);
