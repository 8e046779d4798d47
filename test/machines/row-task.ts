import type { RowResult } from './results.ts';

/** One row to try, as fresh.ts gives it to try-row.ts. */
export interface RowTask {
  readonly id: string;
  readonly kind: RowResult['result']['kind'];
  /** A folder for this row alone; the result is left there as `result.json`. */
  readonly scratch: string;
  readonly log: string;
  readonly commit: string;
  /** Without the packages that npm fetched in earlier runs. */
  readonly cold: boolean;
  /** Test files, as Vitest takes them; '' for all. */
  readonly filter: string;
}
