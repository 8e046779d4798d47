import { expect, test } from 'vitest';
import { NodeError } from '../kind.ts';
import { testRun } from '../testing.ts';
import { readSchema, schemaCheck } from './compile-schema.ts';
import { SLICE_MS } from './check-budget.ts';
import { steppedCheck } from './stepped-check.ts';

/** CPU time of this thread, in milliseconds: other programs on the machine do not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Checks in steps; `heldMs`: CPU time between two turns, the longest last. */
async function checkWatched(schema: unknown, value: unknown) {
  const run = testRun();
  const heldMs: number[] = [];
  const matched: string[] = [];
  let sinceMs = cpuMs();
  const pause = async <T>(next: () => Promise<T>): Promise<T> => {
    heldMs.push(cpuMs() - sinceMs);
    const result = await next();
    sinceMs = cpuMs();
    return result;
  };
  const errors = await steppedCheck(readSchema(schema))(value, {
    signal: run.signal,
    nextTurn: () => pause(() => run.nextTurn()),
    matches: (pattern, text) => (matched.push(pattern), pause(() => run.matches(pattern, text))),
  });
  heldMs.push(cpuMs() - sinceMs);
  return { errors, matched, heldMs: heldMs.toSorted((a, b) => a - b) };
}

const rows = Array.from({ length: 60_000 }, (_, n) => ({ id: n, name: `part ${n % 100}`, tags: ['a', 'b'] }));
const row = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, tags: { uniqueItems: true } } };
const text = 'a'.repeat(20_000);

test.each([
  ['rows', { items: row }, rows],
  ['rows by a reference', { $defs: { row }, items: { $ref: '#/$defs/row' } }, rows],
  ['unique rows', { uniqueItems: true }, rows],
  [
    'a wide object',
    { additionalProperties: { type: 'integer' } },
    Object.fromEntries(rows.map(({ name, id }) => [`${name}-${id}`, id])),
  ],
])('a check of %s lets other work run in between', async (_what, schema, value) => {
  const { errors, heldMs } = await checkWatched(schema, value);
  expect(errors).toBeNull();
  expect(heldMs.length).toBeGreaterThan(2);
  // Most of them: a garbage collection may occur in one.
  expect(heldMs.at(Math.floor(heldMs.length / 2))).toBeLessThan(4 * SLICE_MS);
});

test('an expensive match runs in another thread, a cheap one in the same', async () => {
  const { errors, matched } = await checkWatched({ items: { pattern: '(a|b)*a(a|b){20}$' } }, [text, 'a'.repeat(30)]);
  expect(errors).toBeNull();
  expect(matched).toEqual(['(a|b)*a(a|b){20}$']);
});

test('expensive matches have a time limit', async () => {
  const run = testRun();
  const matches = async () => ({ matches: true, cpuMs: 200 });
  const turns = { signal: run.signal, nextTurn: () => run.nextTurn(), matches };
  const check = steppedCheck(readSchema({ items: { pattern: '(a|b)*a(a|b){20}$' } }));
  expect(await check([text, text], turns)).toBeNull();
  expect(await check([text, text, text], turns)).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^takes too long to check: its texts/) }),
  ]);
});

test.each(['call_cancelled', 'patterns_unavailable', 'node_failed'] as const)(
  'a match that did not run does not decide the result: %s',
  async (code) => {
    const run = testRun();
    const matches = () => Promise.reject(new NodeError(code, 'not made'));
    const turns = { signal: run.signal, nextTurn: () => run.nextTurn(), matches };
    const check = steppedCheck(readSchema({ items: { pattern: '(a|b)*a(a|b){20}$' } }));
    await expect(check([text], turns)).rejects.toMatchObject({ code });
    const cost = () => Promise.reject(new NodeError('pattern_too_costly', 'too costly'));
    expect(await check([text], { ...turns, matches: cost })).toMatchObject([{ message: 'too costly' }]);
  },
);

test('a check of a cancelled run ends', async () => {
  const run = testRun();
  const check = steppedCheck(readSchema({ items: row }))(rows, run);
  run.controller.abort();
  await expect(check).rejects.toThrow('aborted');
});

test('interleaved checks of one schema keep their errors separate', async () => {
  const check = steppedCheck(readSchema({ items: row }));
  const run = testRun();
  const wrongAt = (index: number) => rows.with(index, { id: 'x' as never, name: '', tags: [] });
  const found = Promise.all([check(wrongAt(59_998), run), check(rows, run), check(wrongAt(59_999), run)]);
  expect(await check([{ id: 'x' }], run)).toHaveLength(1);
  expect((await found).map((errors) => errors?.map(({ instancePath }) => instancePath))).toEqual([
    ['/59998/id'],
    undefined,
    ['/59999/id'],
  ]);
});

/** Too many for a quick check. */
const MANY = Array.from({ length: 25_000 }, () => 0);

const SCHEMAS: readonly (object | boolean)[] = [
  { type: 'integer' },
  {
    anyOf: [
      { type: 'string', maxLength: 2 },
      { required: ['a'], properties: { a: { minimum: 3 } } },
    ],
  },
  { oneOf: [{ minLength: 2 }, { type: 'number', multipleOf: 0.01 }] },
  { not: { type: 'array' } },
  JSON.parse('{"if":{"type":"object"},"then":{"propertyNames":{"pattern":"^[a-c]$"}},"else":{"const":7}}') as object,
  { patternProperties: { '^a': { type: 'number' } }, additionalProperties: false },
  { type: ['array', 'null'], uniqueItems: true, contains: { type: 'number' }, minContains: 1, maxContains: 2 },
  { prefixItems: [{ type: 'string' }], items: false },
  { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
  { allOf: [{ prefixItems: [true] }], unevaluatedItems: { type: 'string' } },
  { dependentRequired: { a: ['b'] }, dependentSchemas: { b: { minProperties: 2 } } },
  { enum: [[1, 2], { a: 5 }, 'x', null] },
  { format: 'date' },
  { $dynamicAnchor: 'node', type: 'object', properties: { a: { $dynamicRef: '#node' } } },
  { $defs: { text: { $anchor: 't', type: 'string' } }, items: { $ref: '#t' }, properties: { a: { $ref: '#t' } } },
  false,
];
const VALUES = [
  null,
  7,
  7.001,
  3.5,
  '',
  'x',
  '😀',
  'abc',
  '2024-02-29',
  [],
  [1],
  [1, 2],
  [1, 1],
  ['x', 1, 2, 3],
  [[1], [1]],
  {},
  { a: 5 },
  { a: 'x' },
  { a: 5, b: 1 },
  { b: 1 },
  { d: 1 },
  { a: { a: { a: 1 } } },
  { 'a"self.slot.work.budget.spend(1);': 1 },
];

test.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema] as const))(
  '%s in steps finds the same errors',
  async (_text, schema) => {
    const own =
      typeof schema === 'object' && '$defs' in schema ? { $id: 'https://plant.example/part', ...schema } : schema;
    const long = { properties: { many: { items: { type: 'number' } }, value: own } };
    const [atOnce, inSteps] = [schemaCheck(readSchema(long)), steppedCheck(readSchema(long))];
    for (const value of VALUES) {
      const pending = inSteps({ many: MANY, value }, testRun());
      expect(pending).toBeInstanceOf(Promise);
      expect(await pending, JSON.stringify(value)).toEqual(atOnce({ many: MANY, value }));
    }
  },
);
