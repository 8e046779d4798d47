import { expect, test } from 'vitest';
import type { RunRecord } from '#common/model/records.ts';
import { draftOf, nodeAt } from './kinds.testing.ts';
import { mappingOf } from './known-paths.ts';
import { sqlColumns } from './sql-columns.ts';

const step = (node: string, port: string, input: unknown, output: unknown) => ({ node, port, input, output });
const runOf = (...steps: object[]) => [{ steps }] as unknown as RunRecord[];
const pathsAt = (draft: ReturnType<typeof draftOf>, id: string, queries: [string, string][] = []) =>
  mappingOf(draft, id, [], new Map(queries)).paths.map(({ path }) => path);

const SCHEMA = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: 'string' } } };
const DRAFT = draftOf(
  [
    nodeAt('rest-api:in', 0, 0, { mode: 'ingress', urlPattern: '/lines/:line/orders', headerWhitelist: ['X-Shift'] }),
    nodeAt('validate:check', 0, 0, { schema: SCHEMA }),
    nodeAt('named-query:find', 0, 0, { query: 'by-id' }),
    nodeAt('transform:shape', 0, 0),
    nodeAt('log:end', 0, 0),
  ],
  ['in out check', 'check out find', 'find out shape', 'shape out end'],
);

test('the preceding nodes provide paths: parameters of the route, fields of the schema, columns of the query', () => {
  const paths = pathsAt(DRAFT, 'shape', [['by-id', 'SELECT id, o.state, count(*) AS total FROM orders']]);
  expect(paths).toContain('payload.params.line');
  expect(paths).toContain('payload.headers.x-shift');
  expect(paths).toContain('payload.body.note');
  expect(paths).toContain('payload.result.rows.0.total');
  expect(paths).toContain('caller.name');
});

test('a Transform hides the paths of the nodes before it', () => {
  expect(pathsAt(DRAFT, 'end').filter((path) => path.startsWith('payload.'))).toEqual([]);
});

test('the port decides the paths: an error has its code, an invalid message its errors', () => {
  const draft = draftOf(
    [nodeAt('validate:check', 0, 0, { schema: SCHEMA }), 'log:bad', 'log:failed'],
    ['check invalid bad', 'check error failed'],
  );
  expect(pathsAt(draft, 'bad')).toContain('payload.body.errors');
  expect(pathsAt(draft, 'bad')).not.toContain('payload.body.id');
  expect(pathsAt(draft, 'failed')).toContain('error.code');
});

test('paths of the newest run come first, each with its value, and a list has its first entry', () => {
  const input = { payload: { body: { id: 'A-1', lines: [{ sku: 'cap' }, { sku: 'box' }], 'a.b': 1 } } };
  const { paths, message } = mappingOf(DRAFT, 'find', runOf(step('find', 'out', input, null)), new Map());
  expect(message).toEqual(input);
  expect(paths.slice(0, 3)).toEqual([
    { path: 'payload', value: input.payload },
    { path: 'payload.body', value: input.payload.body },
    { path: 'payload.body.id', value: 'A-1' },
  ]);
  expect(paths).toContainEqual({ path: 'payload.body.lines.0.sku', value: 'cap' });
  expect(paths).toContainEqual({ path: String.raw`payload.body.a\.b`, value: 1 });
  expect(new Set(paths.map(({ path }) => path)).size).toBe(paths.length);
});

test('a node that has not run yet gets the message that the preceding node sent to its port', () => {
  const runs = runOf(step('check', 'invalid', null, { payload: { status: 400 } }));
  expect(mappingOf(DRAFT, 'find', runs, new Map()).message).toBeNull();
  const valid = runOf(step('check', 'out', null, { payload: { body: { id: 'B' } } }));
  expect(mappingOf(DRAFT, 'find', valid, new Map()).message).toEqual({ payload: { body: { id: 'B' } } });
});

test.each([
  ['SELECT id, "Order No", t.state AS s FROM orders t', ['id', 'Order No', 's']],
  ['select round(a, 2) as a, count(*) total from x', ['a', 'total']],
  ["INSERT INTO o (id) VALUES (:id) RETURNING id -- , 'x'", ['id']],
  ['SELECT * FROM orders', []],
  ['SELECT 1 + 1 FROM x', []],
  ['UPDATE orders SET a = 1', []],
])('columns of %s', (sql, columns) => expect(sqlColumns(sql)).toEqual(columns));

test('a missing kind with the name of an inherited property of objects has no paths', () => {
  const draft = draftOf([nodeAt('constructor:odd', 0, 0, { mode: 'x' }), 'log:end'], ['odd out end']);
  expect(pathsAt(draft, 'end')).toContain('payload');
});

test('a statement without a list of columns is rejected quickly', () => {
  const from = performance.now();
  sqlColumns(`SELECT ${'a'.repeat(9_900)}!`);
  sqlColumns('/*'.repeat(5_000));
  expect(performance.now() - from).toBeLessThan(500);
});
