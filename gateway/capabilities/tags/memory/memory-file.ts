/**
 * `<data>/projects/<project>/tags.sqlite`: the last value of each memory tag of one project (path, JSON, time in
 * milliseconds since 1970).
 *
 * Durability: WAL with synchronous NORMAL. Committed data survives the end of the process by any signal. A power cut
 * may lose the commits since the last checkpoint, the newest first and never a part of one. Limits: one row per tag;
 * rows of deleted tags are removed when the provider receives its list. Security: 0600 in a folder of 0700; no value is
 * ever logged. Known weakness: commits and checkpoints run in the gateway's thread; a hanging disk blocks it for as
 * long.
 */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { PROJECT_ID } from '#common/model/ids.ts';
import { makePrivateFolder, touchPrivateFile } from '#common/node/private-files.ts';
import { sharedJournal } from '#common/node/unmapped-wal.ts';

const SCHEMA_VERSION = 1;
const SCHEMA = `
  CREATE TABLE memory_tags (path TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL, time INTEGER NOT NULL) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** Milliseconds to wait for another process that holds the file (a backup). */
const BUSY_MS_MAX = 1_000;
/** Size of the WAL after a large commit. */
const WAL_BYTES_KEPT = 4 * 1024 * 1024;

export interface StoredValue {
  readonly path: string;
  readonly json: string;
  readonly time: number;
}

export class MemoryFile {
  readonly #db: DatabaseSync;
  readonly #all: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;

  /** Creates the file if it does not exist. Throws if it cannot be read or is from a newer release. */
  constructor(dataDir: string, project: string) {
    const db = open(fileOf(dataDir, project));
    this.#db = db;
    this.#all = db.prepare('SELECT path, json, time FROM memory_tags');
    this.#put = db.prepare(
      'INSERT INTO memory_tags VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET json = excluded.json, time = excluded.time',
    );
    this.#delete = db.prepare('DELETE FROM memory_tags WHERE path = ?');
  }

  *values(): Generator<StoredValue> {
    for (const row of this.#all.iterate())
      yield { path: String(row['path']), json: String(row['json']), time: Number(row['time']) };
  }

  /** All values or none. */
  put(values: readonly StoredValue[]): void {
    this.#transaction(() => {
      for (const { path, json, time } of values) this.#put.run(path, json, time);
    });
  }

  remove(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#transaction(() => {
      for (const path of paths) this.#delete.run(path);
    });
  }

  close(): void {
    this.#db.close();
  }

  #transaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** The project was deleted, and so are its values. */
export function removeMemoryFile(dataDir: string, project: string): void {
  const file = fileOf(dataDir, project);
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true });
}

function fileOf(dataDir: string, project: string): string {
  if (!PROJECT_ID.test(project)) throw new Error('expected the id of a project');
  return join(dataDir, 'projects', project, 'tags.sqlite');
}

function open(file: string): DatabaseSync {
  makePrivateFolder(dirname(dirname(file)));
  makePrivateFolder(dirname(file));
  touchPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: BUSY_MS_MAX });
  try {
    db.exec(`${sharedJournal(file)}; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version > SCHEMA_VERSION) throw new Error('the file was written by a newer release');
    if (version === 0) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
