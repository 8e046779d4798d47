import type { Stored } from '../form.ts';

/** A tag of a project as stored in the file. */
export interface SeriesName {
  readonly project: string;
  readonly path: string;
  readonly unit: string;
}

/**
 * Points by column; `series` contains indexes into `names`. Later points replace earlier ones of the same tag and time.
 */
export interface PointBatch {
  readonly names: readonly SeriesName[];
  readonly series: readonly number[];
  readonly times: readonly number[];
  readonly forms: readonly number[];
  readonly values: readonly Stored[];
}

export interface WriterOptions {
  readonly file: string;
  readonly retentionDays: number;
  readonly bytesMax: number;
  readonly pruneEveryMs: number;
}

export type ToWriter =
  | { readonly kind: 'batch'; readonly id: number; readonly batch: PointBatch }
  | { readonly kind: 'forget'; readonly id: number; readonly project: string }
  | { readonly kind: 'close' };

/** The ID of the thread's first message: the file is open, or the reason why not. */
export const OPENED = 0;

/**
 * Each message except `close` is answered once, in order; `error` is null when the requested change is on disk.
 * `retention` is sent when it begins to fail and, with null, when it works again.
 */
export type FromWriter = { readonly id: number; readonly error: string | null } | { readonly retention: string | null };
