import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one transaction: all of it, or, when it throws, nothing. Within a transaction it is a part of that one:
 * what it throws must then reach the outer one.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // A commit that failed may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
