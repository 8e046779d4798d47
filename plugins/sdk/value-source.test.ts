import { describe, expect, test } from 'vitest';
import { exactlyOne, isGiven, nameTemplateField, parsePath, valueSource, z } from '#sdk';
import { messageOf } from '#sdk/testing.ts';

describe('a value from settings', () => {
  test.each([
    ['a fixed value', { value: [1] }, [1]],
    ['null', { value: null }, null],
    ['the value at a path', { from: parsePath('payload.a.b') }, { c: 1 }],
    ['null where nothing is', { from: parsePath('payload.none.b') }, null],
    ['nothing of a prototype', { from: parsePath('payload.toString') }, null],
  ])('is %s', (_what, given, expected) => {
    expect(valueSource(given)(messageOf({ a: { b: { c: 1 } } }))).toEqual(expected);
  });

  test('is given exactly once: null counts, undefined and inherited values do not', () => {
    expect(exactlyOne({ value: null }, ['value', 'from'])).toBe(true);
    expect(exactlyOne({ value: undefined, from: 1 }, ['value', 'from'])).toBe(true);
    expect(exactlyOne({ value: 1, from: 1 }, ['value', 'from'])).toBe(false);
    expect(exactlyOne({}, ['value', 'from'])).toBe(false);
    expect(isGiven({}, 'toString')).toBe(false);
  });
});

test('a name is checked on saving, unless it contains something from the message', () => {
  const field = nameTemplateField(z.string().regex(/^[a-z]+$/, 'expected letters'));
  expect(field.safeParse('name').success).toBe(true);
  expect(field.safeParse('NOT {{payload.a}}').success).toBe(true);
  for (const wrong of ['', 'NOT', 'a{{}}'])
    expect(field.safeParse(wrong).error?.issues.map(({ message }) => message)).toEqual(['expected letters']);
});
