import type { RowResult } from './results.ts';

/** One row to test, as passed from fresh.ts to try-row.ts. */
export interface RowTask {
  readonly id: string;
  readonly kind: RowResult['result']['kind'];
  /** A folder for this row only; the result is written there as `result.json`. */
  readonly scratch: string;
  readonly log: string;
  readonly commit: string;
  /** Without the packages that npm fetched in earlier runs. */
  readonly cold: boolean;
  /** Test files in the syntax of Vitest; '' for all. */
  readonly filter: string;
}
