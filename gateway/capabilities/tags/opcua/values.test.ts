import { beforeAll, expect, test } from 'vitest';
import { DIMENSIONS_MAX } from './limits.ts';
import { type Opcua, loadOpcua } from './library.ts';
import { sampleOf } from './values.ts';

let opcua: Opcua;
beforeAll(async () => (opcua = await loadOpcua()));

const NOW = Date.parse('2026-03-01T06:00:00Z');
const read = (value: object, more: object = {}) => {
  const data = new opcua.DataValue({ value: { dataType: opcua.DataType.Double, value: 1 }, ...more });
  Object.assign(data.value, value);
  return sampleOf(opcua, data, NOW);
};
const matrix = (dimensions: number[], value: number[]) =>
  read({ arrayType: opcua.VariantArrayType.Matrix, value: Float64Array.from(value), dimensions });

test('a value without a source time gets the server time, and otherwise the time of arrival', () => {
  const source = new Date(NOW - 2_000);
  const server = new Date(NOW - 1_000);
  expect(read({}, { sourceTimestamp: source, serverTimestamp: server }).time).toBe(NOW - 2_000);
  expect(read({}, { serverTimestamp: server }).time).toBe(NOW - 1_000);
  expect(read({}).time).toBe(NOW);
});

test('64-bit integers are numbers while exact, and decimal strings beyond', () => {
  const { Int64, UInt64 } = opcua.DataType;
  expect(read({ dataType: Int64, value: [0xffe00000, 1] }).value).toBe(Number.MIN_SAFE_INTEGER);
  expect(read({ dataType: Int64, value: [0x80000000, 0] }).value).toBe('-9223372036854775808');
  expect(read({ dataType: UInt64, value: [0x1fffff, 0xffffffff] }).value).toBe(Number.MAX_SAFE_INTEGER);
  expect(read({ dataType: UInt64, value: [0x200000, 1] }).value).toBe('9007199254740993');
});

test.each([
  [
    [2, 2],
    [1, 2, 3],
  ],
  [
    [0xffffffff, 2],
    [1, 2],
  ],
  [
    [-1, -2],
    [1, 2],
  ],
  [[], [1, 2]],
  [Array.from({ length: DIMENSIONS_MAX + 1 }, () => 1), [1]],
])('a matrix of the sizes %j with the values %j is refused', (dimensions, values) => {
  expect(matrix(dimensions, values)).toMatchObject({
    quality: 'bad',
    reason: 'a matrix whose sizes do not fit its values',
  });
});

test('a matrix of three dimensions becomes lists of lists of lists', () => {
  expect(matrix([2, 1, 2], [1, 2, 3, 4]).value).toEqual([[[1, 2]], [[3, 4]]]);
});

test.each([
  ['Infinity', { value: Infinity }, 'the value is Infinity, which is no number in JSON'],
  [
    'a list too long',
    { value: new Float64Array(10_001), arrayType: 1 },
    'an array of 10001 elements; expected at most 10000',
  ],
  ['a structure', { dataType: 22, value: {} }, 'values of the type ExtensionObject are not supported'],
])('%s is bad with its reason', (_what, value, reason) => {
  expect(read(value)).toEqual({ value: null, quality: 'bad', reason, time: NOW });
});

test('endless nesting is bad instead of an error', () => {
  const loop: Record<string, unknown> = { dataType: opcua.DataType.Variant, arrayType: opcua.VariantArrayType.Array };
  loop['value'] = [loop];
  expect(read(loop)).toMatchObject({ quality: 'bad', reason: 'the value cannot be read' });
});
