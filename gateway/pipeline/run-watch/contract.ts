import type { BlockedNode } from '#common/node/blocked-node.ts';

/** Counts each turn of the event loop's timer, and identifies the node whose code is running; 0: none. */
export const TURNS_CELL = 0;
export const NODE_CELL = 1;
export const CELLS = 2;

export interface WatchOptions {
  /** CELLS numbers of 32 bits. */
  readonly memory: SharedArrayBuffer;
  readonly file: string;
  readonly blockedMs: number;
}

/** `place` null: the node is closed. */
export interface MarkMessage {
  readonly id: number;
  readonly place: BlockedNode | null;
}

/** Intervals in which the event loop signals that it is running, and the thread checks. Milliseconds. */
export const LOOK_MS = 500;
/** A loop that was silent for this long is blocked; well before the host ends a silent gateway (10 s). Milliseconds. */
export const BLOCKED_MS = 3_000;
