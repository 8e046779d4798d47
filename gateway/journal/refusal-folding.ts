import { hash } from 'node:crypto';
import type { AuditRow } from '#common/model/audit.ts';
import type { RingState } from '#common/node/journal/messages.ts';
import { RING_SLOTS, slotText } from '#common/node/journal/ring.ts';
import type { ChainWriter } from '#common/node/journal/writer.ts';
import { rowText } from './rows.ts';

/**
 * Folds repeated refusals (docs/spec/journal.md#refusals): per fold key, the first 10 of a minute get single rows; the
 * others are counted and become one row at the end of the minute. Every refusal is in the ring before it is
 * acknowledged, with the count so far, so that a crash loses none: counts in the ring beyond its mark are written at
 * the next start.
 *
 * Counting periods: `#owed` holds the counts for the next counted rows. An attempt to write them ends a period. Ring
 * slots count within their period, so that the counts of a failed attempt and the later ones add up after a crash. Only
 * one attempt is in progress at a time, because a mark says that everything before it is accounted for.
 *
 * Limits, so that no flood of refusals displaces kept rows: single rows of 50 refusals per second over all callers,
 * paths of 256 characters, and 4,096 fold keys per minute, with one counted row for all others. Before the ring
 * overwrites the last slot of an outstanding count, everything is written too. Rows that are not refusals (preflights)
 * are folded in the same way but get no slot: they must not displace the explanations of refusals, and a crash may lose
 * up to a minute of their count.
 */
export const SINGLES_MAX = 10;
const FOLD_KEYS_MAX = 4_096;
export const SINGLES_PER_SECOND_MAX = 50;
const PATH_CHARS_MAX = 256;
const SECOND_MS = 1_000;
const RING_MARGIN = 100;
/** The journal's writer takes another 5 s, and the host does not wait long. */
const CLOSE_MS_MAX = 2_000;
export const FOLD_PERIOD_MS = 60_000;

interface Owed {
  fold: string;
  row: AuditRow;
  /** Refusals that the next counted row represents, and those of them in the current period. */
  count: number;
  inPeriod: number;
  from: string;
  lastSeq: number;
}

export class RefusalFolding {
  readonly #writer: ChainWriter;
  readonly #minute = new Map<string, { fold: string; singles: number }>();
  /** By fold; the one with the oldest count comes first. */
  #owed = new Map<string, Owed>();
  /** Fold keys beyond those that are kept share one fold, without single rows: one for refusals, one for all others. */
  readonly #beyond = {
    refusals: { fold: foldOf('beyond'), singles: SINGLES_MAX },
    others: { fold: foldOf('beyond, no refusals'), singles: SINGLES_MAX },
  };
  #second = { at: -Infinity, singles: 0 };
  #seq = 0;
  #period = 0;
  #writing: Promise<boolean> | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(writer: ChainWriter, periodMs = FOLD_PERIOD_MS) {
    this.#writer = writer;
    this.#timer = setInterval(() => this.#minuteEnds(), periodMs);
    this.#timer.unref();
    if (writer.ring) this.opened(writer.ring);
  }

  /** The journal was opened: writes the counts that a crash left in the ring. Counts of this process are unchanged. */
  opened(ring: RingState): void {
    const first = this.#period === 0;
    this.#seq = Math.max(this.#seq, ring.seq);
    if (!first) return;
    this.#period = Math.max(0, ...ring.pending.map((entry) => entry.period)) + 1;
    for (const owed of owedInRing(ring)) this.#owed.set(owed.fold, owed);
    if (this.#owed.size > 0) void this.write();
  }

  refuse(row: AuditRow, foldKey: string, done: (ok: boolean) => void): void {
    if (this.#writer.state !== 'ok') {
      process.nextTick(done, false);
      return;
    }
    const minute = this.#minuteOf(foldKey, row);
    row = clipped(row);
    const single = minute.singles < SINGLES_MAX && this.#mayBeSingle();
    const inRing = row.type === 'refusal';
    if (inRing) this.#seq += 1;
    if (single) minute.singles += 1;
    const count = single ? 0 : this.#count(minute.fold, row);
    if (!single && !inRing) {
      process.nextTick(done, true);
      return;
    }
    const slot = () => ({
      seq: this.#seq,
      text: slotText({ seq: this.#seq, fold: minute.fold, count, period: this.#period, row }),
    });
    this.#writer.appendWith(single ? rowText(row) : null, inRing ? { slot: slot() } : {}, done);
    if (this.#oldestIsInDanger()) void this.write();
  }

  /** Writes outstanding counts as counted rows. Resolves with false if that failed; they are then still outstanding. */
  write(): Promise<boolean> {
    if (this.#writing) return this.#writing;
    if (this.#owed.size === 0) return Promise.resolve(true);
    if (this.#writer.state !== 'ok') return Promise.resolve(false);
    const writing = this.#writeOwed().finally(() => (this.#writing = null));
    this.#writing = writing;
    return writing;
  }

  /** Writes outstanding counts if the disk accepts them soon. Otherwise the ring has them for the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#writer.state !== 'ok') return;
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS_MAX);
    await Promise.race([this.#writeLast(), tooLate]);
    clearTimeout(timer);
  }

  async #writeLast(): Promise<void> {
    await this.#writing;
    await this.write();
  }

  #minuteOf(foldKey: string, { type }: AuditRow): { fold: string; singles: number } {
    const known = this.#minute.get(foldKey);
    if (known) return known;
    if (this.#minute.size >= FOLD_KEYS_MAX) return type === 'refusal' ? this.#beyond.refusals : this.#beyond.others;
    const minute = { fold: foldOf(foldKey), singles: 0 };
    this.#minute.set(foldKey, minute);
    return minute;
  }

  #mayBeSingle(): boolean {
    const now = performance.now();
    if (now - this.#second.at >= SECOND_MS) this.#second = { at: now, singles: 0 };
    this.#second.singles += 1;
    return this.#second.singles <= SINGLES_PER_SECOND_MAX;
  }

  #minuteEnds(): void {
    this.#minute.clear();
    void this.write();
  }

  /** Counts one more and moves the fold to the end; resolves to the count within this period. */
  #count(fold: string, row: AuditRow): number {
    const owed = this.#owed.get(fold) ?? { fold, row, count: 0, inPeriod: 0, from: row.time, lastSeq: 0 };
    owed.row = row;
    owed.count += 1;
    owed.inPeriod += 1;
    if (row.type === 'refusal') owed.lastSeq = this.#seq;
    this.#owed.delete(fold);
    this.#owed.set(fold, owed);
    return owed.inPeriod;
  }

  #oldestIsInDanger(): boolean {
    const oldest = this.#owed.values().next().value;
    return oldest !== undefined && oldest.lastSeq > 0 && this.#seq - oldest.lastSeq >= RING_SLOTS - RING_MARGIN;
  }

  async #writeOwed(): Promise<boolean> {
    const owed = this.#owed;
    this.#owed = new Map();
    this.#period += 1;
    const text = [...owed.values()].map((entry) => rowText(countedRow(entry))).join('\n');
    // A unique number, even if no refusal was added since the last: it shows whether a lost thread wrote them.
    const mark = (this.#seq += 1);
    const ok = await new Promise<boolean>((settled) => this.#writer.appendWith(text, { mark, settled }, () => {}));
    if (!ok) this.#oweAgain(owed);
    return ok;
  }

  #oweAgain(failed: Map<string, Owed>): void {
    const since = this.#owed;
    this.#owed = failed;
    for (const entry of failed.values()) entry.inPeriod = 0;
    for (const entry of since.values()) {
      const before = failed.get(entry.fold);
      if (before) Object.assign(entry, { count: entry.count + before.count, from: before.from });
      failed.delete(entry.fold);
      failed.set(entry.fold, entry);
    }
  }
}

function foldOf(foldKey: string): string {
  return hash('sha256', foldKey, 'base64url').slice(0, 16);
}

/** Any caller can make the path long, including its copy in the compared values. */
function clipped(row: AuditRow): AuditRow {
  const { path, why } = row;
  if ((path?.length ?? 0) <= PATH_CHARS_MAX && !longText(why)) return row;
  const compared = Object.entries(why?.compared ?? {}).map(([name, value]) => [name, clip(value)]);
  return {
    ...row,
    ...(path !== undefined && { path: clip(path) }),
    ...(why && { why: { ...why, compared: Object.fromEntries(compared) } }),
  };
}

function longText(why: AuditRow['why']): boolean {
  return Object.values(why?.compared ?? {}).some((value) => typeof value === 'string' && value.length > PATH_CHARS_MAX);
}

function clip<T>(value: T): T | string {
  if (typeof value !== 'string' || value.length <= PATH_CHARS_MAX) return value;
  return `${value.slice(0, PATH_CHARS_MAX - 1)}…`;
}

function countedRow({ row, count, from }: Owed): AuditRow {
  const { requestId: _id, clientRequestId: _clientId, durationMs: _ms, bytesIn: _in, bytesOut: _out, ...rest } = row;
  return { ...rest, time: new Date().toISOString(), count, detail: `${count} from ${from} to ${row.time}` };
}

/** Counts in the ring beyond its mark, per fold: the highest count of each period, added up. */
function owedInRing(ring: RingState): Owed[] {
  const folds = new Map<string, Owed & { periods: Map<number, number> }>();
  for (const { fold, count, period, row, seq } of ring.pending) {
    const known = folds.get(fold);
    const periods = known?.periods ?? new Map<number, number>();
    periods.set(period, Math.max(periods.get(period) ?? 0, count));
    folds.set(fold, { fold, row, count: 0, inPeriod: 0, from: known?.from ?? row.time, lastSeq: seq, periods });
  }
  return [...folds.values()].map(({ periods, ...owed }) => ({
    ...owed,
    count: [...periods.values()].reduce((a, b) => a + b, 0),
  }));
}
