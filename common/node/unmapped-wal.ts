import { statfsSync } from 'node:fs';

/**
 * Execute it first on a database that only one connection opens, to keep its WAL index in memory instead of in
 * `<file>-shm`. SQLite maps that file and allocates one byte of each page: on a full disk whose blocks are smaller than
 * a page, such as ext4 on a small partition, the first access to the rest of a page ends the process with SIGBUS. A
 * second connection gets SQLITE_BUSY, so it must not be used for databases that a backup copies.
 */
export const UNMAPPED_WAL = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL';

/** Of SQLite's pages, and of what it allocates of `<file>-shm` at once. */
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
