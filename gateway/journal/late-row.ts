import type { AuditRow } from '#common/model/audit.ts';
import { rowText, timeText } from './rows.ts';

/**
 * A row that reached the file after its caller had received 503 `audit_unavailable` (the disk did not respond for more
 * than 800 ms). This row follows it and records the response that the caller saw. Rows of writes have none: the write
 * log records that such a write was not performed.
 */
export function lateRow(line: string): string | null {
  const row = parsed(line);
  if (row?.requestId === undefined || (row.count ?? 1) > 1 || row.write !== undefined) return null;
  const { why: _why, durationMs: _ms, bytesIn: _in, bytesOut: _out, ...rest } = row;
  const detail = 'The row before was written late: its caller had been answered 503.';
  return rowText({ ...rest, time: timeText(), type: 'outcome', code: 'audit_unavailable', status: 503, detail });
}

function parsed(line: string): AuditRow | null {
  try {
    return JSON.parse(line) as AuditRow;
  } catch {
    return null;
  }
}
