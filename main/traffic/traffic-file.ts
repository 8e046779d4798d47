import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UNMAPPED_WAL } from '#common/node/unmapped-wal.ts';
import type { Logger } from '#common/node/log.ts';

/** Tables of `traffic.sqlite`. A file of another version is set aside: figures are not worth a migration. */
const VERSION = 1;
const SCHEMA = `
  CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE rows (
    span INTEGER NOT NULL, at INTEGER NOT NULL, series INTEGER NOT NULL,
    calls INTEGER NOT NULL, refused INTEGER NOT NULL, errors INTEGER NOT NULL,
    times BLOB NOT NULL, samples BLOB NOT NULL,
    PRIMARY KEY (span, at, series)) STRICT, WITHOUT ROWID;
  CREATE TABLE minutes (
    at INTEGER PRIMARY KEY, measured_ms INTEGER NOT NULL, calls INTEGER NOT NULL, refused INTEGER NOT NULL, p99_ms REAL
  ) STRICT;
  CREATE TABLE last (series INTEGER PRIMARY KEY, at INTEGER NOT NULL, ip TEXT NOT NULL, detail TEXT) STRICT;
  PRAGMA user_version = ${VERSION};
`;
/** Added later: a file of an earlier version lacks it, and an earlier Sluice ignores it. */
const ADDED = `
  CREATE TABLE IF NOT EXISTS key_routes (
    series INTEGER NOT NULL, route TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    first_passed_at INTEGER, last_passed_at INTEGER, PRIMARY KEY (series, route)) STRICT, WITHOUT ROWID;
`;
const SIDES = ['', '-wal', '-shm', '-journal'];

/** Opens the file; one that cannot be read is set aside, and where none can be made, memory has to do. Never throws. */
export function openTrafficFile(file: string, log: Logger): DatabaseSync {
  try {
    return open(file);
  } catch (error) {
    log.warn('the traffic figures cannot be read and start over', { file, error });
  }
  return replaceTrafficFile(file, log);
}

/** Sets the present file aside and starts a new one. Never throws. */
export function replaceTrafficFile(file: string, log: Logger): DatabaseSync {
  try {
    setAside(file);
    return open(file);
  } catch (error) {
    log.error('traffic figures are kept in memory only', { file, error });
    return open(':memory:');
  }
}

/** One file is kept aside for diagnosis; the next replaces it. */
function setAside(file: string): void {
  for (const side of SIDES) fs.rmSync(`${file}.damaged${side}`, { recursive: true, force: true });
  for (const side of SIDES) if (fs.existsSync(file + side)) fs.renameSync(file + side, `${file}.damaged${side}`);
}

function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    if (file !== ':memory:') fs.chmodSync(file, 0o600);
    db.exec(`${UNMAPPED_WAL}; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 0`);
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0 && db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0)
      db.exec(`BEGIN; ${SCHEMA} COMMIT`);
    else if (version !== VERSION) throw new Error(`version ${version} is not ${VERSION}`);
    db.exec(ADDED);
    db.prepare('SELECT at FROM rows LIMIT 1').get();
    db.prepare('SELECT at FROM minutes LIMIT 1').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
