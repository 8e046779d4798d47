import type { AuditRow } from '#common/model/audit.ts';

/** The journal holds an act twice: a row before it, which has no status, and one with its outcome. */
export function isAttempt(row: AuditRow): boolean {
  return row.act !== undefined && row.status === undefined;
}

/**
 * Leaves out each attempt whose outcome is among `rows`, so that an act is one line. An attempt that remains is an act
 * whose outcome is not known. Rows come newest first, so an outcome is never on an older page than its attempt.
 */
export function oneLinePerAct(rows: readonly AuditRow[]): AuditRow[] {
  const known = new Set(
    rows.filter((row) => row.act !== undefined && !isAttempt(row)).map(({ requestId, act }) => `${requestId} ${act}`),
  );
  return rows.filter(
    (row) => !isAttempt(row) || row.requestId === undefined || !known.has(`${row.requestId} ${row.act}`),
  );
}
