import type { NodeCode } from '#common/errors/node-codes.ts';
import type { Aggregate } from '#common/capabilities/calls.ts';
import type { Stored } from '../form.ts';

export interface SeriesWish {
  readonly path: string;
  /** False for a tag that is no longer defined; such a tag exists only if it has points. */
  readonly defined: boolean;
}

/** A query with all names resolved. Times are milliseconds since 1970; the range is `[from, to)`. */
export interface HistoryRequest {
  readonly project: string;
  readonly series: readonly SeriesWish[];
  readonly from: number;
  readonly to: number;
  /** Milliseconds per bucket; null: one bucket for the whole range. */
  readonly stepMs: number | null;
  readonly aggregate: Aggregate;
  /** The limit of points per series. */
  readonly limit: number;
  /** The time until which the last value of a series holds. */
  readonly now: number;
}

/** Points of one series by column, with values as they are stored. */
export interface SeriesColumns {
  readonly path: string;
  /** The type as recorded; '' if nothing was recorded. */
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

/** Codes of a NodeError. A cancelled query gets no response. */
export type FromReader =
  | { readonly id: number; readonly series: readonly SeriesColumns[] }
  | { readonly id: number; readonly code: NodeCode; readonly message: string };
