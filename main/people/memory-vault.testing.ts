import { createHmac } from 'node:crypto';
import initSqlJs from 'sql.js';
import type { Vault } from '../contracts.ts';

/** For unit tests: a vault with a real SQLite image and without a disk. `failWrites` simulates a broken disk. */
export interface MemoryVault extends Vault {
  failWrites: boolean;
}

export async function createMemoryVault(): Promise<MemoryVault> {
  const { Database } = await initSqlJs();
  const db = new Database();
  let generation = 0;
  const vault: MemoryVault = {
    failWrites: false,
    read: (query) => query(db),
    async mutate(change) {
      db.exec('BEGIN');
      try {
        const value = change(db);
        if (vault.failWrites) throw new Error('the disk is full');
        db.exec('COMMIT');
        generation++;
        return value;
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
    rehearse(change) {
      db.exec('BEGIN');
      try {
        change(db);
      } finally {
        db.exec('ROLLBACK');
      }
    },
    derive: (purpose) => createHmac('sha256', 'test secret').update(purpose).digest(),
    get generation() {
      return generation;
    },
    secretStore: 'file',
    rolledBack: false,
    close: async () => db.close(),
  };
  return vault;
}
