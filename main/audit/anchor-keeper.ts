import type { ChainHead } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { findHead } from '#common/node/journal/read.ts';
import type { Logger } from '#common/node/log.ts';
import { BROKEN_MAX, readAnchors, writeAnchors } from './anchors.ts';
import type { Anchors } from './anchors.ts';

export interface AnchorKeeperOptions {
  /** `<data>/journal` */
  folder: string;
  anchorsFile: string;
  anchorKey: Buffer;
  /** Heads that the vault remembers. */
  vaultHeads: readonly ChainHead[];
  log: Logger;
  everyMs: number;
}

/**
 * Keeps the anchors file: takes heads as they come, checks that the chain still holds the one before, and writes the
 * file every 10 s when something changed, and at the end.
 */
export class AnchorKeeper {
  readonly #options: AnchorKeeperOptions;
  #anchors: Anchors = { heads: [], broken: [] };
  #changed = true;
  /** One check or write after the other. */
  #queue: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(options: AnchorKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.write(), options.everyMs);
    this.#timer.unref();
  }

  heads(): ChainHead[] {
    return this.#anchors.heads;
  }

  /** Compares the journal with what was anchored; call before a writer opens the host's chain. */
  async open(hasJournal: boolean): Promise<void> {
    const { anchorsFile, anchorKey, vaultHeads } = this.#options;
    const read = readAnchors(anchorsFile, anchorKey);
    if (read.kind === 'read') this.#anchors = read.anchors;
    if (read.kind === 'unreadable')
      this.#break(null, 'The anchors file could not be opened: it was changed or belongs to another vault.');
    if (read.kind === 'missing' && hasJournal)
      this.#break(null, 'The anchors file was missing although there is a journal.');
    for (const head of [...this.#anchors.heads, ...vaultHeads]) await this.#check(head);
    await this.write();
  }

  head(head: ChainHead): void {
    this.#queue = this.#queue.then(async () => {
      const before = this.#anchors.heads.find(({ chain }) => chain === head.chain);
      if (before?.seq === head.seq && before.hash === head.hash) return;
      const intact = before ? await this.#check(before) : true;
      // A late word about an older batch; when the chain itself was put back, the finding stands and the new head counts.
      if (before && intact && head.seq < before.seq) return;
      this.#anchors.heads = [...this.#anchors.heads.filter(({ chain }) => chain !== head.chain), head];
      this.#changed = true;
    });
  }

  write(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#write());
    return this.#queue;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  async #write(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    try {
      await writeAnchors(this.#options.anchorsFile, this.#options.anchorKey, this.#anchors);
    } catch (error) {
      this.#changed = true;
      this.#options.log.error('the anchors file cannot be written', { error });
    }
  }

  /** False, and a lasting finding, when the chain no longer holds the head. */
  async #check(head: ChainHead): Promise<boolean> {
    const found = await findHead(chainFolder(this.#options.folder, head.chain), head);
    if (found === 'there' || found === 'pruned') return true;
    const what = found === 'missing' ? 'is missing: the tail was cut' : 'differs from the one that was anchored';
    this.#break(head, `${head.chain} batch ${head.seq} of ${head.time} ${what}.`);
    return false;
  }

  #break(head: ChainHead | null, what: string): void {
    const known = this.#anchors.broken.some((broken) => broken.what === what);
    if (known || this.#anchors.broken.length >= BROKEN_MAX) return;
    this.#options.log.error('the audit journal was tampered with', { what });
    this.#anchors.broken.push({ head, noticedAt: new Date().toISOString(), what });
    this.#changed = true;
    // At once: a finding must not wait in memory for the next round.
    void this.write();
  }
}
