import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import { VaultError } from './errors.ts';

/**
 * Mutations that wait for the vault. All that are waiting when a write begins are part of that write; later ones wait
 * for the next.
 *
 * Limits: `WAITING_MAX` waiting mutations; further ones are refused. One write at a time.
 */
export const WAITING_MAX = 1_000;

export interface Mutation {
  /** Runs inside a separate transaction; throws the error of `change`, with its changes undone. */
  apply(db: Database): void;
  resolve(): void;
  reject(error: unknown): void;
}

export interface MutationQueue {
  add<T>(change: (db: Database) => T): Promise<T>;
  /** Resolves when no mutation waits or is being written. */
  settled(): Promise<void>;
  /** Refuses new mutations; resolves when all earlier ones are written or rejected. */
  close(): Promise<void>;
}

/** `write` settles every given mutation and never throws. */
export function createMutationQueue(write: (batch: Mutation[]) => Promise<void>): MutationQueue {
  let waiting: Mutation[] = [];
  let running: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    // Combines all mutations of this turn of the event loop in one write.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await write(batch);
    }
    running = null;
  }

  async function settled(): Promise<void> {
    while (running !== null) await running;
  }

  return {
    add(change) {
      if (closed) return Promise.reject(new VaultError('closed', 'The vault is closed.'));
      if (waiting.length >= WAITING_MAX) {
        return Promise.reject(new SluiceError('overloaded', 'Too many changes wait for the vault; try again.'));
      }
      const { mutation, result } = pending(change);
      waiting.push(mutation);
      running ??= drain();
      return result;
    },
    settled,
    close() {
      closed = true;
      return settled();
    },
  };
}

function pending<T>(change: (db: Database) => T): { mutation: Mutation; result: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let outcome: { value: T } | null = null;
  const mutation: Mutation = {
    apply: (db) => {
      outcome = { value: inTransaction(db, change) };
    },
    resolve: () => outcome && resolve(outcome.value),
    reject,
  };
  return { mutation, result: promise };
}

function inTransaction<T>(db: Database, change: (db: Database) => T): T {
  db.exec('BEGIN');
  try {
    const value = change(db);
    // A later asynchronous change would not be part of the image that is being written.
    if (value instanceof Promise) throw new TypeError('a change of the vault must be synchronous');
    db.exec('COMMIT');
    return value;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
