import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongJson, jsonInPieces } from './json-in-pieces.ts';
import { jsonText } from './json.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: n, name: `part ${n}`, tags: ['a', 'b'], at: n / 3 }));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const named = (count: number) => Object.fromEntries(numbers(count).map((n) => [`name-${n}`, n]));

test.each<[string, unknown]>([
  ['many rows', rows(20_000)],
  ['many names', named(30_000)],
  ['rows in an object', { first: 1, rows: rows(10_000), empty: {}, last: null }],
  ['objects of many names in an array', [named(20_000), 1, named(20_000), named(3)]],
  ['values that have no JSON form', { a: undefined, b: rows(10_000), c: () => 1, d: [...numbers(20_000), undefined] }],
  ['nothing but such values', Object.fromEntries(numbers(20_000).map((n) => [`a${n}`, undefined]))],
  ['bytes', { rows: Array.from({ length: 5_000 }, () => ({ bytes: new Uint8Array([1, 2, 3]), more: [1, 2] })) }],
  ['large bytes', [new Uint8Array(400_000), new Uint8Array(3), Buffer.alloc(400_000)]],
  ['strings', ['x'.repeat(400_000), '\u2028"\\'.repeat(100_000), '\ud83d']],
  ['one string', '\ud83d\ude00'.repeat(400_000)],
  ['one string with unpaired surrogates', 'a\ud83d'.repeat(200_000) + '\ud83d'.repeat(200_000) + '\ude00'.repeat(3)],
  ['long strings under names', { a: 1, text: 'x'.repeat(400_000), b: { c: '\ud83d\ude00x'.repeat(400_000) }, d: 2 }],
  ['long bytes under a name', { a: 1, bytes: Buffer.alloc(400_001, 7), b: 2 }],
  ['times', Array.from({ length: 20_000 }, (_, n) => new Date(n))],
  ['numbers as names', { 7: numbers(12_000), 3: numbers(12_000), b: 1, 1: numbers(12_000) }],
  ['the name __proto__', JSON.parse(`{"__proto__":{"a":1},"more":[${numbers(20_000).join(',')}],"__proto__":[2]}`)],
  ['lists in lists', numbers(40).reduce<unknown>((inner) => [inner, numbers(12_000)], 1)],
  [
    'a class with its own JSON form',
    [
      numbers(20_000),
      new (class {
        held = numbers(20_000);
        toJSON = () => this.held.length;
      })(),
    ],
  ],
  ['an object without a prototype', Object.assign(Object.create(null), { list: numbers(20_000), a: 1 })],
])('%s: the pieces joined are the same as the JSON written in one step', (_what, value) => {
  expect(isLongJson(value)).toBe(true);
  expect([...jsonInPieces(value)].join('')).toBe(jsonText(value));
});

test('any value is written the same as in one step', () => {
  const long = numbers(10_001);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      for (const value of [a, [a, long, b], { a, long, b }, [[a, [long, b]], { deep: { long, b } }]])
        expect([...jsonInPieces(value)].join('')).toBe(jsonText(value));
    }),
    { numRuns: 200 },
  );
});

test('no piece is long', () => {
  const value = { rows: rows(50_000), lists: numbers(30).map(() => numbers(5_000)) };
  const pieces = [...jsonInPieces(value)].map(({ length }) => length);
  expect(Math.max(...pieces)).toBeLessThan(jsonText(value).length / 20);
});

test.each([
  ['text', 'x'.repeat(4_000_000)],
  ['bytes', Buffer.alloc(4_000_000)],
])('no piece of one long %s is long, wherever it is', (_, long) => {
  for (const value of [long, [long], { long }, { deep: [{ long }] }]) {
    const pieces = [...jsonInPieces(value)].map(({ length }) => length);
    expect(Math.max(...pieces)).toBeLessThan(300_000);
  }
});

test('a value that contains itself is refused', () => {
  const circle: unknown[] = numbers(20_000);
  circle.push(circle, circle);
  expect(() => [...jsonInPieces(circle)]).toThrow(TypeError);
  const object: Record<string, unknown> = { list: numbers(20_000) };
  object['inner'] = { again: [object] };
  expect(() => [...jsonInPieces(object)]).toThrow(TypeError);
});

test('a short value does not count as long', () => {
  expect([[], {}, 'abc', 1, null, rows(1_000)].map(isLongJson)).toEqual([false, false, false, false, false, false]);
});
