import type { TagOf } from '../contract.ts';
import type { TagType } from '#common/model/tag.ts';
import { NodeError } from '#sdk';

/**
 * Values in coils and registers.
 *
 * Byte orders, with the bytes of a value named from the most significant, A: `ABCD` is big-endian; `CDAB` has the
 * registers in reverse order; `BADC` has the two bytes of each register swapped; `DCBA` has both. For 64 bits the same
 * applies: `CDAB` reverses all four registers, `DCBA` is little-endian throughout. For one register only its bytes can
 * be swapped, and the registers of a text are always in reading order.
 *
 * A coil or discrete input is one bit, whatever the encoding. A bit is true or false, but 1 or 0 for a tag of type
 * number or integer.
 */
export type ModbusTag = TagOf<'modbus'>;
export type ModbusSource = ModbusTag['source'];
export type Decoded = { readonly value: unknown } | { readonly fault: string };

type NumberEncoding = Exclude<ModbusSource['encoding'], 'bit' | 'text'>;

const ADDRESSES = 65_536;
/** Digits that a double represents exactly: 3 × 0.1 is shown as 0.3. */
const SCALED_DIGITS = 15;

const REGISTERS: Readonly<Record<NumberEncoding, number>> = {
  uint16: 1,
  int16: 1,
  uint32: 2,
  int32: 2,
  float32: 2,
  float64: 4,
};

const RANGES: Readonly<Record<NumberEncoding, readonly [number, number]>> = {
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
  float64: [-Number.MAX_VALUE, Number.MAX_VALUE],
};

/** Coils and discrete inputs are addressed by bit, the other tables by register. */
export function isBitTable(table: ModbusSource['table']): boolean {
  return table === 'coil' || table === 'discrete';
}

/** Addresses that the value occupies: bits of a bit table, otherwise registers. */
export function widthOf(source: ModbusSource): number {
  if (isBitTable(source.table) || source.encoding === 'bit') return 1;
  return source.encoding === 'text' ? (source.length ?? 1) : REGISTERS[source.encoding];
}

/** Why the source can never be read; null: it can be read. */
export function faultOf(source: ModbusSource): string | null {
  if (source.encoding === 'text' && source.length === undefined && !isBitTable(source.table))
    return 'the encoding text needs the setting "length", the number of registers';
  if (source.address + widthOf(source) > ADDRESSES) return 'the value would go past address 65,535';
  return null;
}

export function decodeBit(type: TagType, on: boolean): Decoded {
  return { value: type === 'number' || type === 'integer' ? Number(on) : on };
}

/** `bytes`: the registers of the value as received, high byte first. */
export function decodeRegisters(tag: ModbusTag, bytes: Buffer): Decoded {
  const { source } = tag;
  if (source.encoding === 'text') return decodeText(swapped(bytes, source, false));
  const ordered = swapped(bytes, source, true);
  if (source.encoding === 'bit') return decodeBit(tag.type, ((ordered.readUInt16BE(0) >> (source.bit ?? 0)) & 1) === 1);
  const value = scaled(readNumber(source.encoding, ordered), source);
  return Number.isFinite(value) ? { value } : { fault: 'the device holds no number there (NaN or infinite)' };
}

/** Registers to write. Throws NodeError `tag_type`, `tag_write_failed`. */
export function encodeRegisters(tag: ModbusTag, value: unknown): number[] {
  const { source } = tag;
  if (source.encoding === 'text') return wordsOf(swapped(encodeText(tag, value), source, false));
  if (source.encoding === 'bit') throw new TypeError('a bit is written by read-modify-write');
  return wordsOf(swapped(writeNumber(source.encoding, rawOf(tag, source.encoding, value)), source, true));
}

/** Throws NodeError `tag_type`. */
export function encodeBit(tag: ModbusTag, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  throw wrongType(tag, 'true or false', value);
}

/** The value of a register with one bit changed. */
export function withBit(source: ModbusSource, register: number, on: boolean): number {
  const [word] = wordsOf(swapped(Buffer.from([register >> 8, register & 0xff]), source, true));
  const mask = 1 << (source.bit ?? 0);
  const changed = on ? (word ?? 0) | mask : (word ?? 0) & ~mask;
  const [result] = wordsOf(swapped(Buffer.from([(changed >> 8) & 0xff, changed & 0xff]), source, true));
  return result ?? 0;
}

/** Returns a copy; each swap is its own inverse, so it works in both directions. */
function swapped(bytes: Buffer, { byteOrder }: ModbusSource, words: boolean): Buffer {
  const turned = words && (byteOrder === 'CDAB' || byteOrder === 'DCBA');
  const copy = turned ? Buffer.from(bytes.toReversed()).swap16() : Buffer.from(bytes);
  if (byteOrder === 'BADC' || byteOrder === 'DCBA') copy.swap16();
  return copy;
}

function readNumber(encoding: NumberEncoding, bytes: Buffer): number {
  switch (encoding) {
    case 'uint16':
      return bytes.readUInt16BE(0);
    case 'int16':
      return bytes.readInt16BE(0);
    case 'uint32':
      return bytes.readUInt32BE(0);
    case 'int32':
      return bytes.readInt32BE(0);
    case 'float32':
      return bytes.readFloatBE(0);
    case 'float64':
      return bytes.readDoubleBE(0);
  }
}

function writeNumber(encoding: NumberEncoding, raw: number): Buffer {
  const bytes = Buffer.alloc(REGISTERS[encoding] * 2);
  switch (encoding) {
    case 'uint16':
      bytes.writeUInt16BE(raw);
      return bytes;
    case 'int16':
      bytes.writeInt16BE(raw);
      return bytes;
    case 'uint32':
      bytes.writeUInt32BE(raw);
      return bytes;
    case 'int32':
      bytes.writeInt32BE(raw);
      return bytes;
    case 'float32':
      bytes.writeFloatBE(raw);
      return bytes;
    case 'float64':
      bytes.writeDoubleBE(raw);
      return bytes;
  }
}

function scaled(raw: number, { factor, offset }: ModbusSource): number {
  if (factor === 1 && offset === 0) return raw;
  return Number((raw * factor + offset).toPrecision(SCALED_DIGITS));
}

/**
 * The inverse of scaling. With scaling, a value between two raw steps is rounded to the nearest; without, it is
 * refused.
 */
function rawOf(tag: ModbusTag, encoding: NumberEncoding, value: unknown): number {
  const { factor, offset } = tag.source;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongType(tag, 'a number', value);
  if (factor === 0)
    throw new NodeError('tag_write_failed', `tag "${tag.path}" has the factor 0, which cannot be undone`);
  const plain = factor === 1 && offset === 0;
  const raw = plain ? value : (value - offset) / factor;
  const isFloat = encoding === 'float32' || encoding === 'float64';
  if (plain && !isFloat && !Number.isInteger(raw)) throw wrongType(tag, `a whole number, as ${encoding} holds`, value);
  const step = isFloat ? raw : Math.round(raw);
  const [low, high] = RANGES[encoding];
  if (step >= low && step <= high) return step;
  throw wrongType(
    tag,
    `a value whose ${encoding} is from ${low.toLocaleString('en')} to ${high.toLocaleString('en')}`,
    value,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Buffer): Decoded {
  const end = bytes.indexOf(0);
  try {
    return { value: utf8.decode(end < 0 ? bytes : bytes.subarray(0, end)) };
  } catch {
    return { fault: 'the device holds no UTF-8 text there' };
  }
}

/** Padded with NUL. */
function encodeText(tag: ModbusTag, value: unknown): Buffer {
  const bytes = Buffer.alloc((tag.source.length ?? 1) * 2);
  if (typeof value !== 'string' || Buffer.byteLength(value) > bytes.length)
    throw wrongType(tag, `a string of at most ${bytes.length} bytes`, value);
  bytes.write(value);
  return bytes;
}

function wordsOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
}

function wrongType(tag: ModbusTag, expected: string, value: unknown): NodeError {
  const found =
    typeof value === 'number' || typeof value === 'boolean' ? value.toLocaleString('en') : `a ${typeof value}`;
  return new NodeError('tag_type', `tag "${tag.path}": expected ${expected}; it is ${found}`);
}
