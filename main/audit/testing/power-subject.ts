import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditRow, ChainHead } from '#common/model/audit.ts';
import { realFileOps } from '#common/node/journal/file-ops.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { chainRows } from '#common/node/journal/read.ts';
import { slotText, readRing, RING_FILE, RingFile } from '#common/node/journal/ring.ts';
import { noAnchors } from '#common/node/journal/chain-anchors.ts';
import { pruneChain } from '#common/node/journal/prune.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import { SegmentWriter } from '#common/node/journal/segment-writer.ts';
import { verifyChain } from '#common/node/journal/verify.ts';
import { type ChainWriter, openWriter, type WriterOptions } from '#common/node/journal/writer.ts';
import { chainAnchors } from '../anchor-records.ts';
import { ANCHORS_LOG, AnchorsLog, readLog } from '../anchors-log.ts';
import { type PowerSubject, runWorkload } from '#test/power-subject.ts';

/** Marks in the journal's workloads: a row is in the chain, a refusal is in the ring, a head may be anchored. */
type JournalMark = { row: string; kept: boolean } | { slot: number } | { head: ChainHead };

const SEGMENT_BYTES = 3_000;
const CHAIN = 'gateway';

/**
 * A chain in `power` mode: batches one by one and several per turn, segments that fill up, a pruning, a clean end and a
 * second start. The anchors log must cover pruned rows.
 */
export const chainSubject = journalSubject(async (folder, done) => {
  const first = await open(folder, done);
  for (let batch = 0; batch < 14; batch++) await addRows(first, `one-${batch}`, 1 + (batch % 3), done);
  await first.close();
  const second = await open(folder, done);
  for (let batch = 0; batch < 10; batch++) await addRows(second, `two-${batch}`, 2, done);
  second.configure({ durability: 'power' });
  for (let batch = 0; batch < 10; batch++) await addRows(second, `three-${batch}`, 2, done);
  await prune(folder);
  await addRows(second, 'four', 2, done);
  await second.close();
});

/** A start on the state after a power cut, for the cut that happens during the start. */
export const againSubject = journalSubject(async (folder, done) => {
  const writer = await open(folder, done);
  for (let batch = 0; batch < 3; batch++) await addRows(writer, `again-${batch}`, 2, done);
  await writer.close();
});

/** Refusals that are only counted: in the ring until a counted row represents them. */
export const ringSubject = journalSubject(async (folder, done) => {
  const writer = await open(folder, done, { ring: true });
  for (let seq = 1; seq <= 4; seq++) await addSlot(writer, seq, done);
  await appended(writer, rowText('counted', 'refusal'), { mark: 4 });
  for (let seq = 5; seq <= 6; seq++) await addSlot(writer, seq, done);
  await writer.close();
});

const SUBJECTS: Readonly<Record<string, PowerSubject>> = {
  chain: chainSubject,
  // The same without a flush per batch.
  process: chainSubject,
  ring: ringSubject,
  again: againSubject,
};

function open(folder: string, done: (mark: JournalMark) => void, more: { ring?: boolean } = {}): Promise<ChainWriter> {
  const options: WriterOptions = {
    ...more,
    folder,
    chain: CHAIN,
    durability: process.argv[3] === 'process' ? 'process' : 'power',
    segmentBytesMax: SEGMENT_BYTES,
    durableEveryMs: 50,
    // A traced process is slow.
    ackMsMax: 20_000,
    onHead: (head) => done({ head }),
    onState: (state, reason) => {
      if (state === 'unavailable') throw new Error(`the journal is unavailable: ${reason}`);
    },
  };
  return openWriter(options);
}

function rowText(id: string, type: AuditRow['type']): string {
  const row: AuditRow = { time: new Date().toISOString(), type, requestId: id, path: `/${'x'.repeat(150)}` };
  return JSON.stringify(row);
}

async function addRows(writer: ChainWriter, id: string, count: number, done: (mark: JournalMark) => void) {
  const rows = Array.from({ length: count }, (_, at) => ({ row: `${id}-${at}`, kept: at === 1 }));
  await Promise.all(
    rows.map(async (mark) => {
      await appended(writer, rowText(mark.row, mark.kept ? 'admin' : 'use'));
      done(mark);
    }),
  );
  await nextTurn();
}

async function addSlot(writer: ChainWriter, seq: number, done: (mark: JournalMark) => void): Promise<void> {
  const row: AuditRow = { time: new Date().toISOString(), type: 'refusal', requestId: `r${seq}` };
  const text = slotText({ seq, fold: 'fold', count: seq, period: 1, row });
  await appended(writer, null, { slot: { seq, text } });
  done({ slot: seq });
}

function appended(writer: ChainWriter, line: string | null, extra: Parameters<ChainWriter['appendWith']>[1] = {}) {
  return new Promise<void>((resolve, reject) => {
    writer.appendWith(line, extra, (ok) => (ok ? resolve() : reject(new Error('the journal did not take a row'))));
  });
}

function journalSubject(workload: (folder: string, done: (mark: JournalMark) => void) => Promise<void>): PowerSubject {
  return { workload, check: (folder, marks) => check(folder, marks as readonly JournalMark[]) };
}

/** Checks the files after a power cut like `audit verify`, then like the next start, which continues with them. */
async function check(folder: string, marks: readonly JournalMark[]): Promise<void> {
  await expectWhole(folder, marks, []);
  const own = chainFolder(folder, CHAIN);
  const options = { folder: own, chain: CHAIN, powerSafe: true, segmentBytesMax: SEGMENT_BYTES } as const;
  const segments = new SegmentWriter(options, realFileOps);
  const ring = new RingFile(join(own, RING_FILE), realFileOps);
  try {
    segments.open();
    expectRing(folder, marks, segments.ring ?? 0);
    if (marks.some((mark) => 'slot' in mark)) ring.open();
    for (const id of ['after-1', 'after-2']) segments.append(`${rowText(id, 'admin')}\n`, null);
    segments.stop();
  } finally {
    segments.close();
    ring.close();
  }
  await expectWhole(folder, marks, ['after-1', 'after-2']);
  expectRing(folder, marks, segments.ring ?? 0);
}

async function expectWhole(folder: string, marks: readonly JournalMark[], more: readonly string[]): Promise<void> {
  const own = chainFolder(folder, CHAIN);
  const anchored = marks.flatMap((mark) => ('head' in mark ? [mark.head] : []));
  const records = readLog(join(folder, ANCHORS_LOG), LOG_KEY)?.records ?? [];
  const anchors = chainAnchors(records, CHAIN);
  const { findings } = await verifyChain({ folder: own, chain: CHAIN, anchored, anchors, live: false });
  if (findings.length > 0) throw new Error(`false findings: ${findings.join(' ')}`);
  const rows = await rowsOf(own, () => true);
  const found = new Set(rows.map(({ requestId }) => requestId));
  const pruned = records.length > 0;
  const wanted = marks.flatMap((mark) => ('row' in mark && (mark.kept || !pruned) ? [mark.row] : []));
  const lost = [...wanted, ...more].filter((id) => !found.has(id));
  if (lost.length > 0) throw new Error(`lost: ${lost.join(', ')}`);
}

const LOG_KEY = Buffer.alloc(32, 1);

/** As the host prunes: each step is in the anchors log before a file is removed. */
async function prune(folder: string): Promise<void> {
  const log = new AnchorsLog(join(folder, ANCHORS_LOG), LOG_KEY, readLog(join(folder, ANCHORS_LOG), LOG_KEY));
  const own = chainFolder(folder, CHAIN);
  const newest = (segmentNumbers(own).whole.at(-1) ?? 0) - 2;
  const options = { folder: own, days: 90, maxBytes: 2 * SEGMENT_BYTES, keptBytesMax: 2 ** 30, newest };
  await pruneChain({ ...options, anchors: noAnchors() }, ({ segment, dropped, part }) =>
    log.append([{ kind: 'prune', time: new Date().toISOString(), chain: CHAIN, segment, dropped, part }]),
  );
}

async function rowsOf(own: string, wanted: (line: string) => boolean): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of chainRows(own, wanted)) rows.push(row);
  return rows;
}

function expectRing(folder: string, marks: readonly JournalMark[], sealed: number): void {
  const { accounted, entries } = readRing(join(chainFolder(folder, CHAIN), RING_FILE));
  const known = new Set(entries.map(({ seq }) => seq));
  const lost = marks.filter(
    (mark) => 'slot' in mark && mark.slot > Math.max(accounted, sealed) && !known.has(mark.slot),
  );
  if (lost.length > 0) throw new Error(`lost refusals: ${JSON.stringify(lost)}`);
}

if (import.meta.main) await runWorkload(SUBJECTS[process.argv[3] ?? '']?.workload);
