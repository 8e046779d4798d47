import type { Database, SqlValue } from 'sql.js';

export type Row = Record<string, SqlValue>;

/** All rows of a query, by column name. The statement is freed whatever happens. */
export function all(db: Database, sql: string, params: SqlValue[] = []): Row[] {
  const statement = db.prepare(sql);
  try {
    statement.bind(params);
    const rows: Row[] = [];
    while (statement.step()) rows.push(statement.getAsObject());
    return rows;
  } finally {
    statement.free();
  }
}

/** The first row, or null. */
export function one(db: Database, sql: string, params: SqlValue[] = []): Row | null {
  return all(db, sql, params)[0] ?? null;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`the vault's column ${column} holds no text`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}
