import type { PoolFigures } from '#common/control/messages.ts';
import type { ConnectionSettings } from '#common/model/connection.ts';
import type { QueryResult } from '#common/model/named-query.ts';

/** The settings of a connection to a database server, the same for all engines. */
export type DatabaseSettings = Extract<ConnectionSettings, { database: string }>;

/**
 * Values that can be bound: a bigint is an integer, a number is a floating-point value. Objects and lists have been
 * converted to JSON text.
 */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null;

/** SQL as written by its author, with the values of its named parameters. */
export interface Statement {
  readonly sql: string;
  readonly params: ReadonlyMap<string, SqlValue>;
}

export interface Limits {
  readonly rowsMax: number;
  readonly timeoutMs: number;
  /** Ends the work with `call_cancelled`. */
  readonly signal: AbortSignal;
  /** The pipeline that makes the call; missing if it is a user. */
  readonly pipeline?: string;
}

/**
 * The database of one connection, for any engine. All methods throw NodeError: `param_missing`, `param_unknown`,
 * `sql_invalid`, `db_error`, `db_constraint`, `db_timeout`, `db_unreachable`, `db_pool_exhausted`, `call_cancelled`.
 */
export interface Database {
  /** A query for the columns of all tables and views (schema.ts), sorted by table. */
  readonly schemaSql: string;
  run(statement: Statement, limits: Limits): Promise<QueryResult>;
  /**
   * In a mode in which the data cannot be changed: `db_error` if the SQL tries to, `sql_invalid` if the engine has no
   * such mode.
   */
  read(statement: Statement, limits: Limits): Promise<QueryResult>;
  /** All statements, or none. */
  transaction(statements: readonly Statement[], limits: Limits): Promise<QueryResult[]>;
  procedure(name: string, params: ReadonlyMap<string, SqlValue>, limits: Limits): Promise<QueryResult>;
  /** Describes the server that responded. */
  probe(limits: Limits): Promise<string>;
  /** Null: it has no sessions, such as the embedded one. */
  figures(): PoolFigures | null;
  close(): Promise<void>;
}
