import { errorCode } from './atomic-file.ts';

/** SQLITE_FULL, SQLITE_CANTOPEN; SQLITE_IOERR_SHMOPEN, _SHMSIZE and _SHMMAP. */
const CODES: ReadonlySet<number> = new Set([13, 14, 4618, 4874, 5386]);

/**
 * Even reading a database in WAL mode creates a file beside it; on a full disk this error does not mean that the
 * database is damaged.
 */
export function needsRoom(error: unknown): boolean {
  const code = sqliteCode(error);
  return CODES.has(code) || CODES.has(code % 256);
}

/** SQLITE_FULL; SQLITE_IOERR_SHMSIZE and _SHMMAP. */
const FULL_CODES: ReadonlySet<number> = new Set([13, 4874, 5386]);

/** Whether an error of SQLite or of the file system says that the disk, or the quota of this user, has no room. */
export function isDiskFull(error: unknown): boolean {
  return FULL_CODES.has(sqliteCode(error)) || ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
}

function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
