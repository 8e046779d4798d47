import { expect, test } from 'vitest';
import { sqlEffect } from './sql-effect.ts';

test.each([
  'SELECT * FROM weights WHERE id = :id',
  '-- the newest\n  select 1',
  '/* one * star */ /**/ VALUES (1)',
  'SELECT 1;\n',
  'EXPLAIN SELECT 1',
])('reads: %s', (sql) => expect(sqlEffect(sql)).toBe('reads'));

test.each([
  'INSERT INTO weights (grams) VALUES (:grams)',
  '-- SELECT\nupdate weights SET grams = 1',
  '/* SELECT */ DELETE FROM weights',
  'create table t (a int)',
])('writes: %s', (sql) => expect(sqlEffect(sql)).toBe('writes'));

test.each([
  '',
  ':name',
  'WITH old AS (SELECT 1) SELECT * FROM old',
  'SELECT 1; DROP TABLE weights',
  'SELECT * INTO copy FROM weights',
  'EXPLAIN ANALYZE DELETE FROM weights',
  '/*! DELETE FROM weights */ SELECT 1',
  'SELECT 1 /*!50000 INTO OUTFILE "x" */',
  'CALL refill(1)',
  '# SELECT\nEXEC refill',
])('may write: %s', (sql) => expect(sqlEffect(sql)).toBe('may-write'));

test('many comments at the beginning do not take long', () => {
  const begun = performance.now();
  expect(sqlEffect(`${'/* * */'.repeat(2_000)}SELECT 1`)).toBe('reads');
  expect(sqlEffect(`/*${'*'.repeat(60_000)}`)).toBe('may-write');
  expect(performance.now() - begun).toBeLessThan(1_000);
});
