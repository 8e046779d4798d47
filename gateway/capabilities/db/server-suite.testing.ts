import { expect } from 'vitest';
import { namedQuery } from '#common/model/named-query.ts';
import type { Bench } from './testing.ts';

/** The schema has the columns of a table, and no table of the server itself. `integer`: the server's name of the type. */
export async function expectTablesListed(bench: Bench, connection: string, integer: string): Promise<void> {
  await bench.sql('CREATE TABLE listed (id int PRIMARY KEY, note text)');
  const { tables, truncated } = await bench.databases.schema('p', connection);
  expect(truncated).toBe(false);
  expect(tables.filter(({ name }) => name === 'listed')).toEqual([
    {
      schema: null,
      name: 'listed',
      columns: [
        { name: 'id', type: integer },
        { name: 'note', type: 'text' },
      ],
    },
  ]);
  expect(tables.some(({ schema }) => schema === 'information_schema')).toBe(false);
}

/** A test run that may only read refuses the statements, which would change the table `read_only` or escape the mode. */
export async function expectReadOnly(bench: Bench, connection: string, statements: readonly string[]): Promise<void> {
  const attempt = (sql: string) =>
    bench.databases.tryQuery('p', namedQuery.parse({ id: 'draft', connection, sql }), {}, true);
  await bench.sql('CREATE TABLE read_only (n int)');
  await bench.sql('INSERT INTO read_only VALUES (7)');
  for (const sql of statements) {
    const found: unknown = await attempt(sql).catch((error: unknown) => error);
    expect([sql, found]).toEqual([
      sql,
      expect.objectContaining({ code: expect.stringMatching(/db_error|sql_invalid/) }),
    ]);
  }
  expect((await attempt('SELECT n FROM read_only')).rows).toEqual([{ n: 7 }]);
  expect((await bench.sql('DELETE FROM read_only')).rowCount).toBe(1);
}
