import { describe, expect, test } from 'vitest';
import type { ParamType } from '#common/model/named-query.ts';
import { typedValues, untypedValues } from './values.ts';

const typed = (type: ParamType, v: unknown, optional = false) =>
  typedValues([{ name: 'v', type, optional }], { v }).get('v');

describe('a declared type accepts', () => {
  test.each([
    ['text', 'a', 'a'],
    ['text', 7, '7'],
    ['text', '', ''],
    ['integer', 7, 7n],
    ['integer', '-7', -7n],
    ['integer', -0, 0n],
    ['integer', ' 42 ', 42n],
    ['integer', '9223372036854775807', 9223372036854775807n],
    ['number', '1.5', 1.5],
    ['number', '1e3', 1000],
    ['number', 65, 65],
    ['boolean', 'false', false],
    ['boolean', 1, true],
    ['timestamp', '2026-03-01T06:00:00+01:00', new Date('2026-03-01T05:00:00Z')],
    ['timestamp', '2026-03-01', new Date('2026-03-01T00:00:00Z')],
    ['timestamp', '2024-02-29 06:00:00Z', new Date('2024-02-29T06:00:00Z')],
    ['timestamp', 0, new Date(0)],
    ['json', { a: 1 }, '{"a":1}'],
    ['json', 'text', '"text"'],
    ['bytes', 'AP8=', new Uint8Array([0, 255])],
    ['bytes', new Uint8Array([1]), new Uint8Array([1])],
  ] as const)('%s: %j', (type, value, expected) => {
    expect(typed(type, value)).toEqual(expected);
  });
});

describe('a declared type refuses', () => {
  test.each([
    ['text', { a: 1 }, /a string; it is a object/],
    ['integer', 1.5, /a whole number/],
    ['integer', '1.5', /a whole number/],
    ['integer', '9223372036854775808', /a whole number/],
    ['integer', 2 ** 60, /a whole number/],
    ['number', 'x', /a number/],
    ['number', Number.NaN, /a number/],
    ['number', '', /a number/],
    ['boolean', 'yes', /true or false/],
    ['timestamp', 'yesterday', /2026-03-01T06:00:00Z/],
    ['timestamp', '2026-13-01T00:00:00Z', /2026-03-01T06:00:00Z/],
    ['timestamp', '2026-02-30T00:00:00Z', /of a day that there is/],
    ['timestamp', '2026-02-29', /of a day that there is/],
    ['timestamp', '2026-03-01T06:00:00', /2026-03-01T06:00:00Z/],
    ['bytes', 'not base64!', /base64/],
    ['json', 1n, /JSON/],
  ] as const)('%s: %s', (type, value, says) => {
    expect(() => typed(type, value)).toThrow(
      expect.objectContaining({ code: 'param_invalid', message: expect.stringMatching(says) }),
    );
  });
});

test('an optional value may be absent or null, a required one may not', () => {
  expect(typed('integer', null, true)).toBe(null);
  expect(typedValues([{ name: 'v', type: 'text', optional: true }], {}).get('v')).toBe(null);
  expect(() => typed('integer', null)).toThrow(expect.objectContaining({ code: 'param_missing' }));
  expect(() => typedValues([], { constructor: 1 })).toThrow(expect.objectContaining({ code: 'param_unknown' }));
  expect(() => typedValues([{ name: 'toString', type: 'text', optional: false }], {})).toThrow(
    expect.objectContaining({ code: 'param_missing' }),
  );
});

test('without types, objects and lists are JSON text, and values without a text form are refused', () => {
  const given = { a: 'x', b: 1.5, c: null, d: [1, { e: 2 }], f: 5n, g: 4711, h: -0, i: 2 ** 60, left: undefined };
  expect([...untypedValues(given)]).toEqual([
    ['a', 'x'],
    ['b', 1.5],
    ['c', null],
    ['d', '[1,{"e":2}]'],
    ['f', 5n],
    ['g', 4711n],
    ['h', 0n],
    ['i', 2 ** 60],
  ]);
  for (const value of [Number.NaN, () => 1, Symbol('x'), 2n ** 64n])
    expect(() => untypedValues({ value })).toThrow(expect.objectContaining({ code: 'param_invalid' }));
});
