import { NodeError } from '#sdk';
import type { SqlValue } from '../contract.ts';
import { type Dialect, scanSql } from './scan.ts';

/** SQL in the syntax of the driver with its values in the order (and under the names) that the driver expects. */
export interface BoundSql {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly keyword: string;
}

/** How each driver writes the n-th distinct parameter (from 1). MySQL's form has no number: its values are repeated. */
const FORMS: Readonly<Record<Dialect, (index: number) => string>> = {
  sqlite: (index) => `:p${index}`,
  postgresql: (index) => `$${index}`,
  mysql: () => '?',
  sqlserver: (index) => `@p${index}`,
};

/**
 * Replaces `:name` with the placeholders of the driver. Throws NodeError `sql_invalid`, `param_missing` for a name
 * without a value, `param_unknown` for a value without a name.
 */
export function bindSql(sql: string, params: ReadonlyMap<string, SqlValue>, dialect: Dialect): BoundSql {
  const scanned = scanSql(sql, dialect);
  refuseMany(scanned.keyword, scanned.goesOnAfterSemicolon, dialect);
  const form = FORMS[dialect];
  const places = new Map<string, number>();
  const values: SqlValue[] = [];
  let text = '';
  for (const piece of scanned.pieces) {
    if ('text' in piece) {
      text += piece.text;
      continue;
    }
    const value = valueOf(piece.param, params);
    if (dialect === 'mysql' || !places.has(piece.param)) values.push(value);
    if (!places.has(piece.param)) places.set(piece.param, places.size + 1);
    text += form(places.get(piece.param) ?? 0);
  }
  const unknown = [...params.keys()].find((name) => !places.has(name));
  if (unknown !== undefined)
    throw new NodeError(
      'param_unknown',
      `there is a value for "${unknown.slice(0, 60)}", but the SQL has no such parameter`,
    );
  return { sql: text, values, keyword: scanned.keyword };
}

function valueOf(name: string, params: ReadonlyMap<string, SqlValue>): SqlValue {
  const value = params.get(name);
  if (value === undefined)
    throw new NodeError('param_missing', `the parameter "${name.slice(0, 60)}" has no value; expected one`);
  return value;
}

/** Statements that can contain a `;`, by their first word; an empty one is a comment that MySQL executes. */
const HOLDS_SEMICOLONS: Readonly<Record<Dialect, ReadonlySet<string> | null>> = {
  sqlite: null,
  postgresql: null,
  mysql: new Set(['create', 'alter', 'begin', 'if', 'case', 'loop', 'while', 'repeat', 'for', '']),
  sqlserver: new Set(['create', 'alter']),
};

/**
 * SQL Server would run several statements in one call, and MySQL reports the second one as a syntax error. PostgreSQL
 * reports the error itself; SQLite would silently ignore the rest (its worker checks this).
 */
function refuseMany(keyword: string, goesOn: boolean, dialect: Dialect): void {
  if (goesOn && HOLDS_SEMICOLONS[dialect]?.has(keyword) === false)
    throw new NodeError('sql_invalid', 'expected one statement; another one follows the ";"');
}
