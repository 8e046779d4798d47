import type { PoolFigures } from '#common/control/messages.ts';
import type { ConnectionSettings } from '#common/model/connection.ts';
import type { QueryResult } from '#common/model/named-query.ts';

/** The settings of a connection to a database server; they are alike for all engines. */
export type DatabaseSettings = Extract<ConnectionSettings, { database: string }>;

/**
 * Values that can be bound: a bigint is an integer, a number is a floating-point value. Objects and lists have been
 * converted to JSON text.
 */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null;

/** SQL as its author wrote it, with the values of its `:name`s. */
export interface Statement {
  readonly sql: string;
  readonly params: ReadonlyMap<string, SqlValue>;
}

export interface Limits {
  readonly rowsMax: number;
  readonly timeoutMs: number;
  /** Ends the work with `call_cancelled`. */
  readonly signal: AbortSignal;
}

/**
 * One database behind one connection, whatever its engine. All throw NodeError: `param_missing`, `param_unknown`,
 * `sql_invalid`, `db_error`, `db_constraint`, `db_timeout`, `db_unreachable`, `db_pool_exhausted`, `call_cancelled`.
 */
export interface Database {
  run(statement: Statement, limits: Limits): Promise<QueryResult>;
  /** Where it can change no data of the database: `db_error` if it tries, `sql_invalid` where there is no such place. */
  read(statement: Statement, limits: Limits): Promise<QueryResult>;
  /** All of them, or none. */
  transaction(statements: readonly Statement[], limits: Limits): Promise<QueryResult[]>;
  procedure(name: string, params: ReadonlyMap<string, SqlValue>, limits: Limits): Promise<QueryResult>;
  /** Says what answered. */
  probe(limits: Limits): Promise<string>;
  /** Null: it has no sessions, such as the embedded one. */
  figures(): PoolFigures | null;
  close(): Promise<void>;
}
