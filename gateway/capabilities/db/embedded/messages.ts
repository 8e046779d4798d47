import type { NodeCode } from '#common/errors/node-codes.ts';
import type { QueryResult } from '#common/model/named-query.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import type { LogLimits } from './overrun.ts';

/** Between the gateway and the process that holds one project's database. */
export interface Job extends LogLimits {
  readonly id: number;
  /** SQL in SQLite's form with its values for `:p1`, `:p2`, … */
  readonly statements: readonly BoundSql[];
  readonly transaction: boolean;
  /** The statements can change nothing. */
  readonly readOnly: boolean;
  readonly rowsMax: number;
  /** By how many pages the file may grow. */
  readonly growPagesMax: number;
}

/** `pages`: of the file afterwards. */
export type Answer =
  | { readonly id: number; readonly results: QueryResult[]; readonly pages: number }
  | { readonly id: number; readonly code: NodeCode; readonly message: string };
