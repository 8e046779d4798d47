import { NodeError } from '#sdk';
import type { BoundSql } from './rewrite.ts';
import type { Dialect } from './scan.ts';

/** Statements that only read data: ending them at the row limit loses nothing. */
const READS = new Set(['select', 'values', 'table', 'show', 'explain', 'describe', 'desc']);
/** Statements that change nothing in the session itself. After any other statement, the session is not reused. */
const CLEAN = new Set([...READS, 'insert', 'update', 'delete', 'with', 'replace', 'merge']);
/** Statements that begin or end a transaction. */
const CONTROL = new Set([
  'begin',
  'start',
  'commit',
  'end',
  'rollback',
  'abort',
  'savepoint',
  'release',
  'save',
  'xa',
  'prepare',
  'attach',
  'detach',
]);
/** All other statements may commit the previous ones implicitly. */
const MYSQL_IN_TRANSACTION = new Set([...CLEAN, 'do']);

/**
 * Statements that leave settings, locks, variables or tables in the session although their type usually does not. The
 * whole text is searched: a false match only costs a new session. A function in the database can hide such a statement.
 */
const KEEPS: Readonly<Record<Dialect, RegExp | null>> = {
  sqlite: null,
  postgresql:
    /\b(?:set_config|setseed|pg_(?:try_)?advisory_lock\w*|dblink\w*)\b|\binto\s+(?:(?:local|global)\s+)?temp/i,
  mysql: /\bget_lock\b|:=|\binto\s+@/i,
  sqlserver: /\binto\s+\[?#/i,
};

/**
 * Words of statements that change something although their transaction is read-only: a file of the server, or data in
 * a session of its own. The whole text is searched. A function in the database can hide such a statement.
 */
const LEAVES_TRANSACTION: Readonly<Record<Dialect, RegExp | null>> = {
  sqlite: null,
  postgresql: /\b(?:dblink\w*|lo_export|pg_file_\w+)\b/i,
  mysql: /\b(?:out|dump)file\b/i,
  sqlserver: null,
};

/** For a statement in a read-only transaction. Throws NodeError `sql_invalid`. */
export function refuseInReadOnly({ sql }: BoundSql, dialect: Dialect): void {
  const [word] = LEAVES_TRANSACTION[dialect]?.exec(sql) ?? [];
  if (word !== undefined)
    throw new NodeError('sql_invalid', `${word} can change something in a read-only transaction; expected none`);
}

export function leavesSessionClean({ sql, keyword }: BoundSql, dialect: Dialect): boolean {
  return CLEAN.has(keyword) && KEEPS[dialect]?.test(sql) !== true;
}

export function mayBeCut(keyword: string): boolean {
  return READS.has(keyword);
}

/** Throws NodeError `sql_invalid`. */
export function refuseOutright(keyword: string, dialect: Dialect): void {
  if (CONTROL.has(keyword) && !(dialect === 'sqlserver' && keyword === 'begin'))
    throw new NodeError('sql_invalid', `${keyword.toUpperCase()} cannot be run by itself; use a transaction`);
  if (dialect === 'postgresql' && keyword === 'copy')
    throw new NodeError('sql_invalid', 'COPY cannot be run here; use INSERT or SELECT');
  if (dialect === 'mysql' && keyword === 'load')
    throw new NodeError('sql_invalid', 'LOAD DATA cannot be run here; use INSERT');
}

/** Throws NodeError `sql_invalid` for a statement that would end the transaction. */
export function refuseInTransaction(keyword: string, dialect: Dialect): void {
  if (dialect === 'mysql' && !MYSQL_IN_TRANSACTION.has(keyword))
    throw new NodeError(
      'sql_invalid',
      `${keyword === '' ? 'this statement' : keyword.toUpperCase()} may end a transaction of this server; expected SELECT, INSERT, UPDATE, DELETE or REPLACE`,
    );
}
