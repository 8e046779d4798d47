import type { LogContent } from './anchors-log.ts';
import type { Anchors, AnchorsRead } from './anchors.ts';

export interface AnchorState {
  read: AnchorsRead;
  content: LogContent | null;
  hasJournal: boolean;
  /** No sign of an earlier anchors log: a new journal, or one of a release up to 1.1. */
  isNew: boolean;
}

/** Faults of the anchors file and the anchors log themselves, each as a sentence. */
export function anchorFaults({ read, content, hasJournal, isNew }: AnchorState): string[] {
  const faults: string[] = [];
  if (read.kind === 'unreadable')
    faults.push('The anchors file cannot be opened: it was changed or belongs to another vault.');
  if (read.kind === 'missing' && hasJournal) faults.push('The anchors file is missing although there is a journal.');
  if (content === null && !isNew && hasJournal) faults.push('The anchors log is missing although there is a journal.');
  if (content !== null && content.fault !== null) faults.push(content.fault);
  if (read.kind === 'read' && content !== null) faults.push(...positionFault(read.anchors, content));
  return faults;
}

function positionFault({ log: position, next }: Anchors, { positions, records }: LogContent): string[] {
  // A crash in the first start, between the log's first records and the anchors file.
  if (position === undefined && records.length <= 2 && records[0]?.kind === 'takeover') return [];
  if (position === undefined)
    return [
      'The anchors file was last written by a release without an anchors log, or it was replaced by an earlier one.',
    ];
  const known = positions.find(({ n }) => n === position.n);
  const hasNext = next !== undefined && positions.some(({ n, mac }) => n === next.n && mac === next.mac);
  if (known?.mac !== position.mac && !hasNext)
    return ['The newest records were cut off from the anchors log, or it was replaced by an earlier one.'];
  const last = positions.at(-1)?.mac;
  if (records.at(-1)?.kind !== 'stop' || last === position.mac || last === next?.mac) return [];
  return ['The anchors file is older than the anchors log: it was replaced by an earlier one.'];
}
