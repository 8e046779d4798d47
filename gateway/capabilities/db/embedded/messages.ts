import type { QueryResult } from '#common/model/named-query.ts';
import type { SqlValue } from '../contract.ts';

/** Between the gateway and the process that holds one project's database. */
export interface Job {
  readonly id: number;
  /** SQL in SQLite's form with its values for `:p1`, `:p2`, … */
  readonly statements: readonly { readonly sql: string; readonly values: readonly SqlValue[] }[];
  readonly transaction: boolean;
  readonly rowsMax: number;
}

export type Answer =
  | { readonly id: number; readonly results: QueryResult[] }
  | { readonly id: number; readonly code: string; readonly message: string };
