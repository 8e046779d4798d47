import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#common/node/private-files.ts';
import { VaultError } from './errors.ts';

/**
 * One process per data folder (docs/spec/storage.md#data-folder). An exclusive transaction on `lock.sqlite` is a lock
 * of the operating system, which ends with the process in any case; a file with a process ID would be unreliable.
 *
 * Known weakness: on a network share without working locks, two hosts can use the folder. The data folder belongs on a
 * local disk.
 */
export interface DataLock {
  release(): void;
}

/** The folder must exist. Throws VaultError `locked` if another process, or this one, has the lock. */
export function takeDataLock(dataDir: string): DataLock {
  const file = join(dataDir, 'lock.sqlite');
  touchPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // With the rollback journal in memory nothing is written, so a full disk is not a problem.
    db.exec('PRAGMA journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      throw new VaultError('locked', `Another Sluice is running on the data folder ${dataDir}; stop it first.`);
    }
    const text = isFull(error)
      ? `The lock file ${file} cannot be used, because the disk is full. Free disk space, then start Sluice again.`
      : `The lock file ${file} cannot be used; remove it while no Sluice runs, it holds nothing.`;
    throw new VaultError('unreadable', text, { cause: error });
  }
  return {
    release: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** SQLITE_FULL. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 13;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (error.errcode === 5 || error.errcode === 261);
}
