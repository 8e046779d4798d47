import type { SqlValue } from '../contract.ts';
import { integerValue } from '../rows.ts';

const INT_MAX = 2 ** 31;

/** The driver's type for a value; a text may have any length. */
export function sqlServerTypeOf(value: SqlValue) {
  if (value instanceof Date) return 'DateTimeOffset';
  if (value instanceof Uint8Array) return 'VarBinary';
  if (typeof value === 'boolean') return 'Bit';
  if (typeof value !== 'number' && typeof value !== 'bigint') return 'NVarChar';
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'Float';
  return value >= -INT_MAX && value < INT_MAX ? 'Int' : 'BigInt';
}

/** A value of tedious as JSON: times as ISO text, bigint (text in tedious) as a number if it is exact. */
export function sqlServerValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (typeof value === 'bigint') return integerValue(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
