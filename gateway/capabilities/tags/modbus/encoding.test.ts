import { describe, expect, test } from 'vitest';
import { decodeBit, decodeRegisters, encodeBit, encodeRegisters, faultOf, widthOf, withBit } from './encoding.ts';
import { modbusTag } from './modbus-tag.testing.ts';

/** Derived from the definition, not from the code: value, byte order, registers. */
const TABLE: readonly [encoding: string, order: string, value: number | string, registers: number[]][] = [
  ['uint16', 'ABCD', 0x1234, [0x1234]],
  ['uint16', 'CDAB', 0x1234, [0x1234]],
  ['uint16', 'BADC', 0x1234, [0x3412]],
  ['uint16', 'DCBA', 0x1234, [0x3412]],
  ['uint16', 'ABCD', 65_535, [0xffff]],
  ['int16', 'ABCD', -2, [0xfffe]],
  ['int16', 'CDAB', -2, [0xfffe]],
  ['int16', 'BADC', -2, [0xfeff]],
  ['int16', 'DCBA', -32_768, [0x0080]],
  ['uint32', 'ABCD', 0x12345678, [0x1234, 0x5678]],
  ['uint32', 'CDAB', 0x12345678, [0x5678, 0x1234]],
  ['uint32', 'BADC', 0x12345678, [0x3412, 0x7856]],
  ['uint32', 'DCBA', 0x12345678, [0x7856, 0x3412]],
  ['int32', 'ABCD', -2, [0xffff, 0xfffe]],
  ['int32', 'CDAB', -2, [0xfffe, 0xffff]],
  ['int32', 'BADC', -2, [0xffff, 0xfeff]],
  ['int32', 'DCBA', -2, [0xfeff, 0xffff]],
  ['float32', 'ABCD', 123.5, [0x42f7, 0x0000]],
  ['float32', 'CDAB', 123.5, [0x0000, 0x42f7]],
  ['float32', 'BADC', 123.5, [0xf742, 0x0000]],
  ['float32', 'DCBA', 123.5, [0x0000, 0xf742]],
  ['float64', 'ABCD', Math.PI, [0x4009, 0x21fb, 0x5444, 0x2d18]],
  ['float64', 'CDAB', Math.PI, [0x2d18, 0x5444, 0x21fb, 0x4009]],
  ['float64', 'BADC', Math.PI, [0x0940, 0xfb21, 0x4454, 0x182d]],
  ['float64', 'DCBA', Math.PI, [0x182d, 0x4454, 0xfb21, 0x0940]],
  ['text', 'ABCD', 'Tür', [0x54c3, 0xbc72, 0x0000]],
  ['text', 'CDAB', 'Tür', [0x54c3, 0xbc72, 0x0000]],
  ['text', 'BADC', 'Tür', [0xc354, 0x72bc, 0x0000]],
  ['text', 'DCBA', 'Tür', [0xc354, 0x72bc, 0x0000]],
];

const bytesOf = (registers: readonly number[]) => {
  const bytes = Buffer.alloc(registers.length * 2);
  registers.forEach((register, index) => bytes.writeUInt16BE(register, index * 2));
  return bytes;
};
const tagOf = (source: object, rest: object = {}) => modbusTag('a', { table: 'holding', address: 0, ...source }, rest);

describe('values in registers', () => {
  test.each(TABLE)('%s in order %s: %s', (encoding, byteOrder, value, registers) => {
    const tag = tagOf({ encoding, byteOrder, ...(encoding === 'text' && { length: 3 }) });
    expect(decodeRegisters(tag, bytesOf(registers))).toEqual({ value });
    expect(encodeRegisters(tag, value)).toEqual(registers);
    expect(widthOf(tag.source)).toBe(registers.length);
  });

  test('scaling is inverted for writes without errors of binary fractions', () => {
    const tag = tagOf({ encoding: 'int16', factor: 0.1, offset: -5 });
    expect(decodeRegisters(tag, bytesOf([3]))).toEqual({ value: -4.7 });
    expect(encodeRegisters(tag, -4.7)).toEqual([3]);
    expect(encodeRegisters(tag, -4.66)).toEqual([3]);
  });

  test('a text ends at the first NUL, and bytes that are not text are reported as such', () => {
    const tag = tagOf({ encoding: 'text', length: 2 }, { type: 'text' });
    expect(decodeRegisters(tag, Buffer.from('A\0BC'))).toEqual({ value: 'A' });
    expect(decodeRegisters(tag, Buffer.from('ABCD'))).toEqual({ value: 'ABCD' });
    expect(decodeRegisters(tag, Buffer.from([0xff, 0xfe, 0, 0]))).toHaveProperty('fault');
  });

  test('a float that is NaN has no value', () => {
    expect(decodeRegisters(tagOf({ encoding: 'float32' }), bytesOf([0x7fc0, 0]))).toHaveProperty('fault');
    expect(decodeRegisters(tagOf({ encoding: 'float32' }), bytesOf([0x7f80, 0]))).toHaveProperty('fault');
  });

  test.each(['ABCD', 'BADC', 'CDAB', 'DCBA'])(
    'bit 9 of a register in order %s is read and written the same way',
    (order) => {
      const tag = tagOf({ encoding: 'bit', bit: 9, byteOrder: order }, { type: 'boolean' });
      const stored = order === 'BADC' || order === 'DCBA' ? 0x0002 : 0x0200;
      expect(decodeRegisters(tag, bytesOf([stored]))).toEqual({ value: true });
      expect(decodeRegisters(tag, bytesOf([0xffff ^ stored]))).toEqual({ value: false });
      expect(withBit(tag.source, 0, true)).toBe(stored);
      expect(withBit(tag.source, 0xffff, false)).toBe(0xffff ^ stored);
    },
  );

  test('a bit is 1 or 0 for a number tag', () => {
    expect(decodeBit('integer', true)).toEqual({ value: 1 });
    expect(decodeBit('boolean', true)).toEqual({ value: true });
  });
});

describe('values that cannot be written', () => {
  test.each<[string, object, unknown, string]>([
    [
      '70,000 as uint16',
      { encoding: 'uint16' },
      70_000,
      'expected a value whose uint16 is from 0 to 65,535; it is 70,000',
    ],
    ['-1 as uint32', { encoding: 'uint32' }, -1, 'from 0 to 4,294,967,295; it is -1'],
    ['40,000 as int16', { encoding: 'int16' }, 40_000, 'from -32,768 to 32,767'],
    ['3e9 as int32', { encoding: 'int32' }, 3e9, 'from -2,147,483,648'],
    ['1e39 as float32', { encoding: 'float32' }, 1e39, 'whose float32'],
    ['7,000 after scaling by 0.1', { encoding: 'uint16', factor: 0.1 }, 7_000, 'from 0 to 65,535'],
    ['1.5 as uint16', { encoding: 'uint16' }, 1.5, 'expected a whole number'],
    ['a string as a number', { encoding: 'uint16' }, '7', 'expected a number; it is a string'],
    ['a string that is too long', { encoding: 'text', length: 1 }, 'abc', 'at most 2 bytes'],
  ])('%s is refused in plain words', (_name, source, value, message) => {
    const attempt = () => encodeRegisters(tagOf(source), value);
    expect(attempt).toThrow(expect.objectContaining({ code: 'tag_type', message: expect.stringContaining(message) }));
  });

  test('a factor of 0 cannot be inverted', () => {
    expect(() => encodeRegisters(tagOf({ factor: 0 }), 1)).toThrow(
      expect.objectContaining({ code: 'tag_write_failed' }),
    );
  });

  test('a coil accepts only true, false, 1 and 0', () => {
    expect([true, false, 1, 0].map((value) => encodeBit(tagOf({}), value))).toEqual([true, false, true, false]);
    for (const value of [2, 'true', null])
      expect(() => encodeBit(tagOf({}), value)).toThrow(expect.objectContaining({ code: 'tag_type' }));
  });
});

test('a source that can never be read says why', () => {
  expect(faultOf(tagOf({ encoding: 'float64', address: 65_533 }).source)).toMatch('past address 65,535');
  expect(faultOf(tagOf({ encoding: 'float64', address: 65_532 }).source)).toBeNull();
  expect(faultOf(tagOf({ encoding: 'text' }).source)).toMatch('"length"');
});
