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
import type { ChainAnchors } from './chain-anchors.ts';
import type { SealedBatch, SegmentHeader, UncleanStop } from './format.ts';
import type { PruneDetail } from './prune.ts';
import { segmentNumbers } from './recover.ts';

/**
 * Verifies a whole chain from its oldest kept segment: every batch's hash, numbers without gaps, headers, the end of
 * each segment, part files and gaps against the anchors log, and the anchored heads.
 *
 * A change of anchored rows is always detected. Batches after the last anchor have a correct hash but no other proof:
 * anyone can compute one. After a clean stop they are forged; after any other stop each of their rows is listed as not
 * proven.
 *
 * Known weakness: in segments of releases up to 1.1, part files whose prune row was removed by the quota of kept rows
 * are not covered. A tail that was truncated after the last anchored head looks like an unclean stop, and is listed as
 * one.
 */
export interface ChainReport {
  chain: ChainName;
  segments: number;
  batches: number;
  rows: number;
  head: ChainHead | null;
  findings: string[];
  uncleanStops: UncleanStop[];
  unproven: UnprovenBatches[];
}

/** Batches without an anchor. */
export interface UnprovenBatches {
  from: number;
  to: number;
  /** They follow a clean stop, so they are forged. */
  sealed: boolean;
  rows: number;
  /** The largest number of rows in a report. */
  listed: UnprovenRow[];
}

export interface UnprovenRow {
  batch: number;
  time: string;
  type: string;
  requestId?: string;
  act?: string;
}

export interface ChainVerifyOptions {
  folder: string;
  chain: ChainName;
  /** Heads that must be in the chain unless they were pruned. */
  anchored: readonly ChainHead[];
  /** The contents of the anchors log; without it, prune rows in the chain count, as in releases up to 1.1. */
  anchors?: ChainAnchors | null;
  /**
   * A writer has the chain open: a missing closing line, an unsealed tail and batches that are not yet anchored are
   * normal.
   */
  live: boolean;
}

const LISTED_MAX = 1_000;
const FINDINGS_MAX = 1_000;
const ATTEMPTS_MAX = 5;

export async function verifyChain(options: ChainVerifyOptions): Promise<ChainReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verifyOnce(options);
    } catch (error) {
      // A pruning may have replaced a segment after the folder was listed.
      const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!gone || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}

async function verifyOnce(options: ChainVerifyOptions): Promise<ChainReport> {
  const check = new ChainCheck(options);
  const { whole, pruned, both } = segmentNumbers(options.folder);
  const isPart = new Set(pruned);
  for (const segment of [...whole, ...pruned].toSorted((a, b) => a - b)) {
    const name = isPart.has(segment) ? partName(segment) : segmentName(segment);
    const bytes = await fs.promises.readFile(join(options.folder, name));
    if (isPart.has(segment)) check.part(segment, bytes);
    else check.segment(segment, bytes, segment === whole.at(-1));
  }
  for (const segment of both) {
    const read = (name: string) => fs.promises.readFile(join(options.folder, name));
    check.beside(segment, await read(partName(segment)), await read(segmentName(segment)));
  }
  check.absences(whole, pruned);
  check.anchors();
  check.unproven();
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
  /** The last batch of segments that were whole. */
  readonly #prunedWhole = new Map<number, PruneDetail>();
  readonly #parts = new Map<number, { sha256: string; prunings: PruneDetail[] }>();
  readonly #joints: { segment: number; prev: string; batch: number }[] = [];
  readonly #anchored: Map<number, ChainHead[]>;
  #keptDroppedUpTo = 0;
  #listed = 0;

  get #full(): boolean {
    return this.report.findings.length >= FINDINGS_MAX;
  }

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
      unproven: beyondOf(options),
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
    this.#end(segment, file.length);
    if (newest) this.#tail();
  }

  /** A closed segment must end as it did when it was anchored. */
  #end(segment: number, bytes: number): void {
    const end = this.#options.anchors?.closed.get(segment);
    if (end === undefined) return;
    if (end.seq !== this.#seq || end.hash !== this.#hash)
      this.#find(segment, this.#seq, `it ends with another batch than the anchored one, ${end.seq}`);
    else if (bytes !== end.bytes)
      this.#find(segment, null, `the file has ${bytes} bytes; when it was anchored it had ${end.bytes}`);
  }

  /** A segment whose first batch is incomplete: it was left by a crash, and the next start removes it. */
  #unsealedSegment(bytes: number): void {
    this.#unsealed = { from: 0, bytes };
    this.#tail();
  }

  part(segment: number, bytes: Buffer): void {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#parts.set(segment, { sha256, prunings: [...prunings(bytes, 0, bytes.length)] });
  }

  /** A part file that a crash left beside its whole segment contains only rows of that segment. */
  beside(segment: number, part: Buffer, whole: Buffer): void {
    const rows = new Set(whole.toString('latin1').split('\n'));
    const [, ...lines] = part.toString('latin1').split('\n');
    const sha256 = createHash('sha256').update(part).digest('hex');
    if (this.#vouched(segment)?.part === sha256 || lines.every((line) => rows.has(line))) return;
    this.#find(segment, null, 'a part file beside it was made by somebody else');
  }

  /** The anchors log must cover segments that are not whole. */
  absences(whole: readonly number[], pruned: readonly number[]): void {
    this.#trustParts(pruned);
    let before = 0;
    for (const segment of [...whole, ...pruned].toSorted((a, b) => a - b)) {
      for (let gone = before + 1; gone < segment && !this.#full; gone++) this.#absence(gone, null);
      const part = this.#parts.get(segment);
      if (part) this.#absence(segment, part.sha256);
      before = segment;
    }
    for (const { segment, prev, batch } of this.#joints) this.#joint(segment, prev, batch);
  }

  /**
   * Prune rows in a part file count if one outside of it covers the file: newest first, because newer rows cover older
   * ones.
   */
  #trustParts(pruned: readonly number[]): void {
    for (const segment of pruned.toReversed()) {
      const part = this.#parts.get(segment);
      if (part && this.#vouched(segment)?.part === part.sha256) part.prunings.forEach((found) => this.#pruning(found));
    }
  }

  #vouched(segment: number): { part: string | null } | undefined {
    const { anchors } = this.#options;
    const part = anchors?.prunes.get(segment);
    if (part !== undefined) return { part };
    return anchors && segment <= anchors.gone ? { part: null } : this.#prunings.get(segment);
  }

  /** `part`: the SHA-256 of the remaining part of the segment, or null. */
  #absence(segment: number, part: string | null): void {
    const vouched = this.#vouched(segment);
    if (vouched !== undefined) {
      const isLeft = vouched.part === null && this.#options.anchors?.removed.get(segment) === part;
      if (vouched.part === part || isLeft) return;
      return this.#find(segment, null, 'what is left of the pruned segment differs from what was vouched for');
    }
    if (part !== null)
      return this.#find(segment, null, 'the part file was made by somebody else: nothing vouches for it');
    if (segment <= this.#keptDroppedUpTo) return;
    this.#find(segment, null, 'the segment is missing and no pruning accounts for it');
  }

  anchors(): void {
    for (const head of this.#options.anchored) {
      if (head.seq > this.#seq)
        this.#find(this.#lastSegment, head.seq, 'the batch was anchored and is missing: the tail was cut');
    }
  }

  #header(segment: number, header: SegmentHeader): void {
    const { chain, anchors } = this.#options;
    const before = anchors?.closed.get(segment - 1);
    if (before && (before.hash !== header.prev || before.seq !== header.batch - 1))
      this.#find(segment, header.batch, 'the segment does not follow the one that was anchored before it');
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

  /** A whole segment after a pruned one continues from the hash in the prune row. */
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
    this.#marks(segment, bytes, batch, last);
    this.#compareAnchored(segment, seal.seq, seal.hash);
    this.#list(bytes, batch);
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
  #marks(segment: number, bytes: Buffer, batch: SealedBatch, lastLine: number): void {
    this.#stopped = bytes.toString('latin1', lastLine, lastLine + 8) === '{"stop":';
    const start = bytes.indexOf('{"start":', batch.start);
    if (start >= 0 && start < batch.sealAt && (start === 0 || bytes[start - 1] === 10)) {
      const line = parseLine(bytes, start, bytes.indexOf('\n', start));
      if (line?.['unclean']) this.report.uncleanStops.push(line['unclean'] as UncleanStop);
    }
    for (const detail of prunings(bytes, batch.start, batch.sealAt))
      this.#chainPruning(segment, batch.seal.seq, detail);
  }

  #pruning(detail: PruneDetail): void {
    if (detail.batches !== null) this.#prunedWhole.set(detail.segment, detail);
    this.#prunings.set(detail.segment, detail);
    if (detail.dropped === 'kept') this.#keptDroppedUpTo = Math.max(this.#keptDroppedUpTo, detail.segment);
  }

  /** Valid only in segments of releases up to 1.1. Later releases use the anchors log, so such a row is a forgery. */
  #chainPruning(segment: number, seq: number, detail: PruneDetail): void {
    const { anchors } = this.#options;
    if (!anchors || seq <= (anchors.takenOver?.seq ?? 0)) return this.#pruning(detail);
    this.#find(segment, seq, `a forged prune row: Sluice did not prune segment ${detail.segment} with it`);
  }

  /** Rows of a batch that no anchor covers. */
  #list(bytes: Buffer, batch: SealedBatch): void {
    const { seq } = batch.seal;
    const unproven = this.report.unproven.find(({ from, to }) => from <= seq && seq <= to);
    if (!unproven) return;
    eachLine(bytes, batch.start, batch.sealAt, (from, to) => {
      if (!isRow(bytes, from)) return;
      unproven.rows += 1;
      if (this.#listed >= LISTED_MAX) return;
      this.#listed += 1;
      const { time, type, requestId, act } = (parseLine(bytes, from, to) ?? {}) as Partial<AuditRow>;
      const row: UnprovenRow = { batch: seq, time: String(time), type: String(type) };
      unproven.listed.push({ ...row, ...(requestId && { requestId }), ...(act && { act }) });
    });
  }

  /** The range of batches after the anchors, read after the last batch. */
  unproven(): void {
    const { report } = this;
    for (const found of report.unproven) {
      found.to = Math.min(found.to, this.#seq);
      if (found.sealed && found.from <= found.to)
        this.#find(
          this.#lastSegment,
          found.from,
          `batches ${found.from} to ${found.to} (${found.rows} rows) were appended after a clean stop`,
        );
    }
    report.unproven = report.unproven.filter(({ from, to }) => from <= to);
  }

  /** The end of the newest segment if no writer has it open. */
  #tail(): void {
    if (this.#options.live || (this.#stopped && this.#unsealed.bytes === 0)) return;
    if (this.#options.anchors?.sealed && this.#unsealed.bytes > 0)
      this.#find(
        this.#lastSegment,
        null,
        `${this.#unsealed.bytes} bytes behind the last seal were added after a clean stop`,
      );
    const from = this.report.head?.time ?? new Date(0).toISOString();
    this.report.uncleanStops.push({ from, to: new Date().toISOString(), bytesDropped: this.#unsealed.bytes });
  }

  #find(segment: number, batch: number | null, what: string): void {
    if (this.#full) return;
    const place = `${this.#options.chain} segment ${segment}${batch === null ? '' : `, batch ${batch}`}`;
    this.report.findings.push(`${place}: ${what}.`);
  }
}

/** The batches without anchors that were found at a start, and those that exist now. */
function beyondOf({ anchors, live }: ChainVerifyOptions): UnprovenBatches[] {
  if (!anchors) return [];
  const found = anchors.beyond.map(({ from, to, sealed }) => ({ from, to, sealed, rows: 0, listed: [] }));
  const now = { from: (anchors.head?.seq ?? 0) + 1, to: Number.MAX_SAFE_INTEGER, sealed: anchors.sealed };
  return live ? found : [...found, { ...now, rows: 0, listed: [] }];
}

function* prunings(bytes: Buffer, start: number, end: number): Generator<PruneDetail> {
  const mark = '"type":"prune"';
  for (let at = bytes.indexOf(mark, start); at >= 0 && at < end; at = bytes.indexOf(mark, at + 1)) {
    const from = bytes.lastIndexOf('\n', at) + 1;
    const row = parseLine(bytes, from, bytes.indexOf('\n', at)) as unknown as AuditRow | null;
    const detail = row?.type === 'prune' && row.detail !== undefined ? pruneDetail(row.detail) : null;
    // Rows of later releases in the host's chain have no hash and prove nothing.
    if (detail !== null && 'hash' in detail) yield detail;
  }
}

function pruneDetail(text: string): PruneDetail | null {
  try {
    return JSON.parse(text) as PruneDetail;
  } catch {
    return null;
  }
}
