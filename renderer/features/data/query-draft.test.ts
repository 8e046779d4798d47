import { expect, test } from 'vitest';
import { namedQuery } from '#common/model/named-query.ts';
import { draftOf, isChanged, missingParams, movedParam, queryOf, testParams, type Param } from './query-draft.ts';

const param = (name: string, more: Partial<Param> = {}): Param => ({ name, type: 'text', optional: false, ...more });
const query = namedQuery.parse({ id: 'q', sql: 'SELECT 1', rowsMax: 5, timeout: 2.5 });

test('a query is read back from its form unchanged, and a change is detected', () => {
  expect(queryOf(draftOf(query))).toEqual(query);
  expect(isChanged(query, draftOf(query))).toBe(false);
  expect(isChanged(query, { ...draftOf(query), rowsMax: '6' })).toBe(true);
  expect(namedQuery.parse({ ...queryOf(draftOf(null)), id: 'x', sql: 'SELECT 1' })).toMatchObject({ timeout: 10 });
});

test('undeclared parameters of the SQL are found, outside quotes, comments and casts', () => {
  const sql = `SELECT ':no', id::text, /* :no */ "a:no" FROM t -- :no
    WHERE a = :a AND b=:b AND c = :a`;
  expect(missingParams({ sql, params: [param('b')] })).toEqual(['a']);
});

test('a parameter moves by one position and stays inside the list', () => {
  const params = [param('a'), param('b'), param('c')];
  const names = (list: Param[]) => list.map(({ name }) => name).join('');
  expect([names(movedParam(params, 0, 1)), names(movedParam(params, 2, -1))]).toEqual(['bac', 'acb']);
  expect([names(movedParam(params, 0, -1)), names(movedParam(params, 2, 1))]).toEqual(['abc', 'abc']);
});

test('an empty field is NULL, except for a required text', () => {
  const params = [
    param('a'),
    param('b', { optional: true }),
    param('c', { type: 'integer' }),
    param('d', { type: 'json' }),
  ];
  expect(testParams(params, { c: '7', d: '[1]' })).toEqual({
    kind: 'params',
    params: { a: '', b: null, c: '7', d: [1] },
  });
  expect(testParams(params, { d: '[' })).toEqual({ kind: 'not-json', name: 'd' });
});
