import type { QueryResult } from '#common/model/named-query.ts';
import type { SqlValue } from './contract.ts';
import type { RowCollector } from './rows.ts';
import type { BoundSql } from './sql/rewrite.ts';
import type { Dialect } from './sql/scan.ts';

/** One connection to a server, used by one call at a time. */
export interface Session {
  /** False once it is closed or broken. */
  readonly usable: boolean;
  /** `mayCut`: no changes are lost if the statement is ended at the row limit. */
  query(bound: BoundSql, rows: RowCollector, mayCut: boolean): Promise<QueryResult>;
  procedure(name: string, params: ReadonlyMap<string, SqlValue>, rows: RowCollector): Promise<QueryResult>;
  begin(): Promise<void>;
  /** Throws NodeError `sql_invalid` if the server has no read-only transactions. */
  beginReadOnly(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** True while a transaction is open on it, as far as the server reports. */
  readonly inTransaction: boolean;
  ping(): Promise<void>;
  /** Resets everything that a procedure may have set for the session. */
  reset(): Promise<void>;
  /** Cancels the running statement. The session is closed afterwards: a late cancellation would hit the next statement. */
  cancel(): Promise<void>;
  close(): void;
}

export interface Engine {
  readonly dialect: Dialect;
  /** The server's name and version, in a query with one row and one column. */
  readonly versionSql: string;
  /** See `Database`. */
  readonly schemaSql: string;
  /** Dials within `connectMs`; throws NodeError `db_unreachable`, `target_refused`, `target_unknown`. */
  open(): Promise<Session>;
}
