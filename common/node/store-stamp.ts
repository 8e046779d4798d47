import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorCode } from './atomic-file.ts';

/**
 * The stamp of a database file, in the header field that SQLite reserves for applications: 15 random bits, created with
 * the file, above 16 bits that count how often it was opened for writing. A file that was created again, or an older
 * copy, therefore differs from the last used file in its first 100 bytes. 0: created by a release without stamps.
 */
const COUNT_BITS = 16;
const COUNT_MAX = 2 ** COUNT_BITS - 1;
const IDENTITIES = 2 ** 15;
const MAGIC = 'SQLite format 3\0';
const STAMP_AT = 68;
const HEADER_BYTES = 100;

/** Call it before `journal_mode = WAL`: the stamp of a new file is then in its header immediately. */
export function stampOpening(db: DatabaseSync): void {
  const before = Number(db.prepare('PRAGMA application_id').get()?.['application_id'] ?? 0);
  try {
    db.exec(`PRAGMA application_id = ${nextStamp(before)}`);
  } catch {
    // A full disk or a lock must not prevent opening the file: its stamp remains unchanged.
  }
}

function nextStamp(before: number): number {
  if (before <= 0) return randomInt(1, IDENTITIES) * 2 ** COUNT_BITS + 1;
  return before % 2 ** COUNT_BITS === COUNT_MAX ? before : before + 1;
}

export type StampRead = { kind: 'stamp'; stamp: number } | { kind: 'missing' | 'empty' | 'no_database' };

/** Does not use SQLite, which would create a missing file. Throws errors of the disk. */
export function readStamp(file: string): StampRead {
  const head = Buffer.alloc(HEADER_BYTES);
  let bytes: number;
  try {
    const handle = openSync(file, 'r');
    try {
      bytes = readSync(handle, head, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
  if (bytes === 0) return { kind: 'empty' };
  if (bytes < HEADER_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC) return { kind: 'no_database' };
  return { kind: 'stamp', stamp: head.readInt32BE(STAMP_AT) };
}

/** The result of comparing a file with the last known stamp. */
export function compareStamps(known: number, found: number): 'same' | 'older' | 'other' {
  if (Math.floor(known / 2 ** COUNT_BITS) !== Math.floor(found / 2 ** COUNT_BITS)) return 'other';
  return found < known ? 'older' : 'same';
}
