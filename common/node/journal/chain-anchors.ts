import type { ChainHead } from '#common/model/audit.ts';

/** The part of a chain that the host's anchors log covers; a chain is verified against it (verify.ts). */
export interface ChainAnchors {
  /** The newest anchored batch; null: no batch is anchored. */
  head: ChainHead | null;
  /** The last host stopped cleanly: no batch may follow `head`. */
  sealed: boolean;
  /** Rows up to this batch, and segments up to this one, are of a release without an anchors log. */
  takenOver: { segment: number; seq: number; hash: string } | null;
  /** The end of each closed segment. */
  closed: Map<number, SegmentEnd>;
  closedUpTo: number;
  /** SHA-256 (hex) of the remaining part of a pruned segment; null: no part is left. */
  prunes: Map<number, string | null>;
  /** SHA-256 (hex) of part files that were about to be removed: a crash may have left them. */
  removed: Map<number, string>;
  /** All segments up to this one were removed. */
  gone: number;
  /** Batches that were found after the last anchor. */
  beyond: Beyond[];
}

/** The last batch of a segment, and the length of its file when it was anchored. */
export interface SegmentEnd {
  seq: number;
  hash: string;
  bytes: number;
  /** Bytes of kept rows, and the time of the last batch. */
  keptBytes: number;
  to: string;
}

export interface Beyond {
  from: number;
  to: number;
  /** They follow a clean stop, so they must be forged. */
  sealed: boolean;
  rows: number;
  noticedAt: string;
  /** Position and hash of the last of them. */
  segment: number;
  hash: string;
}

/** From now on, `part` is what remains of the segment. */
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
