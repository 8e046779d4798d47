import type { NodeCode } from '#common/errors/node-codes.ts';
import type { Aggregate } from '#common/capabilities/calls.ts';
import type { Stored } from '../form.ts';

export interface SeriesWish {
  readonly path: string;
  /** False for a tag that is no longer defined: it is known only if it has points. */
  readonly defined: boolean;
}

/** A query with everything resolved. Times are milliseconds since 1970; the range is `[from, to)`. */
export interface HistoryRequest {
  readonly project: string;
  readonly series: readonly SeriesWish[];
  readonly from: number;
  readonly to: number;
  /** Milliseconds of one bucket; null = one for the whole range. */
  readonly stepMs: number | null;
  readonly aggregate: Aggregate;
  /** Points of one series. */
  readonly limit: number;
  /** Up to when a value is held that no point has followed. */
  readonly now: number;
}

/** Points of one series, column by column; values as they are stored. */
export interface SeriesColumns {
  readonly path: string;
  /** As it was recorded; '' when it never was. */
  readonly unit: string;
  readonly times: number[];
  readonly forms: number[];
  readonly values: Stored[];
  truncated: boolean;
}

export type ToReader =
  | { readonly kind: 'query'; readonly id: number; readonly msMax: number; readonly request: HistoryRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

/** Codes as a NodeError has them. A query that was cancelled is not answered. */
export type FromReader =
  | { readonly id: number; readonly series: readonly SeriesColumns[] }
  | { readonly id: number; readonly code: NodeCode; readonly message: string };
