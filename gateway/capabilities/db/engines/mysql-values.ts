import type { FieldPacket } from 'mysql2';
import type { SqlValue } from '../contract.ts';

const TIMESTAMP = 7;
const DATETIME = 12;

/**
 * What mysql2 made of a value, as JSON has it: DATETIME without a zone and TIMESTAMP in UTC (the session's zone) as ISO
 * text; DECIMAL stays text, since a number could not hold it; JSON columns come parsed (MariaDB's too, from 10.5 on).
 */
export function mysqlValue(field: FieldPacket | undefined, value: unknown): unknown {
  if (typeof value === 'string' && field?.columnType === DATETIME) return value.replace(' ', 'T');
  if (typeof value === 'string' && field?.columnType === TIMESTAMP) return zoned(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  return value;
}

/** The zero date is no time and stays as it is. */
function zoned(text: string): string {
  return text.startsWith('0000') ? text : `${text.replace(' ', 'T')}Z`;
}

export function mysqlParam(value: SqlValue): string | number | boolean | Buffer | null {
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // A whole number as text: as a double it would be no count for LIMIT.
  if (typeof value === 'bigint') return String(value);
  return Number.isSafeInteger(value) ? String(value) : value;
}
