import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Guest } from './guest.ts';
import { PACKED_BYTES_MAX, PACKED_DEPTH_MAX, PACKED_NAME_BYTES_MAX } from './limits.ts';
import { isPacked, Packer } from './packed-message.ts';
import { bareGuest, guestOf } from './sandbox-fixture.ts';

/**
 * Prints everything that a script can observe of its message, including the order of properties and the units of a
 * text.
 */
const TELL = String.raw`
const units = (text) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).join(' ');
const tell = (value) => {
  if (typeof value === 'string') return 'text ' + units(value);
  if (typeof value !== 'object' || value === null) return typeof value + ' ' + (Object.is(value, -0) ? '-0' : String(value));
  const kind = Object.getPrototypeOf(value) === Array.prototype ? 'list' : Object.getPrototypeOf(value) === Object.prototype ? 'object' : 'other';
  const members = Reflect.ownKeys(value).map((name) => {
    const { value: member, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(value, name);
    return [units(name), name === 'length' ? member : tell(member), writable, enumerable, configurable];
  });
  return [kind, Array.isArray(value), Object.isExtensible(value), members];
};
export default (message) => tell(message);
`;

let guest: Guest;
beforeAll(async () => {
  guest = guestOf(await bareGuest(TELL));
});

const packer = new Packer();

function expectSame(input: unknown): void {
  const packed = packer.pack(input);
  if (packed === null) throw new Error(`expected this to be packed: ${JSON.stringify(input).slice(0, 200)}`);
  expect(isPacked(packed)).toBe(true);
  const told = guest.run(packed, []);
  expect(told).toEqual(guest.run(JSON.stringify(input), []));
  expect(told.code).toBe('');
}

describe('a packed message is to a script what the same message is as JSON', () => {
  const INPUTS: Readonly<Record<string, unknown>> = {
    'nothing in it': {},
    'an empty list': [],
    'each kind of value': { none: null, yes: true, no: false, text: 'a', list: [1, [2]], object: { a: {} } },
    'whole numbers at the edges of their form': [
      0,
      1,
      -1,
      63,
      64,
      -64,
      -65,
      8191,
      8192,
      -8193,
      2 ** 31 - 1,
      -(2 ** 31),
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 53,
    ],
    'other numbers': [0.1, -1.5, 1e308, 5e-324, -0, NaN, Infinity, -Infinity],
    'texts of one byte a character': [
      '',
      'é',
      'ÿ'.repeat(24),
      'ÿ'.repeat(25),
      'a'.repeat(63),
      'a'.repeat(64),
      '\0\u0001x',
    ],
    'texts of two': [
      'Ā',
      '€'.repeat(24),
      '€'.repeat(25),
      `${'a'.repeat(100)}€`,
      '😀',
      '\ud800',
      'a\udc00b',
      '\ufeff',
      '\u2028',
    ],
    'names that are indexes, in order': {
      b: 1,
      10: 2,
      9: 3,
      '01': 4,
      '-1': 5,
      '1.5': 6,
      2147483647: 7,
      2147483648: 8,
      4294967295: 9,
    },
    'names of another kind': {
      '': 1,
      é: 2,
      '€': 3,
      '\ud800': 4,
      ['n'.repeat(300)]: 5,
      length: 6,
      constructor: 7,
      toString: 8,
    },
    'the name __proto__': JSON.parse('{ "__proto__": { "a": 1 }, "b": { "__proto__": null } }'),
    'objects without a prototype': Object.assign(Object.create(null), { a: Object.create(null) }),
    'what is undefined': { a: undefined, b: 1, list: [undefined, 1] },
    'a list with holes': Object.assign([], { 0: 1, 2: 3 }),
    'one object in two places': ((one) => ({ one, other: one }))({ a: 1 }),
    'hidden properties and symbols': Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3 }),
    'many names and many members': Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`n${index}`, index])),
    'nesting as deep as is packed': nested(PACKED_DEPTH_MAX),
  };
  test.each(Object.keys(INPUTS))('%s', (name) => {
    expectSame(INPUTS[name]);
  });

  test('whatever it holds', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', '\0', 'ÿ', 'Ā', '\ud800', '😀'), fc.string({ maxLength: 1 })),
    });
    const leaf = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(fc.oneof(text, fc.nat().map(String)), tie('tree')),
      ),
    }));
    fc.assert(fc.property(tree, (payload) => expectSame({ payload })));
  });
});

describe('a message goes as JSON', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const INPUTS: Readonly<Record<string, unknown>> = {
    'that is no object or list': 'text',
    'with a date': { at: new Date(0) },
    'with bytes': { bytes: new Uint8Array(2) },
    'with an instance of a class': {
      made: new (class Made {
        readonly a = 1;
      })(),
    },
    'with a map': { map: new Map() },
    'with a boxed number': { boxed: Object(1) },
    'with a list of a class': { list: new (class List extends Array<number> {})() },
    'with a function': { toJSON: () => 1 },
    'with a symbol': { a: Symbol('s') },
    'with a bigint': { a: 1n },
    'with a cycle': cyclic,
    'that nests deeper than is packed': nested(PACKED_DEPTH_MAX + 1),
    'with a longer text than is packed': { text: 'x'.repeat(PACKED_BYTES_MAX) },
    'with a longer wide text than is packed': { text: '€'.repeat(PACKED_BYTES_MAX / 2) },
    'with more texts than are packed': Array.from({ length: 4096 }, () => 'x'.repeat(16)),
    'with more values than are packed': Array.from({ length: PACKED_BYTES_MAX }, () => 1),
    'with a longer name than is packed': { ['n'.repeat(PACKED_NAME_BYTES_MAX)]: 1 },
    'with more names than are packed': Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`n${index}`, 1])),
  };
  test.each(Object.keys(INPUTS))('%s', (name) => {
    expect(packer.pack(INPUTS[name])).toBeNull();
    expectSame({ next: 'is packed as ever' });
  });
});

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}
