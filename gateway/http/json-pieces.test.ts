import * as fc from 'fast-check';
import sjson from 'secure-json-parse';
import { expect, onTestFinished, test, vi } from 'vitest';
import { jsonInPieces, JsonPieceError } from './json-pieces.ts';
import { weighJson } from './weigh-json.ts';

const DEPTH_MAX = 1_000;
/** Read in one step. */
const STEP = 128 * 1024;
const SMALL = { depthMax: 5, pieceBytes: 8, stepBytes: 16, spaceBytesMin: 4 };

function inPieces(
  text: string,
  pieceBytes?: number,
  stepBytes?: number,
  spaceBytesMin?: number,
): { value?: unknown; fault?: string; weight: number; steps: number } {
  let weight = 0;
  let steps = 1;
  const room = (bytes: number) => {
    expect(bytes, 'room is only taken').toBeGreaterThanOrEqual(0);
    weight += bytes;
    return true;
  };
  const sizes = { ...(pieceBytes && { pieceBytes }), ...(stepBytes && { stepBytes }) };
  const options = { depthMax: DEPTH_MAX, room, ...sizes, ...(spaceBytesMin && { spaceBytesMin }) };
  const pieces = jsonInPieces(Buffer.from(text), options);
  try {
    for (; ; steps++) {
      const { done, value } = pieces.next();
      if (done) return { value, weight, steps };
    }
  } catch (error) {
    if (!(error instanceof JsonPieceError)) throw error;
    return { fault: error.fault.kind, weight, steps };
  }
}

function whole(text: string): { value?: unknown; failed?: true } {
  try {
    return { value: sjson.parse(text) as unknown };
  } catch {
    return { failed: true };
  }
}

/** Strings are longer than most of these. */
const stepBytes = fc.integer({ min: 1, max: 40 });
const indents = fc.constantFrom('', ' ', '\n\t');
const spaced = fc
  .tuple(fc.json({ maxDepth: 6, noUnicodeString: false }), indents)
  .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent))
  .filter((text) => whole(text).failed === undefined);

test('a text in pieces of any size is the value that the whole text is', () => {
  fc.assert(
    fc.property(spaced, fc.integer({ min: 1, max: 60 }), stepBytes, (text, pieceBytes, step) => {
      const { value, weight } = inPieces(text, pieceBytes, step);
      expect(JSON.stringify(value)).toBe(JSON.stringify(sjson.parse(text)));
      expect(weight).toBe((weighJson(text, DEPTH_MAX) as number) + Buffer.byteLength(text) - text.length);
    }),
    { numRuns: 300 },
  );
});

const escapes = fc.constantFrom(
  '\\u20ac',
  '\\ud83d\\ude00',
  '\\\\',
  '\\"',
  '\\n',
  '€',
  '😀',
  'a',
  ' ',
  ',',
  ']',
  '}',
  ':',
);
const longString = fc.array(escapes, { maxLength: 20 }).map((all) => `"${all.join('')}"`);

test('strings with escapes are cut where they can be cut', () => {
  const members = fc.tuple(longString, longString, longString);
  fc.assert(
    fc.property(members, fc.integer({ min: 1, max: 30 }), stepBytes, ([a, b, c], pieceBytes, step) => {
      for (const text of [a, `[${a},${b}, [${c} ] ]`, `{"n":{${a}:${b}},"m":[${c}]}`, `{${a} : [{"x":${b},"y":${c}}]}`])
        expect(inPieces(text, pieceBytes, step).value).toEqual(JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('no text that V8 parses at once is as long as a long string', () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { value } = inPieces(`[1,{"text":"${'abc\\u20ac€'.repeat(400_000)}"}]`);
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(1024 * 1024);
  expect(value).toEqual([1, { text: 'abc€€'.repeat(400_000) }]);
});

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 60 });

test('white space of any length is cut out of any place', () => {
  const sizes = [fc.integer({ min: 1, max: 60 }), stepBytes, fc.integer({ min: 1, max: 10 })] as const;
  fc.assert(
    fc.property(fc.array(space, { minLength: 9, maxLength: 9 }), longString, ...sizes, (s, text, piece, step, min) => {
      const parts = ['{', text, ':', '[1', ',', text, ']', '}'];
      const spaced = `${s[0]}${parts.map((part, at) => part + s[at + 1]).join('')}`;
      expect(inPieces(spaced, piece, step, min).value).toEqual(JSON.parse(spaced));
      for (const token of ['1', ',', ']', ':', '"']) {
        const broken = spaced.slice(0, spaced.length - (s[8] ?? '').length) + s[3] + token + s[8];
        expect([inPieces(broken, piece, step, min).fault !== undefined, broken]).toEqual([true, broken]);
      }
    }),
    { numRuns: 500 },
  );
});

test('the place of a fault after white space is found', () => {
  const gap = ' '.repeat(50);
  for (const [text, at] of [
    [`[1,${gap}2${gap}3]`, 4 + 2 * gap.length],
    [`[${gap}1${gap}2]`, 2 + 2 * gap.length],
    [`{"a"${gap}1}`, 4 + gap.length],
    [`{${gap}"a"${gap}:${gap}1${gap}"b"}`, 6 + 4 * gap.length],
    [`[1]${gap}x`, 3 + gap.length],
  ] as const) {
    const pieces = jsonInPieces(Buffer.from(text), { ...SMALL, room: () => true });
    expect(() => [...pieces]).toThrow(expect.objectContaining({ fault: { kind: 'invalid', at } }));
  }
});

test.each([
  ['before the value', (gap: string) => `${gap}[1]`],
  ['after the value', (gap: string) => `[1]${gap}`],
  ['in an object', (gap: string) => `{"a"${gap}:${gap}1${gap}}`],
  ['before a member', (gap: string) => `[1,${gap}2,${gap}{${gap}}]`],
  ['at the ends of arrays', (gap: string) => `${'['.repeat(40)}${`${gap}]`.repeat(40)}`],
  ['at the ends of arrays, each ending with a step', () => `${'['.repeat(40)}${`${' '.repeat(STEP - 1)}]`.repeat(40)}`],
  ['after a long name', (gap: string) => `{"${'n'.repeat(2 * STEP)}"${gap}:1}`],
])('no text that V8 parses at once has megabytes of white space: %s', (_where, textOf) => {
  const text = textOf(' \n'.repeat(STEP));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { value, steps } = inPieces(text);
  const spaces = parse.mock.calls.map(([part]) => part.length - part.trim().replaceAll(/\s/g, '').length);
  expect(Math.max(0, ...spaces)).toBeLessThan(3 * STEP);
  expect(steps).toBeGreaterThanOrEqual(Math.floor(text.length / STEP));
  parse.mockRestore();
  expect(value).toEqual(JSON.parse(text));
});

const tokens = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '1',
  '-',
  '"a"',
  '"\\u20ac\\n€"',
  '"',
  '\\',
  'null',
  ' ',
  '\n',
  '"constructor"',
  '"prototype"',
];
const broken = fc.oneof(
  fc
    .array(fc.constantFrom(...tokens, '"__proto__"', '"\\u005f_proto__"'), { maxLength: 14 })
    .map((all) => all.join('')),
  fc.tuple(spaced, fc.nat(), fc.constantFrom(...tokens), fc.nat({ max: 3 })).map(([text, at, token, cut]) => {
    const from = at % (text.length + 1);
    return (text.slice(0, from) + token + text.slice(from + cut)).toWellFormed();
  }),
);

test('a text in pieces is refused in the same cases as the whole text', () => {
  fc.assert(
    fc.property(broken, fc.integer({ min: 1, max: 30 }), stepBytes, (text, pieceBytes, step) => {
      const one = whole(text);
      const other = inPieces(text, pieceBytes, step);
      // If a name occurs twice, the first value is checked too.
      if (other.fault === 'forbidden') return;
      expect([other.fault !== undefined, JSON.stringify(other.value)]).toEqual([
        one.failed === true,
        JSON.stringify(one.value),
      ]);
    }),
    { numRuns: 1_500 },
  );
});

test('a text begins with one byte order mark at most', () => {
  for (const value of ['"a"', '1', '[1,2]', '{"a":[1]}', `"${'a'.repeat(60)}"`])
    for (const text of [`\ufeff${value}`, `\ufeff\ufeff${value}`, ` \ufeff${value}`])
      for (const bytes of [2, 20, 200])
        expect([text, inPieces(text, bytes, bytes).value]).toEqual([text, whole(text).value]);
});

test.each([
  '[1,2,{"__proto__":[1,2,3,4,5]}]',
  '{"a":{"constructor":{"prototype":{"b":[1,2,3,4,5,6]}}}}',
  '{"a":[1,2,3],"\\u005f_proto__":[4,5,6]}',
])('a prototype is refused in pieces: %s', (text) => {
  for (let bytes = 1; bytes < text.length; bytes++) expect(inPieces(text, bytes).fault).toBe('forbidden');
});

test('a megabyte of small objects is parsed in 16 KiB each', () => {
  const { value, steps } = inPieces(`[${'{},'.repeat(349_000)}{}]`);
  expect(value).toHaveLength(349_001);
  expect(steps).toBe(65);
});

test('a text nested too deep is refused, and so is one that finds no room', () => {
  expect(inPieces('['.repeat(1_001)).fault).toBe('too_deep');
  const pieces = jsonInPieces(Buffer.from('[1,2,3]'), { depthMax: 5, pieceBytes: 2, room: () => false });
  expect(() => [...pieces]).toThrow(expect.objectContaining({ fault: { kind: 'no_room' } }));
});
