import type { DataType, DataValue, StatusCode, Variant } from 'node-opcua-client';
import type { TagQuality } from '#common/model/tag.ts';
import type { Sample } from '../contract.ts';
import type { Opcua } from './library.ts';
import { ARRAY_ELEMENTS_MAX, DIMENSIONS_MAX, TEXT_CHARS_MAX } from './limits.ts';

/**
 * From an OPC UA value (Part 3 section 8, Part 6 section 5.2) to JSON:
 * Boolean → boolean; integers and floats → number; Int64 and UInt64 → number while exact, else their decimal text;
 * String, XmlElement, Guid, NodeId, LocalizedText, QualifiedName, StatusCode → text; DateTime → ISO text in UTC;
 * ByteString → base64 text; arrays → lists, matrices → lists of lists. Values that JSON cannot hold (structures, NaN,
 * infinity) or that exceed the limits are bad samples with a reason.
 */
const SEVERITY = 0xc0000000;
const UNCERTAIN = 0x40000000;

class NotRepresentable extends Error {}

export function sampleOf(opcua: Opcua, read: DataValue, now: number): Sample {
  const time = timeOf(read) ?? now;
  const quality = qualityOf(read.statusCode);
  const reason = quality === 'good' ? null : read.statusCode.name;
  if (quality === 'bad') return { value: null, quality, reason, time };
  try {
    return { value: jsonOf(opcua, read.value), quality, reason, time };
  } catch (error) {
    const why = error instanceof NotRepresentable ? error.message : 'the value cannot be read';
    return { value: null, quality: 'bad', reason: why, time };
  }
}

export function badSample(reason: string, now: number): Sample {
  return { value: null, quality: 'bad', reason, time: now };
}

export function qualityOf(status: StatusCode): TagQuality {
  const severity = (status.value & SEVERITY) >>> 0;
  if (severity === 0) return 'good';
  return severity === UNCERTAIN ? 'uncertain' : 'bad';
}

function timeOf(read: DataValue): number | null {
  const time = (read.sourceTimestamp ?? read.serverTimestamp)?.getTime();
  return time === undefined || Number.isNaN(time) ? null : time;
}

function jsonOf(opcua: Opcua, variant: Variant): unknown {
  const { DataType, VariantArrayType } = opcua;
  if (variant.dataType === DataType.Null) return null;
  const element = (value: unknown) => elementOf(opcua, variant.dataType, value);
  if (variant.arrayType === VariantArrayType.Scalar) return element(variant.value);
  const values = arrayOf(variant.value).map(element);
  if (variant.arrayType === VariantArrayType.Array) return values;
  return shaped(values, variant.dimensions ?? []);
}

/** Numeric arrays come as typed arrays, a null array as null. */
function arrayOf(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  const length = Array.isArray(value) || isTypedArray(value) ? value.length : 0;
  if (length > ARRAY_ELEMENTS_MAX) {
    throw new NotRepresentable(`an array of ${length} elements; expected at most ${ARRAY_ELEMENTS_MAX}`);
  }
  return Array.isArray(value) || isTypedArray(value) ? [...value] : [];
}

function isTypedArray(value: unknown): value is Float64Array {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Row by row; the sizes come from the peer, so they are checked against the received data. */
function shaped(values: unknown[], sizes: readonly number[]): unknown[] {
  const fits = sizes.length <= DIMENSIONS_MAX && sizes.every((size) => size >= 1);
  if (values.length === 0) return [];
  if (!fits || sizes.reduce((product, size) => product * size, 1) !== values.length) {
    throw new NotRepresentable('a matrix whose sizes do not fit its values');
  }
  return sizes.slice(1).reduceRight<unknown[]>((flat, size) => rows(flat, size), values);
}

function rows(values: unknown[], size: number): unknown[] {
  const result: unknown[] = [];
  for (let at = 0; at < values.length; at += size) result.push(values.slice(at, at + size));
  return result;
}

function elementOf(opcua: Opcua, dataType: DataType, value: unknown): unknown {
  const { DataType } = opcua;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && dataType !== DataType.StatusCode) return finite(value);
  if (typeof value === 'boolean') return value;
  if (dataType === DataType.Int64 || dataType === DataType.UInt64) return wholeOf(value, dataType === DataType.Int64);
  if (value instanceof Date) return dateText(value);
  if (Buffer.isBuffer(value)) return short(value.toString('base64'));
  if (dataType === DataType.Variant && isVariant(value)) return jsonOf(opcua, value);
  return short(textOf(opcua, dataType, value));
}

function textOf(opcua: Opcua, dataType: DataType, value: unknown): string {
  const { DataType } = opcua;
  if (typeof value === 'string') return value;
  const has = (field: string) => (typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined);
  const known = new Map<DataType, unknown>([
    [DataType.LocalizedText, has('text') ?? ''],
    [DataType.QualifiedName, has('name') ?? ''],
    [DataType.StatusCode, has('name')],
    [DataType.NodeId, String(value)],
    [DataType.ExpandedNodeId, String(value)],
  ]).get(dataType);
  if (typeof known === 'string') return known;
  throw new NotRepresentable(`values of the type ${DataType[dataType] ?? dataType} are not supported`);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new NotRepresentable(`the value is ${value}, which is no number in JSON`);
}

/** The library represents 64 bits as [high, low]. */
function wholeOf(value: unknown, signed: boolean): number | string {
  const [high, low] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof high !== 'number' || typeof low !== 'number')
    throw new NotRepresentable('a 64-bit number that cannot be read');
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  const whole = signed ? BigInt.asIntN(64, bits) : bits;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : String(whole);
}

function dateText(value: Date): string | null {
  return Number.isNaN(value.getTime()) ? null : value.toISOString();
}

function short(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text;
  throw new NotRepresentable(`a string of ${text.length} characters; expected at most ${TEXT_CHARS_MAX}`);
}

function isVariant(value: unknown): value is Variant {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'arrayType' in value;
}
