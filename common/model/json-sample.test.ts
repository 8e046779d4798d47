import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { sampleOf } from './json-sample.ts';

const ajv = new Ajv2020({ strict: false });
const fits = (schema: object) => ajv.compile(schema)(sampleOf(schema));

test('examples and defaults written by the author come first', () => {
  expect(sampleOf({ const: 7, default: 8 })).toBe(7);
  expect(sampleOf({ type: 'string', examples: ['ORD-1'] })).toBe('ORD-1');
  expect(sampleOf({ type: 'string', default: 'a' })).toBe('a');
  expect(sampleOf({ enum: ['red', 'green'] })).toBe('red');
});

test('an object has its required fields with the right types', () => {
  const schema = {
    type: 'object',
    required: ['orderId', 'quantity', 'lines', 'at'],
    properties: {
      orderId: { type: 'string', minLength: 6 },
      quantity: { type: 'integer', minimum: 3, multipleOf: 5 },
      share: { type: 'number' },
      lines: {
        type: 'array',
        minItems: 2,
        items: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } },
      },
      at: { type: 'string', format: 'date-time' },
    },
  };
  expect(sampleOf(schema)).toEqual({
    orderId: 'textxx',
    quantity: 5,
    lines: [{ ok: true }, { ok: true }],
    at: '2026-01-31T06:00:00Z',
  });
});

test('references, allOf and the first of anyOf are followed', () => {
  const schema = {
    allOf: [
      { $ref: '#/$defs/base' },
      { required: ['b'], properties: { b: { anyOf: [{ type: 'null' }, { type: 'string' }] } } },
    ],
    $defs: { base: { type: 'object', required: ['a'], properties: { a: { enum: [1] } } } },
  };
  expect(sampleOf(schema)).toEqual({ b: null, a: 1 });
  expect(fits(schema)).toBe(true);
});

test.each([
  { type: 'number', exclusiveMinimum: 0, maximum: 0.2 },
  { type: ['null', 'integer'], maximum: -4 },
  { type: 'array', prefixItems: [{ type: 'integer' }, { const: 'x' }] },
  { type: 'string', maxLength: 2 },
  true,
])('a sample matches its schema: %j', (schema) => {
  expect(ajv.compile(schema)(sampleOf(schema))).toBe(true);
});

test('a schema that refers to itself, or is very wide, does not run forever', () => {
  expect(sampleOf({ type: 'object', required: ['next'], properties: { next: { $ref: '#' } } })).toBeDefined();
  const ring = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
  expect(sampleOf(ring)).toEqual({});
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, { type: 'integer' }]));
  expect(Object.keys(sampleOf({ type: 'object', properties: wide }) as object)).toHaveLength(50);
});

test('references in a part with its own ID are resolved inside this part', () => {
  const part = { $id: 'urn:a', $ref: '#/$defs/a', $defs: { a: { const: 'own' } } };
  expect(sampleOf({ anyOf: [part], $defs: { a: { const: 'of the whole' } } })).toBe('own');
});
