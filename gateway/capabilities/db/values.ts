import { isoTimeMs } from '#common/iso-time.ts';
import type { NamedQuery, ParamType } from '#common/model/named-query.ts';
import { jsonText, NodeError } from '#sdk';
import type { SqlValue } from './contract.ts';

type Declared = NamedQuery['params'][number];
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const WHOLE = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const INT64_MAX = 2n ** 63n;

/**
 * Values for SQL without declared types: values with an SQL form are passed unchanged, objects and lists as JSON text.
 */
export function untypedValues(params: Readonly<Record<string, unknown>>): Map<string, SqlValue> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name, untyped(name, value)]));
}

/**
 * The values of a named query by their declared types; optional values that are absent or null become NULL. Throws
 * NodeError `param_missing`, `param_unknown`, `param_invalid`.
 */
export function typedValues(
  declared: readonly Declared[],
  params: Readonly<Record<string, unknown>>,
): Map<string, SqlValue> {
  const names = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(params).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new NodeError('param_unknown', `the query has no parameter "${unknown.slice(0, 60)}"`);
  return new Map(declared.map((param) => [param.name, typed(param, own(params, param.name))]));
}

function own(params: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(params, name) ? (params[name] ?? null) : null;
}

function typed({ name, type, optional }: Declared, value: unknown): SqlValue {
  if (value === null) {
    if (optional) return null;
    throw new NodeError('param_missing', `the parameter "${name}" has no value; expected ${EXPECTED[type]}`);
  }
  const coerced = COERCE[type](value);
  if (coerced === undefined) throw invalid(name, EXPECTED[type], value);
  return coerced;
}

const EXPECTED: Readonly<Record<ParamType, string>> = {
  text: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  timestamp: 'a time such as 2026-03-01T06:00:00Z, of a day that there is',
  json: 'a JSON value',
  bytes: 'bytes, or their base64 text',
};

/** Undefined: not of that type. */
const COERCE: Readonly<Record<ParamType, (value: unknown) => SqlValue | undefined>> = {
  text: (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
      ? String(value)
      : undefined;
  },
  integer: (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
    if (typeof value === 'bigint') return inRange(value);
    return typeof value === 'string' && WHOLE.test(value.trim())
      ? inRange(BigInt(value.trim().replace('+', '')))
      : undefined;
  },
  // Floating-point even if it is a whole number: the result of a query must not depend on that.
  number: (value) => {
    const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 1 || value === '1') return true;
    return value === 'false' || value === 0 || value === '0' ? false : undefined;
  },
  timestamp: (value) => {
    if (typeof value !== 'number' && !(typeof value === 'string' && ISO.test(value)) && !(value instanceof Date))
      return;
    const date = new Date(typeof value === 'string' ? isoTimeMs(value) : value);
    return Number.isNaN(date.getTime()) ? undefined : date;
  },
  json: (value) => {
    try {
      return jsonText(value);
    } catch {
      return undefined;
    }
  },
  bytes: (value) => {
    if (value instanceof Uint8Array) return value;
    return typeof value === 'string' && BASE64.test(value) ? new Uint8Array(Buffer.from(value, 'base64')) : undefined;
  },
};

function inRange(value: bigint): SqlValue | undefined {
  return value >= INT64_MAX || value < -INT64_MAX ? undefined : value;
}

function untyped(name: string, value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value;
      break;
    case 'bigint': {
      const whole = inRange(value);
      if (whole !== undefined) return whole;
      break;
    }
    case 'object':
      if (value === null || value instanceof Uint8Array) return value;
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
      return COERCE.json(value) ?? refuse(name, value);
    default:
  }
  return refuse(name, value);
}

function refuse(name: string, value: unknown): never {
  throw invalid(name, 'a string, a number, true, false, null, bytes or a JSON value', value);
}

function invalid(name: string, expected: string, value: unknown): NodeError {
  const was = Array.isArray(value) ? 'list' : typeof value;
  return new NodeError('param_invalid', `the parameter "${name.slice(0, 60)}": expected ${expected}; it is a ${was}`);
}
