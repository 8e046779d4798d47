import type { ChainHead } from '#common/model/audit.ts';

/** The part of a chain that the host's anchors log covers; a chain is verified against it (verify.ts). */
export interface ChainAnchors {
  /** The newest anchored batch; null: none. */
  head: ChainHead | null;
  /** The last host stopped cleanly: nothing may follow `head`. */
  sealed: boolean;
  /** Rows up to this batch, and segments up to this one, are of a release without such a log. */
  takenOver: { segment: number; seq: number; hash: string } | null;
  /** How each closed segment ends. */
  closed: Map<number, SegmentEnd>;
  closedUpTo: number;
  /** SHA-256 (hex) of what is left of a pruned segment; null: nothing is left. */
  prunes: Map<number, string | null>;
  /** SHA-256 (hex) of part files that were to be removed: a crash may have left them. */
  removed: Map<number, string>;
  /** All segments up to this one are gone. */
  gone: number;
  /** Batches that were found behind the last anchor. */
  beyond: Beyond[];
}

/** The last batch of a segment, and the length of its file when it was anchored. */
export interface SegmentEnd {
  seq: number;
  hash: string;
  bytes: number;
  /** Of kept rows, and the time of its last batch. */
  keptBytes: number;
  to: string;
}

export interface Beyond {
  from: number;
  to: number;
  /** They follow a clean stop, so nobody but a forger can have written them. */
  sealed: boolean;
  rows: number;
  noticedAt: string;
  /** Where the last of them is, and its hash. */
  segment: number;
  hash: string;
}

/** `part` is left of a segment from now on. */
export function notePruning({ prunes, removed }: ChainAnchors, segment: number, part: string | null): void {
  const before = prunes.get(segment);
  if (part === null && before) removed.set(segment, before);
  prunes.set(segment, part);
}

export function noAnchors(): ChainAnchors {
  return {
    head: null,
    sealed: false,
    takenOver: null,
    closed: new Map(),
    closedUpTo: 0,
    prunes: new Map(),
    removed: new Map(),
    gone: 0,
    beyond: [],
  };
}
