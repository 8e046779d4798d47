import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { ChainAnchors, SegmentEnd } from '#common/node/journal/chain-anchors.ts';
import { noAnchors, notePruning } from '#common/node/journal/chain-anchors.ts';

/** The records of the anchors log (anchors-log.ts). */
export type AnchorRecord = { time: string } & (
  | { kind: 'takeover'; why: 'new journal' | 'earlier release'; heads: SegmentHead[] }
  /** Writers may continue after these heads. */
  | { kind: 'start' }
  /** Nothing may follow these heads until the next `start`. */
  | { kind: 'stop'; heads: ChainHead[] }
  /** A closed segment ends with this batch. */
  | ({ kind: 'segment'; bytes: number; keptBytes: number; to: string } & SegmentHead)
  /** The remaining part of a segment: the SHA-256 (hex) of its part file, or null. */
  | { kind: 'prune'; chain: ChainName; segment: number; dropped: string; part: string | null }
  /** Batches that were found after the last anchor: the chain continues after them. */
  | ({ kind: 'beyond'; from: number; sealed: boolean; rows: number } & SegmentHead)
  /** All segments up to this one were removed (remaining record of a rewritten log). */
  | { kind: 'gone'; chain: ChainName; upTo: number }
);

/** The last batch of a segment. */
export interface SegmentHead {
  chain: ChainName;
  segment: number;
  seq: number;
  hash: string;
}

const BEYOND_MAX = 1_000;

export function chainAnchors(records: readonly AnchorRecord[], chain: ChainName): ChainAnchors {
  const anchors = noAnchors();
  for (const record of records) apply(anchors, record, chain);
  return anchors;
}

/** Follows one more record. */
export function apply(anchors: ChainAnchors, record: AnchorRecord, chain: ChainName): void {
  switch (record.kind) {
    case 'start':
      anchors.sealed = false;
      return;
    case 'stop':
      for (const head of record.heads) if (head.chain === chain) Object.assign(anchors, { sealed: true, head });
      return;
    case 'takeover':
      for (const head of record.heads) if (head.chain === chain) takeOver(anchors, head, record.time);
      return;
    case 'segment':
    case 'prune':
    case 'beyond':
    case 'gone':
      if (record.chain === chain) applyToChain(anchors, record);
  }
}

function applyToChain(anchors: ChainAnchors, record: Extract<AnchorRecord, { chain: ChainName }>): void {
  switch (record.kind) {
    case 'segment':
      anchors.closed.set(record.segment, endOf(record));
      anchors.closedUpTo = record.segment;
      raise(anchors, record, record.time);
      return;
    case 'prune':
      notePruning(anchors, record.segment, record.part);
      return;
    case 'beyond': {
      const { from, seq: to, sealed, rows, time, segment, hash } = record;
      if (anchors.beyond.length < BEYOND_MAX)
        anchors.beyond.push({ from, to, sealed, rows, noticedAt: time, segment, hash });
      anchors.closedUpTo = record.segment - 1;
      raise(anchors, record, time);
      return;
    }
    case 'gone':
      anchors.gone = record.upTo;
  }
}

function endOf({ seq, hash, bytes, keptBytes, to }: Extract<AnchorRecord, { kind: 'segment' }>): SegmentEnd {
  return { seq, hash, bytes, keptBytes, to };
}

function takeOver(anchors: ChainAnchors, { chain, segment, seq, hash }: SegmentHead, time: string): void {
  anchors.takenOver = { segment, seq, hash };
  anchors.closedUpTo = Math.max(0, segment - 1);
  if (seq > 0) anchors.head = { chain, seq, hash, time };
}

function raise(anchors: ChainAnchors, { chain, seq, hash }: SegmentHead, time: string): void {
  if (seq >= (anchors.head?.seq ?? 0)) anchors.head = { chain, seq, hash, time };
}

/** The minimal records with the same meaning for two chains; segments and prunings only for existing files. */
export function compacted(
  chains: ReadonlyMap<ChainName, { anchors: ChainAnchors; oldest: number }>,
  time: string,
): AnchorRecord[] {
  const records: AnchorRecord[] = [];
  for (const [chain, { anchors, oldest }] of chains) {
    const { takenOver } = anchors;
    const gone = Math.max(anchors.gone, oldest - 1);
    if (takenOver) records.push({ time, kind: 'takeover', why: 'earlier release', heads: [{ chain, ...takenOver }] });
    for (const { from, to: seq, sealed, rows, noticedAt, segment, hash } of anchors.beyond)
      records.push({ time: noticedAt, kind: 'beyond', chain, from, seq, sealed, rows, segment, hash });
    records.push({ time, kind: 'gone', chain, upTo: gone });
    for (const [segment, end] of anchors.closed)
      // Includes the segment before the oldest one, whose first batch refers to it.
      if (segment >= gone) records.push({ time, kind: 'segment', chain, segment, ...end });
    for (const [segment, part] of anchors.prunes)
      if (segment > gone) records.push({ time, kind: 'prune', chain, segment, dropped: '', part });
  }
  return [...records, { time, kind: 'start' }];
}
