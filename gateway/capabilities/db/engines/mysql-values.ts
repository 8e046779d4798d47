import type { FieldPacket, TypedParameterValue } from 'mysql2';
import type { SqlValue } from '../contract.ts';

const TIMESTAMP = 7;
const DATETIME = 12;

/**
 * A value of mysql2 as JSON: DATETIME without a zone and TIMESTAMP in UTC (the session's zone) as ISO text; DECIMAL as
 * text, because a number would lose digits; JSON columns are parsed (MariaDB's too, from 10.5 on).
 */
export function mysqlValue(field: FieldPacket | undefined, value: unknown): unknown {
  if (typeof value === 'string' && field?.columnType === DATETIME) return value.replace(' ', 'T');
  if (typeof value === 'string' && field?.columnType === TIMESTAMP) return zoned(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  return value;
}

/** The zero date is not a valid time and is passed unchanged. */
function zoned(text: string): string {
  return text.startsWith('0000') ? text : `${text.replace(' ', 'T')}Z`;
}

/**
 * `whole` sends a number with its type: the driver sends a bigint as text, which the server treats as a floating-point
 * number.
 */
export function mysqlParam(
  value: SqlValue,
  whole: (value: bigint) => TypedParameterValue,
): string | number | boolean | Buffer | TypedParameterValue | null {
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === 'bigint' ? whole(value) : value;
}
