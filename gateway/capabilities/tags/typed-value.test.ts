import { describe, expect, test } from 'vitest';
import { typedValue, VALUE_CHARS_MAX } from './typed-value.ts';

describe('a value is converted to the type of its tag', () => {
  test.each([
    ['number', 1.5, 1.5],
    ['number', 7n, 7],
    ['integer', 7, 7],
    ['integer', -9_007_199_254_740_991n, -9_007_199_254_740_991],
    ['boolean', false, false],
    ['boolean', 1, true],
    ['boolean', 0, false],
    ['text', '', ''],
    ['text', 'é', 'é'],
    ['text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['json', null, null],
    ['json', [1, { a: 'x' }], [1, { a: 'x' }]],
    ['json', { at: new Uint8Array([1, 2]) }, { at: 'AQI=' }],
  ] as const)('%s: %o', (type, raw, value) => {
    expect(typedValue(type, raw)).toMatchObject({ value });
  });

  test.each([
    ['number', '7', /expected a number; it is a string/],
    ['number', true, /a boolean/],
    ['number', null, /nothing/],
    ['number', Number.NaN, /finite number; it is NaN/],
    ['number', Number.POSITIVE_INFINITY, /finite number; it is Infinity/],
    ['number', 2n ** 60n, /a bigint/],
    ['integer', 1.5, /whole number; it is 1.5/],
    ['integer', 2 ** 53, /whole number/],
    ['integer', Number.NaN, /whole number; it is NaN/],
    ['boolean', 2, /true or false; it is a number/],
    ['boolean', 'true', /true or false; it is a string/],
    ['text', 7, /a string; it is a number/],
    ['text', ['a'], /a list/],
    ['text', new Date(Number.NaN), /a string; it is an object/],
    ['text', 'x'.repeat(VALUE_CHARS_MAX + 1), /at most 65536 characters; there are 65537/],
    ['json', 'x'.repeat(VALUE_CHARS_MAX), /at most 65536 characters/],
    ['json', undefined, /JSON/],
    ['json', 7n, /JSON/],
    ['json', Number.NaN, /JSON/],
    ['json', () => 1, /JSON/],
  ] as const)('%s refuses %o', (type, raw, fault) => {
    expect(typedValue(type, raw)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('circular JSON is refused', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(typedValue('json', circle)).toEqual({ fault: expect.stringContaining('JSON') });
  });

  test('JSON is copied so that nobody can change it', () => {
    const raw = { list: [1] };
    const typed = typedValue('json', raw);
    raw.list.push(2);
    if ('fault' in typed) throw new Error(typed.fault);
    const { list } = typed.value as typeof raw;
    expect(list).toEqual([1]);
    expect(() => list.push(3)).toThrow(TypeError);
  });
});
