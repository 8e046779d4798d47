import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#common/node/transaction.ts';
import { stampOpening } from '#common/node/store-stamp.ts';
import { sharedJournal } from '#common/node/unmapped-wal.ts';
import { createSeal, type Seal, SALT_BYTES } from './seal.ts';

/**
 * `outbox.sqlite`, in WAL mode with `synchronous=FULL`: a commit is on disk when it returns.
 *
 * - `targets`: scheme, host and port; whether it is paused, why and by whom; dead letters in a row.
 * - `lines`: one per node and target. `sealed` has the headers, time limit and TLS of its events; null if only imported
 *   events refer to it.
 * - `events`: `seq` is the order; `queue` is a digest of the ordering key; `state` 0 = queued, 1 = dead; `sealed` has
 *   the path, the body and everything else from the sender; `last` has the tries that are kept (one object before 1.6).
 *   Times are milliseconds since 1970.
 */
export const QUEUED = 0;
export const DEAD = 1;

const SCHEMA_VERSION = 1;
/** Includes line and bytes, so that a million events are summed up at the start without reading them. */
const INDEX_OF_SHARES = 'CREATE INDEX IF NOT EXISTS events_share ON events (state, target, seq, line, bytes)';
const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL);
  CREATE TABLE targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    origin TEXT NOT NULL UNIQUE,
    paused INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    paused_by TEXT,
    paused_at INTEGER,
    streak INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    node TEXT NOT NULL,
    test INTEGER NOT NULL,
    target INTEGER NOT NULL REFERENCES targets (id),
    sealed BLOB,
    UNIQUE (project, pipeline, node, test, target));
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    target INTEGER NOT NULL,
    queue BLOB NOT NULL,
    line INTEGER NOT NULL REFERENCES lines (id),
    state INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    method TEXT NOT NULL,
    body_bytes INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER,
    answers INTEGER NOT NULL DEFAULT 0,
    answers_since INTEGER,
    edits INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    died_at INTEGER,
    last BLOB,
    sealed BLOB NOT NULL);
  CREATE INDEX events_queue ON events (target, queue, seq) WHERE state = ${QUEUED};
  ${INDEX_OF_SHARES};`;

const CHECK = Buffer.from('sluice outbox');
const JOURNAL_BYTES_KEPT = 32 * 1024 * 1024;

export interface OpenedFile {
  readonly db: DatabaseSync;
  readonly seal: Seal;
}

/** Throws an Error with one plain sentence. An unreadable file remains unchanged. */
export function openFile(file: string, key: Uint8Array): OpenedFile {
  // Created with its permissions before it has any content; SQLite uses the same for its side files.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file);
  try {
    // Free pages are released to the disk a few at a time; this takes effect only before the first table.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    stampOpening(db);
    db.exec(sharedJournal(file));
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA journal_size_limit = ${JOURNAL_BYTES_KEPT}`);
    migrate(db);
    return { db, seal: sealOf(db, key) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > SCHEMA_VERSION)
    throw new Error(`outbox.sqlite was written by a newer Sluice (form ${version}, this one knows ${SCHEMA_VERSION})`);
  if (version === SCHEMA_VERSION) return replaceIndex(db);
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** Before 1.2 the index had no line. The new one only speeds up the start: a full disk must not prevent it. */
function replaceIndex(db: DatabaseSync): void {
  const old = db.prepare("SELECT 1 AS one FROM sqlite_schema WHERE name = 'events_state'").get();
  if (old === undefined) return;
  try {
    inTransaction(db, () => db.exec(`${INDEX_OF_SHARES}; DROP INDEX events_state`));
  } catch {
    // The next start tries again.
  }
}

/** The file's own encrypted value. A file of another key is refused before anything is written with the wrong one. */
function sealOf(db: DatabaseSync, key: Uint8Array): Seal {
  const read = (name: string) => db.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value'];
  const salt = read('salt');
  if (salt instanceof Uint8Array) {
    const seal = createSeal(key, salt);
    const check = read('check');
    try {
      if (check instanceof Uint8Array && seal.open('check', check).equals(CHECK)) return seal;
    } catch {
      // Reported below.
    }
    throw new Error(
      'outbox.sqlite was sealed with another key than this vault’s; restore a vault and a file that belong together',
    );
  }
  const fresh = randomBytes(SALT_BYTES);
  const seal = createSeal(key, fresh);
  db.exec('BEGIN IMMEDIATE');
  const put = db.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
  put.run('salt', fresh);
  put.run('check', seal.seal('check', CHECK));
  db.exec('COMMIT');
  return seal;
}

/** SQLite or the disk refused; any other error is a bug or invalid stored data. */
export function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** SQLITE_IOERR, SQLITE_CORRUPT. */
const DAMAGE: ReadonlySet<number> = new Set([10, 11]);

/** The disk or a page of the file failed: other pages may be intact. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DAMAGE.has(Number(error.errcode) & 0xff);
}
