import fs from 'node:fs';
import { join } from 'node:path';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import type { ChainAnchors } from '#common/node/journal/chain-anchors.ts';
import { chainFolder, parseHeader, segmentName } from '#common/node/journal/format.ts';
import type { PruneStep } from '#common/node/journal/prune.ts';
import { chainTail, findHead, firstBytes } from '#common/node/journal/read.ts';
import type { ChainTail } from '#common/node/journal/read.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import type { Logger } from '#common/node/log.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { apply, chainAnchors, compacted } from './anchor-records.ts';
import type { AnchorRecord } from './anchor-records.ts';
import {
  ANCHORS_LOG,
  AnchorsLog,
  keepDamaged,
  LOG_BYTES_MAX,
  type LogPosition,
  logKey,
  readLog,
} from './anchors-log.ts';
import { BROKEN_MAX, CHAINS, readAnchors, writeAnchors } from './anchors.ts';
import type { Anchors } from './anchors.ts';
import { anchorFaults } from './anchor-faults.ts';
import { olderThanVault } from './verify-journal.ts';

export interface AnchorKeeperOptions {
  /** `<data>/journal` */
  folder: string;
  anchorsFile: string;
  anchorKey: Buffer;
  /** Heads that are stored in the vault. */
  vaultHeads: readonly ChainHead[];
  /** The vault knows that this journal has an anchors log. */
  logExpected: boolean;
  log: Logger;
  everyMs: number;
}

/** Rows after the last anchor that were found since the start. */
export interface UnprovenAtStart {
  chain: ChainName;
  from: number;
  to: number;
  rows: number;
}

/**
 * Maintains the evidence for the journal: the anchors file with the newest heads, every 10 s, and the anchors log with
 * the end of each closed segment, each pruning, each start and each clean stop. Compares both with the journal before a
 * writer opens it, and accepts new heads as they arrive.
 */
export class AnchorKeeper {
  readonly #options: AnchorKeeperOptions;
  readonly #chains = new Map<ChainName, ChainAnchors>();
  readonly #unproven: UnprovenAtStart[] = [];
  readonly #foundNow: string[] = [];
  #log: AnchorsLog;
  #anchors: Anchors = { heads: [], broken: [] };
  /** As in the file. */
  #written: ChainHead[] = [];
  #changed = true;
  readonly #anchoredSinceStart = new Set<ChainName>();
  #tookOver = false;
  /** Records that the disk did not accept yet; they precede the next one. */
  #owed: AppendedRecord[] = [];
  /** Checks and writes run one after the other. */
  readonly #queue = createSerialQueue();
  readonly #timer: NodeJS.Timeout;

  constructor(options: AnchorKeeperOptions) {
    this.#options = options;
    this.#log = new AnchorsLog(this.#logFile, logKey(options.anchorKey), null);
    this.#timer = setInterval(() => void this.write(), options.everyMs);
    this.#timer.unref();
  }

  /** Synced: heads that others receive must not be newer than the anchors. */
  heads(): ChainHead[] {
    return this.#written;
  }

  /** Permanent findings, each a sentence. */
  tampered(): string[] {
    return this.#anchors.broken.map(({ what }) => what);
  }

  /** Findings that were not known before this start. */
  get foundNow(): readonly string[] {
    return this.#foundNow;
  }

  unproven(): readonly UnprovenAtStart[] {
    return this.#unproven;
  }

  /** True when this start took over the journal of a release without an anchors log. */
  get tookOver(): boolean {
    return this.#tookOver;
  }

  /** The anchored part of a chain, for pruning. */
  chain(chain: ChainName): ChainAnchors {
    const known = this.#chains.get(chain) ?? chainAnchors([], chain);
    this.#chains.set(chain, known);
    return known;
  }

  /** Compares the journal with what was anchored; call before a writer opens the host's chain. */
  async open(hasJournal: boolean): Promise<void> {
    const { anchorsFile, anchorKey, vaultHeads, logExpected } = this.#options;
    const read = readAnchors(anchorsFile, anchorKey);
    const content = readLog(this.#logFile, logKey(anchorKey));
    if (read.kind === 'read') this.#anchors = read.anchors;
    const isNew = content === null && this.#anchors.log === undefined && !logExpected;
    for (const what of anchorFaults({ read, content, hasJournal, isNew })) this.#break(null, what);
    if (content !== null && content.fault !== null) keepDamaged(this.#logFile);
    this.#log = new AnchorsLog(this.#logFile, logKey(anchorKey), content);
    for (const chain of CHAINS) this.#chains.set(chain, chainAnchors(content?.records ?? [], chain));
    for (const head of this.#anchors.heads) this.#raise(head);
    for (const head of [...this.#newestHeads(), ...vaultHeads]) await this.#check(head);
    if (isNew) await this.#takeOver(hasJournal);
    else {
      for (const chain of CHAINS) {
        const inVault = vaultHeads.filter((head) => head.chain === chain);
        for (const what of olderThanVault(this.chain(chain), inVault)) this.#break(null, what);
        await this.#lookBehind(chain);
      }
    }
    // A full disk must not prevent the start: `#write` tries again, before it anchors anything.
    this.#owed = [{ kind: 'start' }];
    await this.write();
  }

  head(head: ChainHead): Promise<void> {
    return this.#enqueue(async () => {
      const before = this.chain(head.chain).head;
      if (before?.seq === head.seq && before.hash === head.hash) return;
      const intact = before ? await this.#check(before) : true;
      // A late report about an older batch. If the chain itself was replaced by an older one, the finding remains and
      // the new head counts.
      if (before && intact && head.seq < before.seq) return;
      this.#setHead(head);
      await this.#noteClosed(head.chain, head.seq);
      // The first one immediately: the rows of a starting writer must not look unproven.
      if (!this.#anchoredSinceStart.has(head.chain)) await this.#write();
      this.#anchoredSinceStart.add(head.chain);
    });
  }

  /** A writer opened the chain after this batch: it must be the one that was anchored last. */
  opened(found: ChainHead): void {
    void this.#enqueue(async () => {
      if (found.seq > (this.chain(found.chain).head?.seq ?? 0)) await this.#lookBehind(found.chain, found);
    });
  }

  /**
   * The gateway's process has ended, for whatever reason: its last rows are anchored immediately, so that nothing can
   * be added unnoticed.
   */
  ended(chain: ChainName): void {
    void this.#enqueue(async () => {
      const after = this.chain(chain).head?.seq ?? 0;
      const tail = await chainTail(this.#folder(chain), after);
      if (tail.seq <= after) return;
      // An anchored batch must survive a power cut.
      await syncSegments(this.#folder(chain), this.chain(chain).closedUpTo + 1, tail.segment);
      this.#setHead({ chain, seq: tail.seq, hash: tail.hash, time: tail.time });
      await this.#noteClosed(chain, tail.seq);
      await this.#write();
    });
  }

  /** Records a pruning; rejects if it cannot be written. */
  async vouch(chain: ChainName, { segment, dropped, part, intact }: PruneStep): Promise<void> {
    if (intact === false) this.#break(null, `${chain} segment ${segment} had been changed before it was pruned.`);
    await this.#queue.take(() => this.#append({ kind: 'prune', chain, segment, dropped, part }));
  }

  write(): Promise<void> {
    return this.#enqueue(() => this.#write());
  }

  /** No writer has the chains open any more: their ends are sealed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    void this.#enqueue(() => this.#seal());
    await this.write();
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    return this.#queue.take(work).catch((error: unknown) => {
      this.#options.log.error('the anchors of the audit journal cannot be written', { error });
    });
  }

  get #logFile(): string {
    return join(this.#options.folder, ANCHORS_LOG);
  }

  #folder(chain: ChainName): string {
    return chainFolder(this.#options.folder, chain);
  }

  #newestHeads(): ChainHead[] {
    return CHAINS.flatMap((chain) => this.chain(chain).head ?? []);
  }

  #setHead(head: ChainHead): void {
    this.chain(head.chain).head = head;
    this.#changed = true;
  }

  #raise(head: ChainHead): void {
    const known = this.chain(head.chain);
    if (head.seq > (known.head?.seq ?? 0)) known.head = head;
  }

  async #append(...records: AppendedRecord[]): Promise<void> {
    const time = new Date().toISOString();
    const timed = [...this.#owed, ...records].map((record): AnchorRecord => ({ time, ...record }));
    if (timed.length === 0) return;
    await this.#log.append(timed);
    this.#owed = [];
    for (const record of timed) for (const chain of CHAINS) apply(this.chain(chain), record, chain);
    this.#changed = true;
    // A rewritten log ends with a start: the seal of a stop would be lost.
    if (this.#log.bytes > LOG_BYTES_MAX && records.at(-1)?.kind !== 'stop') await this.#compact(time);
  }

  async #compact(time: string): Promise<void> {
    const chains = CHAINS.map((chain) => {
      const { whole, pruned } = segmentNumbers(this.#folder(chain));
      const oldest = Math.min(whole[0] ?? 1, pruned[0] ?? whole[0] ?? 1);
      return [chain, { anchors: this.chain(chain), oldest }] as const;
    });
    const records = compacted(new Map(chains), time);
    const after = this.#log.position?.n ?? 0;
    // The anchors file first: after a crash in between it must know the log in both forms.
    await this.#write(this.#log.afterRewrite(records, after));
    if (this.#changed) return;
    await this.#log.rewrite(records, after);
    this.#changed = true;
  }

  /** Once: a journal of a release without an anchors log, or none yet. */
  async #takeOver(hasJournal: boolean): Promise<void> {
    const heads = await Promise.all(
      CHAINS.map(async (chain) => {
        const { segment, seq, hash } = await chainTail(this.#folder(chain), Number.MAX_SAFE_INTEGER);
        return { chain, segment, seq, hash };
      }),
    );
    await this.#append({ kind: 'takeover', why: hasJournal ? 'earlier release' : 'new journal', heads });
    this.#tookOver = hasJournal;
  }

  /** Rows after the last anchor become a finding, and the chain continues after them. */
  async #lookBehind(chain: ChainName, found?: ChainHead): Promise<void> {
    const { head, sealed } = this.chain(chain);
    const after = head?.seq ?? 0;
    const tail = await chainTail(this.#folder(chain), after);
    if (sealed && tail.unsealedBytes > 0)
      this.#break(
        null,
        `${tail.unsealedBytes} bytes were added behind the last seal of the ${chain} chain after a clean stop.`,
      );
    const last = found ?? tail;
    if (last.seq <= after) return;
    await this.#noteClosed(chain, last.seq);
    await this.#beyond(chain, after + 1, { ...tail, ...last }, sealed);
  }

  async #beyond(chain: ChainName, from: number, tail: ChainTail, sealed: boolean): Promise<void> {
    const { segment, seq, hash, rows } = tail;
    await this.#append({ kind: 'beyond', chain, from, segment, seq, hash, rows, sealed });
    this.#setHead({ chain, seq, hash, time: tail.time });
    if (sealed)
      return this.#break(null, `${chain} batches ${from} to ${seq} (${rows} rows) were appended after a clean stop.`);
    if (rows === 0) return;
    this.#unproven.push({ chain, from, to: seq, rows });
    this.#options.log.warn('no anchor covers some rows of the audit journal', { chain, from, to: seq, rows });
  }

  /** The end of each closed segment, as far as the chain is anchored. */
  async #noteClosed(chain: ChainName, anchored: number): Promise<void> {
    const folder = this.#folder(chain);
    for (const later of segmentNumbers(folder).whole) {
      const segment = later - 1;
      if (segment <= this.chain(chain).closedUpTo) continue;
      const next = parseHeader(await firstBytes(join(folder, segmentName(later))));
      // It is being created, or is damaged: later segments still count, otherwise nothing would be pruned any more.
      if (next?.segment !== later) continue;
      if (next.batch - 1 > anchored) return;
      const bytes = fs.statSync(join(folder, segmentName(segment)), { throwIfNoEntry: false })?.size;
      if (bytes === undefined) this.#break(null, `${chain} segment ${segment} was removed.`);
      else {
        const { keptBytes = 0, to = next.time } = next.previous ?? {};
        const end = { seq: next.batch - 1, hash: next.prev, bytes, keptBytes: Math.min(keptBytes, bytes), to };
        await this.#append({ kind: 'segment', chain, segment, ...end });
      }
    }
  }

  /** A chain that continues after its anchored head, although nobody saw the gateway end, is not sealed. */
  async #seal(): Promise<void> {
    const heads: ChainHead[] = [];
    for (const head of this.#newestHeads()) {
      const tail = await chainTail(this.#folder(head.chain), head.seq);
      if (tail.seq === head.seq && tail.unsealedBytes === 0) heads.push(head);
    }
    const record = { time: new Date().toISOString(), kind: 'stop', heads } as const;
    this.#changed = true;
    await this.#write(this.#log.after([record]));
    // Anchors that could not be written would look outdated beside the record of this stop.
    if (!this.#changed) await this.#append(record);
  }

  async #write(next: LogPosition | null = null): Promise<void> {
    if (this.#owed.length > 0) await this.#append();
    if (!this.#changed) return;
    this.#changed = false;
    const log = this.#log.position;
    const heads = this.#newestHeads();
    try {
      await writeAnchors(this.#options.anchorsFile, this.#options.anchorKey, {
        broken: this.#anchors.broken,
        heads,
        ...(log && { log }),
        ...(next && { next }),
      });
      this.#written = heads;
    } catch (error) {
      this.#changed = true;
      this.#options.log.error('the anchors file cannot be written', { error });
    }
  }

  /** False if the chain no longer contains the head; this is also recorded as a permanent finding. */
  async #check(head: ChainHead): Promise<boolean> {
    const found = await findHead(this.#folder(head.chain), head);
    if (found === 'there' || found === 'pruned') return true;
    const what = found === 'missing' ? 'is missing: the tail was cut' : 'differs from the one that was anchored';
    this.#break(head, `${head.chain} batch ${head.seq} of ${head.time} ${what}.`);
    return false;
  }

  #break(head: ChainHead | null, what: string): void {
    const known = this.#anchors.broken.some((broken) => broken.what === what);
    if (known || this.#anchors.broken.length >= BROKEN_MAX) return;
    this.#options.log.error('the audit journal was tampered with', { what });
    this.#foundNow.push(what);
    this.#anchors.broken.push({ head, noticedAt: new Date().toISOString(), what });
    this.#changed = true;
    // Immediately: a finding must not wait in memory for the next round.
    void this.write();
  }
}

type Untimed<T> = T extends unknown ? Omit<T, 'time'> : never;
type AppendedRecord = Untimed<AnchorRecord> & { time?: string };

async function syncSegments(folder: string, from: number, to: number): Promise<void> {
  for (const segment of segmentNumbers(folder).whole) {
    if (segment < from || segment > to) continue;
    const file = await fs.promises.open(join(folder, segmentName(segment)), 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}
