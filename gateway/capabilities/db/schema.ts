import type { DatabaseTable } from '#common/model/database-schema.ts';
import type { QueryResult } from '#common/model/named-query.ts';

/** The tables in the rows of an engine's `schemaSql`: `schema_name` (or null), `table_name`, `column_name`, `type_name`. */
export function tablesOf(rows: QueryResult['rows']): DatabaseTable[] {
  const tables: DatabaseTable[] = [];
  for (const row of rows) {
    const schema = row['schema_name'] === null ? null : textOf(row['schema_name']);
    const name = textOf(row['table_name']);
    const last = tables.at(-1);
    const table = last?.schema === schema && last.name === name ? last : { schema, name, columns: [] };
    if (table !== last) tables.push(table);
    table.columns.push({ name: textOf(row['column_name']), type: textOf(row['type_name']) });
  }
  return tables;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
