import type { NodeCode } from '#common/errors/node-codes.ts';

/** Messages between the pattern thread and the gateway, one match at a time. */
export interface MatchJob {
  readonly pattern: string;
  readonly text: string;
}

/** Sent first: the start of the thread does not count. */
export interface MatchBegun {
  /** CPU time of the thread so far. */
  readonly begunCpuMs: number;
}

export type MatchNews = MatchBegun | MatchEnd;

export type MatchEnd =
  | { readonly ok: true; readonly matches: boolean; readonly cpuMs: number }
  | { readonly ok: false; readonly code: NodeCode; readonly message: string };
