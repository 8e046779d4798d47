import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#common/node/private-files.ts';
import { stampOpening } from '#common/node/store-stamp.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { sharedJournal } from '#common/node/unmapped-wal.ts';
import { VaultError } from '../vault/errors.ts';
import { PROJECTS_RECOVERY } from '../vault/recovery-hint.ts';
import { migrateProjects } from './schema.ts';

export type Row = Record<string, unknown>;

/** A larger file is not checked completely at the start; damage is then detected when it is read. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The file of the store: 0600, WAL, and a flush per commit, because a desired state must survive a power cut. Throws
 * VaultError with one sentence and the remedy if it is damaged or of a later release.
 */
export function openProjectsFile(file: string): DatabaseSync {
  touchPrivateFile(file);
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
  try {
    expectSound(db, file);
    stampOpening(db);
    // Recursive triggers: a row that INSERT OR REPLACE takes away fires its delete trigger only with them.
    db.exec(`${sharedJournal(file)}; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON`);
    inTransaction(db, () => migrateProjects(db));
    expectReadable(db);
    return db;
  } catch (error) {
    db.close();
    const why = error instanceof Error ? error.message : String(error);
    const text = `The project store ${file} cannot be opened: ${why}. ${PROJECTS_RECOVERY}.`;
    throw new VaultError('unreadable', text, { cause: error });
  }
}

function expectSound(db: DatabaseSync, file: string): void {
  if (statSync(file).size > CHECKED_BYTES_MAX) return;
  const first = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (first !== 'ok') throw new Error('the file is damaged');
}

/** The texts that are read at the start: damage inside a page is detected in them. */
function expectReadable(db: DatabaseSync): void {
  const used = `SELECT r.definition, r.secrets FROM pipelines p JOIN revisions r ON r.project = p.project
    AND r.pipeline = p.id AND (r.revision = p.newest OR r.revision IS p.wanted)`;
  const connections = 'SELECT definition, secrets FROM connections';
  const others = ['queries', 'tags', 'scripts'].map((table) => `SELECT definition, '{}' AS secrets FROM ${table}`);
  for (const rows of [used, connections, ...others]) {
    const sql = `SELECT 1 FROM (${rows}) WHERE NOT json_valid(definition) OR NOT json_valid(secrets) LIMIT 1`;
    if (db.prepare(sql).get() !== undefined) throw new Error('a definition in it is damaged');
  }
}
