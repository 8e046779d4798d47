import type { NodeCode } from '#common/errors/node-codes.ts';

/** Between the pattern thread and the gateway, one match at a time. */
export interface MatchJob {
  readonly pattern: string;
  readonly text: string;
}

/** Comes first: the time that the thread takes to start is not counted. */
export interface MatchBegun {
  /** CPU time of the thread so far. */
  readonly begunCpuMs: number;
}

export type MatchNews = MatchBegun | MatchEnd;

export type MatchEnd =
  | { readonly ok: true; readonly matches: boolean; readonly cpuMs: number }
  | { readonly ok: false; readonly code: NodeCode; readonly message: string };
