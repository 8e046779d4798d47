import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { AuditRow, ChainHead, ChainName } from '#common/model/audit.ts';
import {
  batchAt,
  batchHash,
  eachLine,
  isRow,
  lastSeal,
  parseHeader,
  parseLine,
  partName,
  segmentName,
  untorn,
  ZERO_HASH,
} from './format.ts';
import type { SealedBatch, SegmentHeader, UncleanStop } from './format.ts';
import type { PruneDetail } from './prune.ts';
import { segmentNumbers } from './recover.ts';

/**
 * Recomputes a whole chain from its oldest kept segment: every batch's hash, numbers without gaps, headers, part files
 * against the prune rows that vouch for them, and the heads that were anchored.
 *
 * Known weakness: part files whose prune row itself was dropped for age by the quota of kept rows are not vouched for.
 * A tail that was cut (or torn by zero bytes) after the last anchored head looks like an unclean stop, and is listed
 * as one.
 */
export interface ChainReport {
  chain: ChainName;
  segments: number;
  batches: number;
  rows: number;
  head: ChainHead | null;
  findings: string[];
  uncleanStops: UncleanStop[];
}

export interface ChainVerifyOptions {
  folder: string;
  chain: ChainName;
  /** Heads that must be in the chain unless pruned. */
  anchored: readonly ChainHead[];
  /** A writer has the chain open: the missing closing line and an unsealed tail mean nothing. */
  live: boolean;
}

const FINDINGS_MAX = 1_000;
const ATTEMPTS_MAX = 5;

export async function verifyChain(options: ChainVerifyOptions): Promise<ChainReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verifyOnce(options);
    } catch (error) {
      // A pruning may have replaced a segment since the folder was listed.
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!gone || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}

async function verifyOnce(options: ChainVerifyOptions): Promise<ChainReport> {
  const check = new ChainCheck(options);
  const { whole, pruned } = segmentNumbers(options.folder);
  const isPart = new Set(pruned);
  for (const segment of [...whole, ...pruned].toSorted((a, b) => a - b)) {
    const name = isPart.has(segment) ? partName(segment) : segmentName(segment);
    const bytes = await fs.promises.readFile(join(options.folder, name));
    if (isPart.has(segment)) check.part(segment, bytes);
    else check.segment(segment, bytes, segment === whole.at(-1));
  }
  check.absences(whole, pruned);
  check.anchors();
  return check.report;
}

class ChainCheck {
  readonly report: ChainReport;
  readonly #options: ChainVerifyOptions;
  #lastSegment = 0;
  #seq = 0;
  #hash = ZERO_HASH;
  #stopped = true;
  /** Bytes after the last seal of the segment before. */
  #unsealed = { from: 0, bytes: 0 };
  /** The newest prune row of each segment, and the highest segment that lost its kept rows. */
  readonly #prunings = new Map<number, PruneDetail>();
  /** Of those that were whole: what their last batch was. */
  readonly #prunedWhole = new Map<number, PruneDetail>();
  readonly #parts = new Map<number, string>();
  readonly #joints: { segment: number; prev: string; batch: number }[] = [];
  readonly #anchored: Map<number, ChainHead[]>;

  constructor(options: ChainVerifyOptions) {
    this.#options = options;
    this.report = {
      chain: options.chain,
      segments: 0,
      batches: 0,
      rows: 0,
      head: null,
      findings: [],
      uncleanStops: [],
    };
    this.#anchored = Map.groupBy(options.anchored, (head) => head.seq);
  }

  segment(segment: number, file: Buffer, newest: boolean): void {
    const bytes = newest ? untorn(file) : file;
    if (newest && lastSeal(bytes) === null) return this.#unsealedSegment(file.length);
    this.report.segments += 1;
    const header = parseHeader(bytes);
    if (header === null) this.#find(segment, null, 'the header line cannot be read');
    else this.#header(segment, header);
    this.#lastSegment = segment;
    let at = 0;
    try {
      for (let batch = batchAt(bytes, at); batch !== null; batch = batchAt(bytes, at)) {
        this.#batch(segment, bytes, batch);
        at = batch.end;
      }
    } catch (error) {
      this.#find(segment, this.#seq + 1, error instanceof Error ? error.message : String(error));
    }
    this.#unsealed = { from: at, bytes: file.length - at };
    if (newest) this.#tail();
  }

  /** A segment whose first batch was never whole: a crash left it, and the next start removes it. */
  #unsealedSegment(bytes: number): void {
    this.#unsealed = { from: 0, bytes };
    this.#tail();
  }

  part(segment: number, bytes: Buffer): void {
    this.#parts.set(segment, createHash('sha256').update(bytes).digest('hex'));
    this.#collectPrunings(bytes, 0, bytes.length);
  }

  /** Segments that are not whole must be vouched for by a prune row. */
  absences(whole: readonly number[], pruned: readonly number[]): void {
    const keptDroppedUpTo = Math.max(
      0,
      ...[...this.#prunings.values()].filter((p) => p.dropped === 'kept').map((p) => p.segment),
    );
    const last = Math.max(whole.at(-1) ?? 0, pruned.at(-1) ?? 0);
    const isWhole = new Set(whole);
    for (let segment = 1; segment <= last; segment++) {
      if (isWhole.has(segment)) continue;
      const pruning = this.#prunings.get(segment);
      const part = this.#parts.get(segment) ?? null;
      if (pruning === undefined && segment <= keptDroppedUpTo) continue;
      if (pruning === undefined) this.#find(segment, null, 'the segment is missing and no prune row accounts for it');
      else if (pruning.part !== part)
        this.#find(segment, null, 'what is left of the pruned segment differs from its prune row');
    }
    for (const { segment, prev, batch } of this.#joints) this.#joint(segment, prev, batch);
  }

  anchors(): void {
    for (const head of this.#options.anchored) {
      if (head.seq > this.#seq)
        this.#find(this.#lastSegment, head.seq, 'the batch was anchored and is missing: the tail was cut');
    }
  }

  #header(segment: number, header: SegmentHeader): void {
    const { chain } = this.#options;
    if (header.segment !== segment || header.chain !== chain) {
      this.#find(segment, null, `the header says it is segment ${header.segment} of chain ${header.chain}`);
    }
    if (segment === this.#lastSegment + 1) {
      if (header.prev !== this.#hash || header.batch !== this.#seq + 1)
        this.#find(segment, header.batch, 'the segment does not follow the one before');
      if (this.#unsealed.bytes > 0 && header.previous?.bytes !== this.#unsealed.from) {
        this.#find(segment - 1, null, `${this.#unsealed.bytes} bytes at the segment's end are not sealed`);
      }
      return;
    }
    this.#joints.push({ segment, prev: header.prev, batch: header.batch });
    this.#compareAnchored(segment, header.batch - 1, header.prev);
    this.#seq = header.batch - 1;
    this.#hash = header.prev;
  }

  /** A whole segment behind a pruned one goes on from the hash in that one's prune row. */
  #joint(segment: number, prev: string, batch: number): void {
    const pruning = this.#prunings.get(segment - 1);
    const before = this.#prunedWhole.get(segment - 1) ?? pruning;
    if (!before || before.hash === null || before.batches === null) return;
    if (before.hash !== prev || before.batches[1] !== batch - 1)
      this.#find(segment, batch, 'the segment does not follow the pruned one before');
  }

  #batch(segment: number, bytes: Buffer, batch: SealedBatch): void {
    const { seal } = batch;
    if (seal.seq !== this.#seq + 1) this.#find(segment, seal.seq, `batch ${this.#seq + 1} should be here`);
    if (batchHash(bytes, batch, this.#hash) !== seal.hash)
      this.#find(segment, seal.seq, 'the content does not match the seal');
    let rows = 0;
    let last = batch.start;
    eachLine(bytes, batch.start, batch.sealAt, (from) => {
      if (isRow(bytes, from)) rows += 1;
      last = from;
    });
    if (rows !== seal.rows) this.#find(segment, seal.seq, `the batch has ${rows} rows and its seal says ${seal.rows}`);
    this.#marks(bytes, batch, last);
    this.#compareAnchored(segment, seal.seq, seal.hash);
    this.report.batches += 1;
    this.report.rows += rows;
    this.#seq = seal.seq;
    this.#hash = seal.hash;
    this.report.head = { chain: this.#options.chain, seq: seal.seq, hash: seal.hash, time: seal.time };
  }

  #compareAnchored(segment: number, seq: number, hash: string): void {
    for (const head of this.#anchored.get(seq) ?? []) {
      if (head.hash !== hash) this.#find(segment, seq, 'the batch differs from the one that was anchored');
    }
  }

  /** Start, stop and prune lines of a batch. */
  #marks(bytes: Buffer, batch: SealedBatch, lastLine: number): void {
    this.#stopped = bytes.toString('latin1', lastLine, lastLine + 8) === '{"stop":';
    const start = bytes.indexOf('{"start":', batch.start);
    if (start >= 0 && start < batch.sealAt && (start === 0 || bytes[start - 1] === 10)) {
      const line = parseLine(bytes, start, bytes.indexOf('\n', start));
      if (line?.['unclean']) this.report.uncleanStops.push(line['unclean'] as UncleanStop);
    }
    this.#collectPrunings(bytes, batch.start, batch.sealAt);
  }

  #collectPrunings(bytes: Buffer, start: number, end: number): void {
    for (
      let at = bytes.indexOf('"type":"prune"', start);
      at >= 0 && at < end;
      at = bytes.indexOf('"type":"prune"', at + 1)
    ) {
      const from = bytes.lastIndexOf('\n', at) + 1;
      const row = parseLine(bytes, from, bytes.indexOf('\n', at)) as unknown as AuditRow | null;
      if (row?.type !== 'prune' || row.detail === undefined) continue;
      const detail = pruneDetail(row.detail);
      if (detail === null) continue;
      if (detail.batches !== null) this.#prunedWhole.set(detail.segment, detail);
      this.#prunings.set(detail.segment, detail);
    }
  }

  /** The end of the newest segment, when no writer has it open. */
  #tail(): void {
    if (this.#options.live || (this.#stopped && this.#unsealed.bytes === 0)) return;
    const from = this.report.head?.time ?? new Date(0).toISOString();
    this.report.uncleanStops.push({ from, to: new Date().toISOString(), bytesDropped: this.#unsealed.bytes });
  }

  #find(segment: number, batch: number | null, what: string): void {
    if (this.report.findings.length >= FINDINGS_MAX) return;
    const place = `${this.#options.chain} segment ${segment}${batch === null ? '' : `, batch ${batch}`}`;
    this.report.findings.push(`${place}: ${what}.`);
  }
}

function pruneDetail(text: string): PruneDetail | null {
  try {
    return JSON.parse(text) as PruneDetail;
  } catch {
    return null;
  }
}
