import { expect, test } from 'vitest';
import { wireOf } from '#common/model/wire-text.ts';
import type { KindManifest } from '#common/control/messages.ts';
import type { Draft } from '../model/draft.ts';
import { nodeOf } from '../model/kinds.testing.ts';
import { SAVED_TESTS_MAX, type SavedTest } from '#common/model/saved-test.ts';
import { forgetTestsOfBrowser, testsOfBrowser, withTest } from './saved-tests.ts';
import { entriesOf, pathOf, readQuery, readRequest, requestOf, sampleRequest } from './test-request.ts';
import { writesOf } from './writes.ts';

const schema = { type: 'object', required: ['orderId'], properties: { orderId: { const: 'A-1' } } };
const draft: Draft = {
  id: 'p',
  name: 'P',
  runAs: 'caller',
  grants: [],
  nodes: [
    nodeOf('in', 'rest-api', { method: 'POST', urlPattern: '/lines/:line/orders', headerWhitelist: ['X-Trace'] }),
    nodeOf('check', 'validate', { schema }),
    nodeOf('row', 'sql', { sql: 'x' }),
    nodeOf('erp', 'rest-api', { mode: 'egress', url: 'https://erp.werk2.example/orders' }),
    nodeOf('bonus', 'counter'),
    nodeOf('tick', 'timer'),
    nodeOf('lone', 'tag-write', { writes: [{ tag: 'line1/speed', value: 1 }] }),
  ],
  wires: ['in out check', 'check valid row', 'row out erp', 'tick out bonus', 'bonus out lone'].map(wireOf),
};
const manifest = (id: string, input: boolean, scopes: string[] = []) =>
  [id, { id, input, ports: ['out'], scopes } as unknown as KindManifest] as const;
const kinds = new Map([
  manifest('rest-api', false),
  manifest('validate', true),
  manifest('sql', true, ['db:write']),
  manifest('timer', false),
  manifest('counter', true, ['vars:write']),
  manifest('tag-write', true),
]);
const [order, tick] = entriesOf(draft, kinds);
if (order === undefined || tick === undefined) throw new Error('the draft has two entries');

test('a test can begin at routes and triggers', () => {
  expect([order.node, order.route?.params, order.route?.headers]).toEqual(['in', ['line'], ['x-trace']]);
  expect([tick.node, tick.route]).toEqual(['tick', null]);
  expect(entriesOf(draft, kinds)).toHaveLength(2);
});

test('the sample matches the schema of the path, and typed text becomes the message', () => {
  const sample = sampleRequest(draft, order);
  expect(JSON.parse(sample.body)).toEqual({ orderId: 'A-1' });
  const typed = { ...sample, params: { line: '7 b' }, headers: { 'x-trace': '' }, query: '?tag=a&tag=b&dry=1' };
  expect(readRequest(typed, order)).toEqual({
    ok: true,
    message: {
      node: 'in',
      payload: { body: { orderId: 'A-1' }, params: { line: '7 b' }, query: { tag: ['a', 'b'], dry: '1' }, headers: {} },
    },
  });
  expect(pathOf('/lines/:line/orders', typed)).toBe('/lines/7%20b/orders?tag=a&tag=b&dry=1');
});

test('text that is not JSON, and a trigger payload that is not an object, are refused', () => {
  expect(readRequest({ ...sampleRequest(draft, order), body: '{' }, order)).toMatchObject({ ok: false, fault: 'json' });
  expect(readRequest({ ...sampleRequest(draft, tick), body: '7' }, tick)).toMatchObject({ ok: false, fault: 'object' });
  expect(readRequest({ ...sampleRequest(draft, order), body: '' }, order)).toMatchObject({
    message: { payload: { body: null } },
  });
});

test('a stored run is converted back to a request', () => {
  const payload = { body: { a: 1 }, params: { line: '7' }, query: { tag: ['a', 'b'] }, headers: { 'x-trace': 't' } };
  const request = requestOf('in', { payload });
  expect(request && readRequest(request, order)).toEqual({ ok: true, message: { node: 'in', payload } });
  expect(requestOf('tick', { payload: { time: 1 } })?.body).toContain('"time": 1');
  expect(requestOf('in', null)).toBeNull();
});

test('an empty query has no parameters', () => {
  expect(readQuery('')).toEqual({});
});

test('writes are listed for all nodes that the message can reach, once for each destination', () => {
  expect(writesOf(draft, 'in', kinds, null)).toEqual([
    { what: 'databaseMaybe', where: 'embedded' },
    { what: 'call', where: 'erp.werk2.example' },
  ]);
  expect(writesOf(draft, 'tick', kinds, null)).toEqual([
    { what: 'other', where: 'bonus' },
    { what: 'tag', where: 'line1/speed' },
  ]);
});

test('a partial test writes only in its part, and a pinned node writes nothing', () => {
  const database = { what: 'databaseMaybe', where: 'embedded' };
  expect(writesOf(draft, 'in', kinds, null, { upTo: 'row' })).toEqual([database]);
  expect(writesOf(draft, 'row', kinds, null, { only: 'row' })).toEqual([database]);
  expect(writesOf(draft, 'in', kinds, null, { upTo: 'in' })).toEqual([]);
  expect(writesOf(draft, 'in', kinds, null, { pins: { row: { port: 'out', payload: 1 } } })).toEqual([
    { what: 'call', where: 'erp.werk2.example' },
  ]);
});

test('the effect of SQL is read from its text, and unknown SQL may write', () => {
  const queries = new Map([
    ['save-weight', { sql: 'INSERT INTO weights VALUES (:grams)', connection: 'mes' }],
    ['newest', { sql: 'SELECT 1', connection: 'mes' }],
    ['odd', { sql: 'CALL refill()', connection: 'mes' }],
  ]);
  const writes = (kind: string, settings: Record<string, unknown>, known: typeof queries | null = queries) =>
    writesOf(
      { ...draft, nodes: [nodeOf('in', 'rest-api'), nodeOf('n', kind, settings)], wires: WIRED },
      'in',
      kinds,
      known,
    );
  expect(writes('named-query', { query: 'save-weight' })).toEqual([{ what: 'database', where: 'mes' }]);
  expect(writes('named-query', { query: 'newest' })).toEqual([]);
  expect(writes('named-query', { query: 'odd' })).toEqual([{ what: 'databaseMaybe', where: 'mes' }]);
  expect(writes('named-query', { query: 'newest' }, null)).toEqual([{ what: 'databaseMaybe', where: 'newest' }]);
  expect(writes('sql', { sql: 'SELECT 1', connection: 'mes' })).toEqual([]);
  expect(writes('sql', { sql: 'DELETE FROM a', connection: 'mes' })).toEqual([{ what: 'database', where: 'mes' }]);
  const statements = [{ sql: 'SELECT 1' }, { sql: 'UPDATE a SET b = 1' }];
  expect(writes('transaction', { statements })).toEqual([{ what: 'database', where: 'embedded' }]);
  expect(writes('stored-procedure', { procedure: 'p' })).toEqual([{ what: 'databaseMaybe', where: 'embedded' }]);
});
const WIRED = [{ from: 'in', port: 'out', to: 'n' }];

test('tests that an earlier release kept in the browser are read, and other entries are ignored', () => {
  const held = new Map<string, string>();
  const storage = {
    getItem: (key: string) => held.get(key) ?? null,
    removeItem: (key: string) => void held.delete(key),
  };
  const saved: SavedTest = { name: 'good', request: sampleRequest(draft, order), expected: 201 };
  const place = { user: 'u1', project: 'a', pipeline: 'p' };
  expect(testsOfBrowser(storage, place)).toEqual([]);
  held.set('sluice.tests.u1/a/p', JSON.stringify([saved]));
  expect(testsOfBrowser(storage, place)).toEqual([saved]);
  expect(testsOfBrowser(storage, { ...place, pipeline: 'other' })).toEqual([]);
  expect(testsOfBrowser(storage, { ...place, user: 'u2' })).toEqual([]);
  forgetTestsOfBrowser(storage, place);
  expect(testsOfBrowser(storage, place)).toEqual([]);
  held.set('sluice.tests.u1/a/p', '[{"name":1}]');
  expect(testsOfBrowser(storage, place)).toEqual([]);
  held.set('sluice.tests.u1/a/p', '{');
  expect(testsOfBrowser(storage, place)).toEqual([]);
});

test('a saved test replaces the one with the same name, and the oldest is removed at the limit', () => {
  const saved: SavedTest = { name: 'good', request: sampleRequest(draft, order), expected: 201 };
  expect(withTest([saved], { ...saved, expected: 400 })).toEqual([{ ...saved, expected: 400 }]);
  const many = Array.from({ length: SAVED_TESTS_MAX }, (_, at) => ({ ...saved, name: `${at}` }));
  expect(withTest(many, saved)).toHaveLength(SAVED_TESTS_MAX);
});

test('credentials typed for a test are not saved with it', () => {
  const typed = { ...sampleRequest(draft, order), headers: { authorization: 'Bearer pw', 'x-line': '7' } };
  const test: SavedTest = { name: 'good', request: typed, expected: 201 };
  const kept = { ...typed, headers: { authorization: '', 'x-line': '7' } };
  expect(withTest([], test)).toEqual([{ ...test, request: kept }]);
});
