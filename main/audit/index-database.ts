import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { needsRoom } from '#common/node/needs-room.ts';
import { UNMAPPED_WAL } from '#common/node/unmapped-wal.ts';
import { addressRange } from './address-range.ts';

/**
 * The search index of the journal: the location of each row and its filter values. It is only a cache: a missing,
 * damaged or outdated file is built again from the segments.
 *
 * `kinds` has the values that many rows share: caller, address, route, outcome, cause (row-kind.ts). Rows refer to
 * them, so that counting needs two integers per row, and a search term is compared with a few texts instead of every
 * row.
 */
export const INDEX_VERSION = 3;

const SCHEMA = `
  CREATE TABLE segments (
    chain TEXT NOT NULL, segment INTEGER NOT NULL, part INTEGER NOT NULL,
    offset INTEGER NOT NULL, done INTEGER NOT NULL, id_from INTEGER, id_to INTEGER,
    PRIMARY KEY (chain, segment)
  ) WITHOUT ROWID;
  CREATE TABLE kinds (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, type TEXT NOT NULL, outcome TEXT, key TEXT, name TEXT,
    address TEXT, project TEXT, route TEXT, code TEXT, status INTEGER, text TEXT NOT NULL
  );
  CREATE TABLE rows (
    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, chain TEXT NOT NULL, segment INTEGER NOT NULL,
    offset INTEGER NOT NULL, length INTEGER NOT NULL, kind INTEGER NOT NULL, calls INTEGER NOT NULL,
    request TEXT, client_request TEXT, path TEXT, key TEXT, code TEXT, thing TEXT
  );
  CREATE INDEX rows_time ON rows (time, id, kind, calls);
  CREATE INDEX rows_request ON rows (request) WHERE request IS NOT NULL;
  CREATE INDEX rows_client_request ON rows (client_request) WHERE client_request IS NOT NULL;
  CREATE INDEX rows_key ON rows (key, time, id) WHERE key IS NOT NULL;
  CREATE INDEX rows_code ON rows (code, time, id) WHERE code IS NOT NULL;
  CREATE INDEX rows_thing ON rows (thing, time, id) WHERE thing IS NOT NULL;
  CREATE TABLE last_used (key TEXT PRIMARY KEY, time TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${INDEX_VERSION};
`;

/**
 * Opens the index; it is empty if the file was missing, of another version or unreadable. Throws if the disk is full.
 */
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
  return withFunctions(database);
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
      return withFunctions(database);
    }
    if (version !== 0 || database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] !== 0)
      throw new Error('another version');
    database.exec(`BEGIN; ${SCHEMA} COMMIT`);
    return withFunctions(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Ranges that are kept ready: more than one query names. */
const RANGES_MAX = 32;

/** `in_range(address, range)`: 1 when the address is in the range. */
function withFunctions(database: DatabaseSync): DatabaseSync {
  const ranges = new Map<string, (address: string) => boolean>();
  const rangeOf = (text: string): ((address: string) => boolean) => {
    const known = ranges.get(text);
    if (known !== undefined) return known;
    if (ranges.size >= RANGES_MAX) ranges.clear();
    const made = addressRange(text) ?? (() => false);
    ranges.set(text, made);
    return made;
  };
  database.function('in_range', { deterministic: true }, (address, range) => {
    if (typeof address !== 'string' || typeof range !== 'string') return 0;
    return rangeOf(range)(address) ? 1 : 0;
  });
  return database;
}
