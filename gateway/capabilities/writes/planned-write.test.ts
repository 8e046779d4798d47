import { describe, expect, test } from 'vitest';
import { CALL_WRITES, callWrites, resultOf } from './planned-write.ts';
import { writtenTable } from './written-table.ts';

describe('the table that a statement changes', () => {
  test.each([
    ['INSERT INTO orders (id) VALUES (:id)', 'orders'],
    ['-- note\n/* and */ insert or replace into "Line 7".[Orders] values (1)', 'line 7.orders'],
    ['UPDATE dbo.orders SET n = 1', 'dbo.orders'],
    ['DELETE FROM `orders`', 'orders'],
    ['WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone', 'orders'],
    ['MERGE INTO stock USING orders ON 1 = 1', 'stock'],
    ['SELECT * INTO backup FROM orders', 'backup'],
    ['TRUNCATE TABLE orders', 'orders'],
    ['EXEC book', ''],
    ['/*! INSERT INTO orders VALUES (1) */', 'orders'],
    ['SELECT * FROM orders WHERE id = :id FOR UPDATE', null],
    ['with a as (select 1) select * from a', null],
    ['', ''],
  ])('%s', (sql, table) => expect(writtenTable(sql)).toBe(table));
});

test.each([
  String.raw`UPDATE users SET token = 'it\'s secret' WHERE id = 1`,
  'UPDATE users SET token = "secret" WHERE id = 1',
  'UPDATE users SET token = $$secret$$ WHERE id = 1',
  'UPDATE users SET token = $t$secret$t$ WHERE id = 1',
])('no text of SQL is recorded, however it is quoted: %s', (sql) => {
  const writes = CALL_WRITES['db.sql']({ connection: 'mes', sql, params: {} }, () => null);
  expect(writes).toMatchObject([{ to: 'UPDATE users SET token = …' }]);
});

test('SQL is recorded without its texts, and only statements that change something', () => {
  const writes = CALL_WRITES['db.transaction'](
    {
      connection: 'mes',
      statements: [
        { sql: "INSERT INTO users VALUES ('o''brien', 'pass')", params: {} },
        { sql: 'SELECT 1', params: {} },
      ],
    },
    () => null,
  );
  expect(writes).toEqual([{ kind: 'database', thing: 'mes/users', device: 'mes', to: 'INSERT INTO users VALUES (…' }]);
});

test('an outgoing call is recorded without its path and query, unless its method changes nothing', () => {
  const url = new URL('https://mes.example/hooks/secret?token=secret');
  expect(callWrites('POST', url)).toEqual([{ kind: 'call', thing: 'POST https://mes.example' }]);
  expect(callWrites('GET', url)).toEqual([]);
});

test('the value of a call says what became of its write', () => {
  expect(resultOf('vars.increment', 8)).toEqual({ to: 8 });
  expect(resultOf('vars.compareAndSet', false)).toEqual({ result: 'not_performed' });
  expect(resultOf('vars.compareAndSet', true)).toEqual({});
  expect(resultOf('http.request', { status: 201 })).toEqual({ status: 201 });
});
