import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one transaction, which is rolled back if it throws. A nested call is part of the outer transaction:
 * its errors must then reach the outer call.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // A failed commit may already have ended the transaction.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
