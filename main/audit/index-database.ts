import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { needsRoom } from '#common/node/needs-room.ts';
import { UNMAPPED_WAL } from '#common/node/unmapped-wal.ts';

/**
 * The search index beside the journal: the location of each row and its filter values. It is not a source of anything:
 * a missing, damaged or outdated file is built again from the segments.
 */
export const INDEX_VERSION = 1;

const SCHEMA = `
  CREATE TABLE segments (
    chain TEXT NOT NULL, segment INTEGER NOT NULL, part INTEGER NOT NULL,
    offset INTEGER NOT NULL, done INTEGER NOT NULL, id_from INTEGER, id_to INTEGER,
    PRIMARY KEY (chain, segment)
  ) WITHOUT ROWID;
  CREATE TABLE rows (
    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, chain TEXT NOT NULL, segment INTEGER NOT NULL,
    offset INTEGER NOT NULL, length INTEGER NOT NULL, type TEXT NOT NULL,
    request TEXT, client_request TEXT, key TEXT, project TEXT, route TEXT, code TEXT
  );
  CREATE INDEX rows_time ON rows (time);
  CREATE INDEX rows_request ON rows (request) WHERE request IS NOT NULL;
  CREATE INDEX rows_client_request ON rows (client_request) WHERE client_request IS NOT NULL;
  CREATE INDEX rows_key ON rows (key, time) WHERE key IS NOT NULL;
  CREATE INDEX rows_code ON rows (code, time) WHERE code IS NOT NULL;
  CREATE TABLE last_used (key TEXT PRIMARY KEY, time TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${INDEX_VERSION};
`;

/** Opens the index, empty when it was missing, of another version or unreadable. Throws when the disk is full. */
export function openIndexDatabase(file: string): DatabaseSync {
  try {
    return openChecked(file);
  } catch (error) {
    if (needsRoom(error)) throw error;
    removeIndex(file);
    return openChecked(file);
  }
}

/** An empty index in memory. */
export function indexInMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  return database;
}

export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) fs.rmSync(file + suffix, { force: true });
}

function openChecked(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    fs.chmodSync(file, 0o600);
    database.exec(`${UNMAPPED_WAL}; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0`);
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === INDEX_VERSION) {
      database.prepare('SELECT max(id), (SELECT count(*) FROM segments) FROM rows').get();
      return database;
    }
    if (version !== 0 || database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] !== 0)
      throw new Error('another version');
    database.exec(`BEGIN; ${SCHEMA} COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
