import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder, touchPrivateFile } from '#common/node/private-files.ts';
import { sharedJournal } from '#common/node/unmapped-wal.ts';

const SCHEMA_VERSION = 1;
const SCHEMA = `
  CREATE TABLE variables (
    name TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL, bytes INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** Milliseconds to wait for another process that holds the file (a backup). */
const BUSY_MS_MAX = 1_000;

/**
 * Opens the file of a project, and creates it if it does not exist. Throws if it cannot be read or is from a newer
 * release.
 */
export function openVariablesFile(file: string): DatabaseSync {
  mkdirSync(dirname(dirname(file)), { recursive: true, mode: 0o700 });
  makePrivateFolder(dirname(file));
  touchPrivateFile(file);
  const database = new DatabaseSync(file, { timeout: BUSY_MS_MAX });
  try {
    database.exec(`${sharedJournal(file)}; PRAGMA synchronous = NORMAL`);
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    if (version > SCHEMA_VERSION) throw new Error(`the file ${file} was written by a newer release`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function removeVariablesFile(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true });
}
