import { describe, expect, test } from 'vitest';
import { readForm, variantOf } from './schema.ts';
import type { Field } from './schema-types.ts';

const fieldsOf = (properties: object, required: string[] = [], $defs: object = {}): Field[] =>
  variantOf(readForm({ type: 'object', properties, required, $defs }), {}).fields;
const controlOf = (schema: object, $defs: object = {}) => fieldsOf({ one: schema }, [], $defs)[0]?.control;
const text = { type: 'string' };

describe('each type has a control', () => {
  test.each([
    [{ type: 'string' }, { kind: 'text', picker: null, lines: 1 }],
    [
      { type: 'string', maxLength: 16_384 },
      { kind: 'text', picker: null, lines: 3 },
    ],
    [
      { type: 'string', control: 'tag' },
      { kind: 'text', picker: 'tag', lines: 1 },
    ],
    [
      { type: 'string', control: 'javascript' },
      { kind: 'code', language: 'javascript' },
    ],
    [
      { type: 'number', control: 'seconds' },
      { kind: 'number', whole: false, unit: 's' },
    ],
    [{ type: 'integer' }, { kind: 'number', whole: true, unit: '' }],
    [{ type: ['number', 'string'], control: 'size' }, { kind: 'size' }],
    [{ type: ['number', 'string'] }, { kind: 'any' }],
    [{ type: 'boolean' }, { kind: 'switch' }],
    [
      { type: 'boolean', const: true },
      { kind: 'tick', value: true },
    ],
    [
      { type: 'string', enum: ['a', 'b'] },
      { kind: 'select', options: ['a', 'b'] },
    ],
    [{ anyOf: [text, { type: 'null' }] }, { kind: 'text', picker: null, lines: 1 }],
    [{ anyOf: [{ type: 'array', items: text }, text] }, { kind: 'texts', picker: null }],
    [{ anyOf: [{ type: 'null' }, { anyOf: [{ type: 'array', items: text }, text] }] }, { kind: 'texts', picker: null }],
    [
      { type: 'array', items: { type: 'number' } },
      { kind: 'code', language: 'json' },
    ],
    [{ type: 'integer', control: 'bytes' }, { kind: 'bytes' }],
    [{ type: 'array', items: text, control: 'lines' }, { kind: 'lines' }],
    [
      { anyOf: [{ type: 'string', maxLength: 16_384 }, { type: 'null' }], control: 'secret' },
      { kind: 'secret', lines: 4 },
    ],
    [
      { type: 'string', enum: ['a'], choices: { a: 'The first' } },
      { kind: 'select', options: ['a'], labels: { a: 'The first' } },
    ],
    [{}, { kind: 'any' }],
    [{ type: 'object' }, { kind: 'code', language: 'json' }],
  ])('%j', (schema, control) => expect(controlOf(schema)).toEqual(control));

  test('a secret is a text that may be stored elsewhere', () => {
    const isSet = { type: 'object', properties: { set: { type: 'boolean', const: true } } };
    expect(controlOf({ anyOf: [text, isSet, { type: 'null' }] })).toEqual({ kind: 'secret', lines: 1 });
    expect(controlOf({ type: 'object', additionalProperties: { anyOf: [text, isSet] } })).toEqual({
      kind: 'pairs',
      value: { kind: 'secret', lines: 1 },
      names: 'free',
    });
  });

  test('any JSON is recognised by its reference to itself', () => {
    const any = {
      anyOf: [
        text,
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
        { type: 'array', items: { $ref: '#/$defs/any' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/any' } },
      ],
    };
    expect(controlOf({ $ref: '#/$defs/any' }, { any })).toEqual({ kind: 'any' });
    expect(controlOf({ $ref: '#/$defs/any', control: 'json' }, { any })).toEqual({ kind: 'code', language: 'json' });
  });

  test('lists of objects are rows, and omissible objects are optional', () => {
    const row = { type: 'object', properties: { port: text }, required: ['port'] };
    expect(controlOf({ type: 'array', items: row, maxItems: 3 })).toMatchObject({
      kind: 'rows',
      most: 3,
      fields: [{ name: 'port', title: 'Port', required: true }],
    });
    expect(controlOf({ anyOf: [row, { type: 'null' }] })).toMatchObject({
      kind: 'optional',
      fields: [{ name: 'port' }],
    });
  });

  test('a recursive schema is edited as JSON below a certain depth', () => {
    const loop = { type: 'object', properties: { next: { $ref: '#/$defs/loop' } } };
    expect(JSON.stringify(controlOf({ $ref: '#/$defs/loop' }, { loop }))).toContain('"language":"json"');
  });
});

test('modes are variants, and settings without a mode belong to the first', () => {
  const mode = (value: string, name: string) => ({
    type: 'object',
    title: value.toUpperCase(),
    properties: { mode: { type: 'string', const: value }, [name]: text },
  });
  const form = readForm({ oneOf: [mode('in', 'a'), mode('out', 'b')] });
  expect(form.mode).toBe('mode');
  expect(variantOf(form, {}).fields.map(({ name }) => name)).toEqual(['a']);
  expect(variantOf(form, { mode: 'out' })).toMatchObject({ value: 'out', title: 'OUT', fields: [{ name: 'b' }] });
});

test('the first fields and the required ones are visible if there are no hints', () => {
  const many = Object.fromEntries('abcdefgh'.split('').map((name) => [name, text]));
  const shown = (fields: Field[]) => fields.filter(({ more }) => !more).map(({ name }) => name);
  expect(shown(fieldsOf(many, ['h']))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'h']);
  expect(shown(fieldsOf({ ...many, a: { ...text, more: true } }))).toEqual(['b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

test('an invalid schema has no fields', () => {
  for (const schema of [null, 'x', [], { type: 'object' }]) expect(variantOf(readForm(schema), {}).fields).toEqual([]);
});
