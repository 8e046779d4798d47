import type { DataType, Variant } from 'node-opcua-client';
import { clip } from '#common/clip.ts';
import { isoTimeMs } from '#common/iso-time.ts';
import { NodeError } from '#sdk';
import type { Opcua } from './library.ts';
import { ARRAY_ELEMENTS_MAX, TEXT_CHARS_MAX } from './limits.ts';
import type { NodeType } from './node-type.ts';

/**
 * From JSON to the data type of the node; the inverse of values.ts. Nothing is rounded, truncated or guessed: a value
 * that does not fit is refused. Int64 and UInt64 also accept a decimal text, DateTime an ISO text or milliseconds,
 * ByteString base64. Lists of lists are refused. Throws NodeError `tag_write_failed`.
 */
export function variantOf(opcua: Opcua, type: NodeType, value: unknown): Variant {
  const { Variant, VariantArrayType } = opcua;
  const isList = Array.isArray(value);
  if (isList && type.rank === -1) throw expected('one value', value);
  if (!isList && type.rank >= 0) throw expected('a list', value);
  if (type.rank > 1)
    throw new NodeError('tag_write_failed', 'expected a node of at most one dimension; matrices cannot be written');
  const list: unknown[] = isList ? value : [value];
  if (list.length > ARRAY_ELEMENTS_MAX) throw expected(`at most ${ARRAY_ELEMENTS_MAX} values`, value);
  const dataType = type.dataType ?? typeByValue(opcua, list[0]);
  const values = list.map((one) => elementFor(opcua, dataType, one));
  if (!isList) return new Variant({ dataType, arrayType: VariantArrayType.Scalar, value: values[0] });
  return new Variant({ dataType, arrayType: VariantArrayType.Array, value: values });
}

function typeByValue({ DataType }: Opcua, value: unknown): DataType {
  if (typeof value === 'boolean') return DataType.Boolean;
  if (typeof value === 'number') return DataType.Double;
  return DataType.String;
}

const FLOAT_MAX = 3.4028234663852886e38;
const WHOLE: Readonly<Record<string, readonly [bigint, bigint]>> = {
  SByte: [-128n, 127n],
  Byte: [0n, 255n],
  Int16: [-32_768n, 32_767n],
  UInt16: [0n, 65_535n],
  Int32: [-2_147_483_648n, 2_147_483_647n],
  UInt32: [0n, 4_294_967_295n],
  Int64: [-(2n ** 63n), 2n ** 63n - 1n],
  UInt64: [0n, 2n ** 64n - 1n],
};

function elementFor(opcua: Opcua, dataType: DataType, value: unknown): unknown {
  const name = opcua.DataType[dataType] ?? String(dataType);
  if (Object.hasOwn(WHOLE, name)) return whole(name, value);
  switch (name) {
    case 'Boolean':
      return typeof value === 'boolean' ? value : refuse('true or false', value);
    case 'Float':
      return Math.abs(finite(value)) <= FLOAT_MAX ? value : refuse('a number within the range of Float', value);
    case 'Double':
      return finite(value);
    case 'String':
    case 'XmlElement':
      return text(value);
    case 'LocalizedText':
      return { text: text(value) };
    case 'DateTime':
      return date(value);
    case 'Guid':
      return guid(value);
    case 'ByteString':
      return bytes(value);
    default:
      throw new NodeError('tag_write_failed', `values of the OPC UA type ${name} cannot be written`);
  }
}

function whole(name: string, value: unknown): number | [number, number] {
  const [min, max] = WHOLE[name] ?? [0n, 0n];
  const wide = name.endsWith('64');
  const number = wholeOf(value, wide);
  if (number === null || number < min || number > max) throw expected(`a whole number from ${min} to ${max}`, value);
  if (!wide) return Number(number);
  const bits = BigInt.asUintN(64, number);
  return [Number(bits >> 32n), Number(bits & 0xffffffffn)];
}

function wholeOf(value: unknown, wide: boolean): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return wide && typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : null;
}

function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse('a number', value);
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw expected('a string', value);
  return value.length <= TEXT_CHARS_MAX ? value : refuse(`at most ${TEXT_CHARS_MAX} characters`, value);
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function date(value: unknown): Date {
  const ms = typeof value === 'string' && ISO.test(value) ? isoTimeMs(value) : value;
  const result = new Date(typeof ms === 'number' ? ms : NaN);
  return Number.isNaN(result.getTime())
    ? refuse('a time such as 2026-03-01T06:00:00Z, of a day that there is', value)
    : result;
}

function guid(value: unknown): string {
  const fits = typeof value === 'string' && /^[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}$/i.test(value);
  return fits ? value : refuse('a GUID', value);
}

function bytes(value: unknown): Buffer {
  const base64 = text(value);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : refuse('base64', value);
}

function refuse(what: string, value: unknown): never {
  throw expected(what, value);
}

function expected(what: string, value: unknown): NodeError {
  const came = JSON.stringify(value) ?? typeof value;
  return new NodeError('tag_write_failed', `expected ${what}, got ${clip(came)}`);
}
