import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#common/node/private-files.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { migrateProjects } from './schema.ts';

export type Row = Record<string, unknown>;

/** The store's file: 0600, WAL, and a flush per commit — a wish to run must outlive a power cut. */
export function openProjectsFile(file: string): DatabaseSync {
  touchPrivateFile(file);
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 });
  try {
    // Recursive triggers: a row that INSERT OR REPLACE takes away fires its delete trigger only with them.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON');
    inTransaction(db, () => migrateProjects(db));
    return db;
  } catch (error) {
    db.close();
    const why = error instanceof Error ? error.message : String(error);
    const text = `The project store ${file} cannot be opened: ${why}. Put it back from a copy or restore a backup with "sluice restore".`;
    throw new Error(text, { cause: error });
  }
}
