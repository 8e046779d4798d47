/** SQLITE_FULL, SQLITE_CANTOPEN; SQLITE_IOERR_SHMOPEN, _SHMSIZE and _SHMMAP. */
const CODES: ReadonlySet<number> = new Set([13, 14, 4618, 4874, 5386]);

/**
 * Even reading a database in WAL mode creates a file beside it; on a full disk this error does not mean that the
 * database is damaged.
 */
export function needsRoom(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
  return CODES.has(code) || CODES.has(code % 256);
}
