import { statfsSync } from 'node:fs';

/**
 * Execute the result first on a database that several connections open, and whose file exists: WAL, or a rollback
 * journal where the blocks of the file system are smaller than a page, because the mapped WAL index could end the
 * process there. With a rollback journal, a reader and a writer wait for each other. A database in WAL is converted
 * without its index being mapped.
 */
export const UNMAPPED_WAL = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL';

/** The size of SQLite's pages, and of each allocation of `<file>-shm`. */
const PAGE_BYTES = 4096;

/**
 * Execute it first on a database that several connections open, and whose file exists: WAL, or a rollback journal where the blocks of the file
 * system are smaller than a page, because the mapped WAL index could end the process there. With a rollback journal, a
 * reader and a writer wait for each other. A database in WAL is converted without its index being mapped.
 */
export function sharedJournal(file: string): string {
  if (statfsSync(file).bsize >= PAGE_BYTES) return 'PRAGMA journal_mode = WAL';
  return `${UNMAPPED_WAL}; PRAGMA journal_mode = TRUNCATE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema`;
}
