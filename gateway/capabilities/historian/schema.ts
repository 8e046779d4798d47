import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#common/node/private-files.ts';
import { stampOpening } from '#common/node/store-stamp.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { sharedJournal } from '#common/node/unmapped-wal.ts';

/**
 * The schema of `history.sqlite`.
 *
 * `points` is one tree sorted by series and time: a range of one tag is stored together, at about 27 bytes per point,
 * so an hour of a tag that changes each second is read from 30 pages, whatever the size of the file. Times are
 * milliseconds since 1970, forms as in form.ts. `series` names a project's tags; an ID is never reused, so that an
 * active query cannot read another tag by it. A series of a deleted project has the project '' until its points are
 * removed.
 *
 * Durability: each commit is flushed (`synchronous = FULL`; the waiting thread serves no requests). Known weakness: a
 * batch writes the last page of every tag in it, so about 4 KiB per tag and batch are written to flash memory.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE series (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     project TEXT NOT NULL,
     path TEXT NOT NULL,
     unit TEXT NOT NULL,
     UNIQUE (project, path)) STRICT;
   CREATE TABLE points (
     series INTEGER NOT NULL,
     time INTEGER NOT NULL,
     form INTEGER NOT NULL,
     value ANY,
     PRIMARY KEY (series, time)) WITHOUT ROWID, STRICT;`,
];

const BUSY_MS = 1_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;
const WRITER_CACHE_KIB = 32_768;
const READER_CACHE_KIB = 65_536;

/**
 * The only connection that writes: 0600, WAL. Throws if the file is damaged or of a newer release; it is never
 * replaced.
 */
export function openForWriting(file: string): DatabaseSync {
  touchPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    stampOpening(db);
    db.exec(`${sharedJournal(file)}; PRAGMA synchronous = FULL; PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A read-only connection, which can read while the other one writes. Throws if there is no file yet. */
export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  try {
    db.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}; PRAGMA query_only = ON`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync): void {
  inTransaction(db, () => {
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (version > STEPS.length)
      throw new Error(`it was written by a newer Sluice (form ${version}, this one knows ${STEPS.length})`);
    for (const step of STEPS.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}`);
  });
}
