import type { NodeCode } from '#common/errors/node-codes.ts';
import type { QueryResult } from '#common/model/named-query.ts';
import type { BoundSql } from '../sql/rewrite.ts';
import type { LogLimits } from './overrun.ts';

/** Messages between the gateway and the process with the database of a project. */
export interface Job extends LogLimits {
  readonly id: number;
  /** SQL in the syntax of SQLite with its values for `:p1`, `:p2`, … */
  readonly statements: readonly BoundSql[];
  readonly transaction: boolean;
  /** The statements cannot change data. */
  readonly readOnly: boolean;
  readonly rowsMax: number;
  /** The number of pages by which the file may grow. */
  readonly growPagesMax: number;
}

/** `pages`: size of the file afterwards. */
export type Answer =
  | { readonly id: number; readonly results: QueryResult[]; readonly pages: number }
  | { readonly id: number; readonly code: NodeCode; readonly message: string };
