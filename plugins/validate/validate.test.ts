import { describe, expect, test } from 'vitest';
import { emitted, faultsOf, messageOf, nodeOf, testRun, withBody } from '../sdk/testing.ts';
import { validate } from './index.ts';

async function check(schema: unknown, body: unknown) {
  const node = await nodeOf(validate, { schema });
  const { port, payload } = emitted(await node.run(withBody(body), testRun()));
  return {
    port,
    payload: payload as { status: number; body: { error: string; errors: { path: string; message: string }[] } },
  };
}

async function fits(schema: unknown, body: unknown): Promise<boolean> {
  return (await check(schema, body)).port === 'out';
}

async function paths(schema: unknown, body: unknown): Promise<string[]> {
  return (await check(schema, body)).payload.body.errors.map((error) => error.path);
}

describe('a value that matches', () => {
  test('leaves through out as the same message', async () => {
    const node = await nodeOf(validate, { schema: { type: 'object' } });
    const message = withBody({ a: 1 });
    expect(node.run(message, testRun())).toEqual({ port: 'out', message });
  });

  test('is read at the given path', async () => {
    const node = await nodeOf(validate, { schema: { type: 'string' }, path: 'payload.query.line' });
    expect(emitted(node.run(messageOf({ query: { line: '7' } }), testRun())).port).toBe('out');
    expect(emitted(node.run(messageOf({ query: {} }), testRun())).port).toBe('invalid');
  });

  test('may be missing: that counts as null', async () => {
    expect(await fits({ type: 'null' }, undefined)).toBe(true);
  });

  test('is not changed: no defaults, no coercion, nothing removed', async () => {
    const body = Object.freeze({ n: '1', more: true });
    const node = await nodeOf(validate, { schema: { properties: { n: { type: 'string' }, d: { default: 5 } } } });
    expect(emitted(await node.run(withBody(body), testRun())).payload).toMatchObject({ body });
    expect(await fits({ properties: { n: { type: 'number' } } }, body)).toBe(false);
  });
});

describe('a value that does not match', () => {
  test('leaves through invalid with status 400 and every error, and only status and body changed', async () => {
    const node = await nodeOf(validate, {
      schema: {
        type: 'object',
        required: ['a', 'b'],
        properties: { c: { type: 'integer' } },
        additionalProperties: false,
      },
    });
    const { port, payload } = emitted(
      node.run(messageOf({ body: { c: 'x', 'd.e': 1 }, params: { id: '7' } }), testRun()),
    );
    expect(port).toBe('invalid');
    expect(payload).toMatchObject({ status: 400, params: { id: '7' }, body: { error: expect.any(String) } });
    expect((payload as { body: { errors: { path: string }[] } }).body.errors.map((error) => error.path)).toEqual([
      'a',
      'b',
      'd\\.e',
      'c',
    ]);
  });

  test('has its errors at dotted paths relative to the value', async () => {
    const schema = { properties: { lines: { items: { properties: { 'a/b': { type: 'number' } } } } } };
    expect(await paths(schema, { lines: [{}, { 'a/b': 'x' }] })).toEqual(['lines.1.a/b']);
    expect(await paths({ type: 'object' }, 7)).toEqual(['']);
  });

  test('gets at most 50 errors, and the number of further ones', async () => {
    const { payload } = await check(
      { items: { type: 'string' } },
      Array.from({ length: 60 }, () => 1),
    );
    expect(payload.body.errors).toHaveLength(51);
    expect(payload.body.errors[50]).toEqual({ path: '', message: '… and 10 more' });
  });

  test('with very many parts gets only the first error: the list of all would fill the memory', async () => {
    const { payload } = await check(
      { items: { type: 'string' } },
      Array.from({ length: 100_000 }, () => 1),
    );
    expect(payload.body.errors).toEqual([{ path: '0', message: 'must be string' }]);
  });

  test('does not repeat very long names', async () => {
    const [path] = await paths({ additionalProperties: false }, { ['x'.repeat(10_000)]: 1 });
    expect(path?.length).toBe(201);
  });

  test.each([
    ['nothing at all', undefined, { type: 'object' }],
    ['an empty body', null, { type: 'object' }],
    ['bytes', new Uint8Array([1]), { type: 'object' }],
    ['bytes, whatever the schema', new Uint8Array([1]), true],
  ])('%s', async (_what, body, schema) => {
    expect(await fits(schema, body)).toBe(false);
  });

  test('is not accepted because of inherited properties', async () => {
    expect(await fits({ required: ['constructor', 'toString'] }, {})).toBe(false);
    expect(await fits({ properties: { constructor: { type: 'string' } } }, {})).toBe(true);
  });
});

describe('data from outside cannot make a check take long', () => {
  async function timed(schema: unknown, body: unknown) {
    const node = await nodeOf(validate, { schema });
    const message = withBody(body);
    const started = performance.now();
    const { port, payload } = emitted(await node.run(message, testRun()));
    const ms = performance.now() - started;
    const { body: reply } = payload as { body: { errors?: { path: string; message: string }[] } };
    return { ms, outcome: port, errors: reply.errors ?? [] };
  }

  const TOO_LONG = 'takes too long to check: the schema tries too many alternatives for it';

  const a100k = 'a'.repeat(100_000) + '!';

  test('by a pattern that is exponential in a backtracking engine', async () => {
    for (const schema of [
      { pattern: '^(a+)+$' },
      { propertyNames: { pattern: '^(a+)+$' } },
      { patternProperties: { '^(a+)+$': false }, additionalProperties: false },
    ]) {
      const { ms, outcome } = await timed(schema, 'pattern' in schema ? a100k : { [a100k]: 1 });
      expect(outcome).toBe('invalid');
      expect(ms).toBeLessThan(2_000);
    }
  });

  test('by a string too long for a large pattern', async () => {
    const { ms, outcome, errors } = await timed({ pattern: '(a|b)*a(a|b){200}$' }, 'ab'.repeat(100_000));
    expect(outcome).toBe('invalid');
    expect(errors).toEqual([{ path: '', message: expect.stringContaining('is too long for the pattern') }]);
    expect(ms).toBeLessThan(2_000);
  });

  test('by many short strings for a pattern whose automaton cannot be cached', async () => {
    let seed = 1;
    const letter = () => ((seed = (seed * 48_271) % 2_147_483_647) % 2 === 0 ? 'a' : 'b');
    const texts = Array.from({ length: 5_000 }, () => Array.from({ length: 100 }, letter).join(''));
    const { ms, errors } = await timed({ items: { anyOf: [{ pattern: '(a|b)*a(a|b){100}$' }, true] } }, texts);
    expect(errors).toEqual([{ path: '', message: expect.stringMatching(/^takes too long to check: its texts/) }]);
    expect(ms).toBeLessThan(5_000);
  });

  test('by references that double at every level', async () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const { ms, outcome, errors } = await timed({ $defs: { ...defs, d40: { type: 'string' } }, $ref: '#/$defs/d0' }, 7);
    expect([outcome, errors]).toEqual(['invalid', [{ path: '', message: TOO_LONG }]]);
    expect(ms).toBeLessThan(300);
  });

  const list = Array.from({ length: 1_500 }, (_, i) => i);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));
  test.for<[keyword: string, schema: object, body: unknown]>([
    ['maxLength', { maxLength: 200_000 }, a100k],
    ['minLength', { minLength: 1 }, a100k],
    ['maxProperties', { maxProperties: 5_000 }, wide],
    ['minProperties', { minProperties: 1 }, wide],
    ['const', { const: list }, [...list]],
    ['enum', { enum: [list] }, [...list]],
  ])('by references that check a large value 4,096 times with %s', async ([, leaf, body]) => {
    expect(await fits(leaf, body)).toBe(true);
    const defs = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `d${i}`,
        { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const { errors } = await timed({ $defs: { ...defs, d12: leaf }, $ref: '#/$defs/d0' }, body);
    expect(errors).toEqual([{ path: '', message: TOO_LONG }]);
  });

  test('by a value nested in a schema that tries every level twice', async () => {
    const tree = {
      anyOf: [
        { properties: { c: { $ref: '#' } }, required: ['x'] },
        { properties: { c: { $ref: '#' } }, required: ['y'] },
      ],
    };
    let deep: object = {};
    for (let i = 0; i < 60; i++) deep = { c: deep };
    const { ms, outcome } = await timed(tree, deep);
    expect(outcome).toBe('invalid');
    expect(ms).toBeLessThan(300);
  });

  test('by a long list that must be unique', async () => {
    const list = Array.from({ length: 50_000 }, (_, i) => ({ i }));
    expect(await timed({ uniqueItems: true }, list)).toMatchObject({ outcome: 'out', ms: expect.closeTo(0, -4) });
    expect((await timed({ uniqueItems: true }, [...list, { i: 0 }])).outcome).toBe('invalid');
  });

  test('by a value nested deeper than the stack allows', async () => {
    let deep: unknown = {};
    for (let i = 0; i < 200_000; i++) deep = { c: deep };
    const { errors } = await timed({ properties: { c: { $ref: '#' } } }, deep);
    expect(errors).toEqual([{ path: '', message: expect.stringMatching(/^is nested too deeply|^takes too long/) }]);
  });

  test('by all errors of nested unions, the first of which is found immediately', async () => {
    const filter = {
      $defs: {
        filter: {
          anyOf: [
            {
              type: 'object',
              required: ['and'],
              properties: { and: { type: 'array', items: { $ref: '#/$defs/filter' } } },
            },
            {
              type: 'object',
              required: ['or'],
              properties: { or: { type: 'array', items: { $ref: '#/$defs/filter' } } },
            },
            { type: 'object', required: ['field', 'equals'] },
          ],
        },
      },
      $ref: '#/$defs/filter',
    };
    let body: object = { nothing: 1 };
    for (let i = 0; i < 24; i++) body = { and: [body] };
    const { ms, outcome, errors } = await timed(filter, body);
    expect(outcome).toBe('invalid');
    expect(errors.length).toBeGreaterThan(0);
    expect(ms).toBeLessThan(300);
  });

  test('by lists within lists that must be unique', async () => {
    const parts = { properties: { children: { uniqueItems: true, items: { $ref: '#' } } } };
    let body: object = { part: 0, children: [] };
    for (let i = 1; i < 450; i++)
      body = {
        part: i,
        children: [body, ...Array.from({ length: 60 }, (_, n) => ({ part: `${i}-${n}`, text: 'x'.repeat(10) }))],
      };
    const { ms, outcome } = await timed(parts, body);
    expect(outcome).toBe('out');
    expect(ms).toBeLessThan(2_000);
  });
});

describe('uniqueItems', () => {
  test.each([
    [[1, 2, '1'], true],
    [[1, 1.0], false],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[{ a: 1 }, { a: '1' }], true],
    [
      [
        [1, 2],
        [1, 2],
      ],
      false,
    ],
    [[[1, 2], ['1,2']], true],
    [[null, 'null'], true],
    [[[], {}], true],
  ])('%j: %s', async (list, unique) => {
    expect(await fits({ uniqueItems: true }, list)).toBe(unique);
    expect(await fits({ uniqueItems: false }, list)).toBe(true);
  });
});

describe('a format', () => {
  test.each([
    ['date', '2024-02-29', true],
    ['date', '2023-02-29', false],
    ['date', '2024-13-01', false],
    ['date', '24-01-01', false],
    ['time', '23:59:60Z', true],
    ['time', '24:00:00Z', false],
    ['time', '12:00:00+02:00', true],
    ['time', '12:00:00', false],
    ['date-time', '2024-01-01T00:00:00.123Z', true],
    ['date-time', '2024-01-01 00:00:00Z', false],
    ['email', 'a.b+c@plant.example', true],
    ['email', 'a@b@c', false],
    ['email', '@b', false],
    ['email', `${'a'.repeat(65)}@b.c`, false],
    ['hostname', 'edge-7.local', true],
    ['hostname', '-a', false],
    ['hostname', 'a..b', false],
    ['ipv4', '10.0.0.1', true],
    ['ipv4', '10.0.0.256', false],
    ['ipv6', 'fd00::1', true],
    ['ipv6', '10.0.0.1', false],
    ['uri', 'https://a/b?c#d', true],
    ['uri', '/a', false],
    ['uri', 'a: b', false],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', true],
    ['uuid', '123e4567', false],
    ['date', 'x'.repeat(100_000), false],
  ])('%s of %s: %s', async (format, text, ok) => {
    expect(await fits({ format }, text)).toBe(ok);
  });
});

describe('a schema is refused', () => {
  test.each([
    ['that is a string', 'object', /expected a JSON Schema/],
    ['that is a list', [], /expected a JSON Schema/],
    ['with a wrong type', { type: 'text' }, /schema is not valid|in the schema/],
    ['with a misspelt keyword', { requird: ['a'] }, /unknown keyword: "requird"/],
    ['with an unknown format', { format: 'colour' }, /unknown format "colour".* expected one of date/],
    ['of another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, /2020-12/],
    ['that refers elsewhere', { $ref: 'https://example.com/schema.json' }, /remote references are not available/],
    ['that refers to a file', { $ref: 'file:///etc/passwd' }, /remote references are not available/],
    ['that refers to nothing in it', { $ref: '#/$defs/none' }, /not in it/],
    ['with look-around', { pattern: '(?!a)' }, /look-around/],
    ['with look-around in patternProperties', { patternProperties: { '(?!a)': true } }, /look-around/],
    ['that is asynchronous', { $async: true }, /\$async/],
    ['whose id would end a comment', { $id: '*/ process.exit(1) /*' }, /"\$id"/],
    [
      'whose inner id would end a comment',
      { $defs: { a: { $id: 'x*/ process.exit(1) /*', type: 'string' } }, $ref: '#/$defs/a' },
      /"\$id"/,
    ],
    ['that is too large', { enum: Array.from({ length: 2_001 }, (_, i) => i) }, /at most 2000 values/],
    ['that is too deep', nested(100), /at most 64 deep/],
    [
      'with too many patterns',
      { allOf: Array.from({ length: 101 }, () => ({ pattern: 'a' })) },
      /at most 100 patterns/,
    ],
  ])('%s', (_what, schema, says) => {
    expect(faultsOf(validate, { schema })).toEqual([expect.stringMatching(says)]);
  });

  function nested(depth: number): object {
    return depth === 0 ? {} : { not: nested(depth - 1) };
  }
});

describe('a schema may', () => {
  test.each([
    ['be true', true, 1, true],
    ['be false', false, 1, false],
    ['name its dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'number' }, 1, true],
    [
      'have an id and refer to itself',
      { $id: 'https://a/tree', type: 'object', properties: { c: { $ref: 'https://a/tree' } } },
      { c: { c: 1 } },
      false,
    ],
    [
      'carry the dialect’s own id without harm to others',
      { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'number' },
      1,
      true,
    ],
    [
      'use prefixItems, dependentRequired, unevaluatedProperties',
      { prefixItems: [{ type: 'number' }], items: false },
      [1, 2],
      false,
    ],
    ['use anchors', { $defs: { a: { $anchor: 'n', type: 'number' } }, $ref: '#n' }, 'x', false],
    [
      'use if, then, else',
      JSON.parse('{"if":{"type":"number"},"then":{"minimum":5},"else":{"type":"string"}}'),
      3,
      false,
    ],
  ])('%s', async (_what, schema, body, ok) => {
    expect(await fits(schema, body)).toBe(ok);
    expect(await fits({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'number' }, 1)).toBe(true);
  });
});
