import type { AuditRow } from '#common/model/audit.ts';

const COLUMNS = [
  'time',
  'type',
  'requestId',
  'clientRequestId',
  'keyId',
  'keyName',
  'user',
  'project',
  'pipeline',
  'route',
  'method',
  'path',
  'ip',
  'code',
  'status',
  'durationMs',
  'bytesIn',
  'bytesOut',
  'count',
  'act',
  'target',
  'detail',
  'form',
  'write',
  'kind',
  'thing',
  'device',
  'node',
  'run',
  'trigger',
  'from',
  'to',
  'first',
  'result',
  'failed',
  'rehearsal',
] as const satisfies (keyof AuditRow)[];

/** RFC 4180 with a header line. The cause of a refusal and the compared values follow in two separate columns. */
export const CSV_HEADER = `${[...COLUMNS, 'cause', 'compared'].join(',')}\r\n`;

export function csvLine(row: AuditRow): string {
  const cells: (string | number | true | undefined)[] = COLUMNS.map((column) => row[column]);
  cells.push(row.why?.cause, row.why && JSON.stringify(row.why.compared));
  return `${cells.map(cell).join(',')}\r\n`;
}

export function jsonLine(row: AuditRow): string {
  return `${JSON.stringify(row)}\n`;
}

/**
 * Characters that a spreadsheet interprets as the beginning of a formula, which it would evaluate when the file is
 * opened (CWE-1236).
 */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number | true | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
