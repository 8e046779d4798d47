import { expect, test } from 'vitest';
import { SchemaComponents } from './openapi-schema.ts';

/** The components that a schema named `a` becomes. */
function componentsOf(schema: unknown): Record<string, unknown> {
  const components = new SchemaComponents({});
  expect(components.reference('a', schema)).toEqual({ $ref: '#/components/schemas/a' });
  return components.all();
}

test('true and false become objects, except where tools support them', () => {
  expect(componentsOf({ properties: { x: true, y: false }, additionalProperties: false, items: true })).toEqual({
    a: { properties: { x: {}, y: { not: {} } }, additionalProperties: false, items: true },
  });
  expect(componentsOf(true)).toEqual({ a: {} });
});

test('definitions become components, and references point to them', () => {
  const schema = {
    $defs: { order: { properties: { parts: { $ref: '#/$defs/part' } } }, part: { $ref: '#' }, 'a b': {} },
    anyOf: [{ $ref: '#/$defs/order' }, { $ref: '#/$defs/order/properties/parts' }, { $ref: '#/$defs/a%20b' }],
  };
  expect(componentsOf(schema)).toEqual({
    a: {
      anyOf: [
        { $ref: '#/components/schemas/a_order' },
        { $ref: '#/components/schemas/a_order/properties/parts' },
        { $ref: '#/components/schemas/a_a_b' },
      ],
    },
    a_order: { properties: { parts: { $ref: '#/components/schemas/a_part' } } },
    a_part: { $ref: '#/components/schemas/a' },
    a_a_b: {},
  });
});

test('a reference inside a schema with an ID resolves within this schema', () => {
  const inner = { $id: 'urn:one', $defs: { x: { type: 'string' } }, items: { $ref: '#/$defs/x' }, not: { $ref: '#' } };
  expect(componentsOf({ allOf: [{ type: 'array' }, inner], contains: { $ref: 'urn:one' } })).toEqual({
    a: {
      allOf: [
        { type: 'array' },
        { items: { $ref: '#/components/schemas/a_x' }, not: { $ref: '#/components/schemas/a/allOf/1' } },
      ],
      contains: { $ref: '#/components/schemas/a/allOf/1' },
    },
    a_x: { type: 'string' },
  });
});

test('anchors are resolved', () => {
  const schema = { $defs: { x: { $anchor: 'here', type: 'string' } }, items: { $ref: '#here' } };
  expect(componentsOf(schema)).toEqual({
    a: { items: { $ref: '#/components/schemas/a_x' } },
    a_x: { type: 'string' },
  });
});

test('a reference with no target is left out, and an unknown keyword becomes an extension', () => {
  const schema = { items: { $ref: '#/$defs/none' }, not: { $ref: 'https://elsewhere.example/x' }, secret: true };
  expect(componentsOf(schema)).toEqual({ a: { items: {}, not: {}, 'x-secret': true } });
});

test('a property may have the name of a keyword', () => {
  const schema = { properties: { $ref: { type: 'string' }, secret: { type: 'string' }, $defs: { type: 'object' } } };
  expect(componentsOf(schema)).toEqual({ a: schema });
});

test('equal schemas become one component, and no name is used twice', () => {
  const components = new SchemaComponents({ Problem: {} });
  const first = components.reference('a', { type: 'string' });
  expect(components.reference('b', { type: 'string' })).toEqual(first);
  expect(components.reference('a', { type: 'number' })).toEqual({ $ref: '#/components/schemas/a_2' });
  expect(components.reference('Problem', {})).toEqual({ $ref: '#/components/schemas/Problem_2' });
});

const MANY = 30_000;
const numbered = (part: (index: number) => object): object[] => Array.from({ length: MANY }, (_, index) => part(index));

/** Drafts are described without a check: work that grows with the square of such a schema would take minutes. */
test.for<[string, object]>([
  ['references to an anchor', { anyOf: numbered(() => ({ $ref: '#x' })), $defs: { x: { $anchor: 'x' } } }],
  [
    'references to a definition each',
    {
      anyOf: numbered((index) => ({ $ref: `#/$defs/x${index}` })),
      $defs: Object.fromEntries(numbered(() => ({})).map((part, index) => [`x${index}`, part])),
    },
  ],
  ['definitions of one name', { anyOf: numbered(() => ({ $defs: { x: {} } })) }],
])('%s, 30,000 of them, are described in linear time', ([, schema]) => {
  const started = performance.now();
  expect(Object.keys(componentsOf(schema)).length).toBeGreaterThan(1);
  expect(performance.now() - started).toBeLessThan(20_000);
});
