import { expect, test } from 'vitest';
import { onlyTableOf } from './only-table.ts';

test.each([
  ['INSERT INTO orders (id, n) VALUES (:id, 7)', 'orders'],
  ["insert into dbo.Orders (id) values ('a'), (NULL) ;", 'dbo.Orders'],
  ['UPDATE orders SET n = n + :by, done = TRUE WHERE id = :id AND n IS NOT NULL', 'orders'],
  ['DELETE FROM orders', 'orders'],
  ['DELETE FROM orders WHERE id >= -1.5', 'orders'],
])('%s changes only its table', (sql, table) => expect(onlyTableOf(sql)).toBe(table));

test.each([
  'SELECT 1',
  'DELETE FROM orders; DROP TABLE t',
  'DELETE FROM orders DROP TABLE t',
  'UPDATE orders SET n = 1 DELETE FROM t',
  'UPDATE orders SET n = f()',
  'UPDATE orders SET n = (SELECT 1 FROM t)',
  'UPDATE orders SET n = 1 FROM t',
  'INSERT INTO orders SELECT * FROM t',
  'INSERT INTO orders (id) VALUES (:id) ON CONFLICT DO NOTHING',
  'INSERT INTO orders (id) VALUES (:id) RETURNING f()',
  String.raw`UPDATE orders SET a = '\', b = '; DROP TABLE t; -- '`,
  "UPDATE orders SET a = 'x' -- '\n; DROP TABLE t",
  'DELETE FROM orders /* x */',
  'DELETE FROM "orders"',
  'WITH gone AS (DELETE FROM t) DELETE FROM orders',
  'EXEC book',
  'TRUNCATE TABLE orders',
  '',
])('%s may change anything', (sql) => expect(onlyTableOf(sql)).toBeNull());

test('a long text that fits no form is rejected quickly', () => {
  const sql = `UPDATE t SET ${'a = 1, '.repeat(1_400)}!`;
  const beganMs = performance.now();
  expect([onlyTableOf(sql), onlyTableOf(`DELETE FROM t WHERE ${' '.repeat(9_900)}!`)]).toEqual([null, null]);
  expect(performance.now() - beganMs).toBeLessThan(500);
});
