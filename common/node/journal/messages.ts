import type { MessagePort } from 'node:worker_threads';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { JournalFaults } from './file-ops.ts';
import type { RingEntry, RingSlot } from './ring.ts';

/** Messages between a writer and its thread. Rows, batches and probes are numbered from 1 on both sides. */
export interface ThreadData {
  port: MessagePort;
  folder: string;
  chain: ChainName;
  /** BigInt64Array [0]: batches up to this number are cancelled (their callers have been answered). */
  cancelled: SharedArrayBuffer;
  config: WriterConfig;
  ring: boolean;
  durableEveryMs: number;
  segmentBytesMax: number;
  faults: JournalFaults | null;
  /** Number of the first message for this thread. */
  firstMessage: number;
}

export interface WriterConfig {
  durability: 'process' | 'power';
}

export type ToThread =
  /** Rows, each with its line feed. */
  | string
  | { kind: 'batch'; text: string; slots: RingSlot[]; mark: number | null }
  /** An empty batch that checks whether the journal can be written. */
  | { kind: 'probe' }
  | { kind: 'configure'; config: WriterConfig }
  | { kind: 'close' };

/** Refusals in the ring that are not yet represented by a counted row. */
export interface RingState {
  seq: number;
  accounted: number;
  pending: RingEntry[];
}

export type FromThread =
  /** All messages up to this number are in the file. */
  | number
  | { kind: 'failed'; upTo: number; reason: string }
  | { kind: 'skipped'; upTo: number }
  /** `found`: the last batch in the chain before this thread wrote. */
  | { kind: 'opened'; found: ChainHead; ring: RingState | null }
  /** Synced to the disk. */
  | { kind: 'head'; head: ChainHead; clean: boolean }
  | { kind: 'warning'; reason: string }
  | { kind: 'closed' };
