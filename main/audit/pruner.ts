import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { pruneChain } from '#common/node/journal/prune.ts';
import type { PruneStep, SegmentCache } from '#common/node/journal/prune.ts';
import type { Logger } from '#common/node/log.ts';
import type { AnchorKeeper } from './anchor-keeper.ts';
import { CHAINS } from './anchors.ts';

export const KEPT_BYTES_MAX = 512 * 1024 ** 2;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

export interface PrunerOptions {
  /** `<data>/journal` */
  folder: string;
  days: number;
  maxBytes: number;
  keptBytesMax?: number;
  keeper: Pick<AnchorKeeper, 'chain' | 'vouch'>;
  record(row: Omit<AuditRow, 'time'>): Promise<void>;
  log: Logger;
}

/**
 * Prunes both chains from the host: hourly, when a segment was closed, and when the settings change. The gateway cannot
 * do it, because it has no key for the anchors log. Only segments with an anchored end are pruned, except the last of
 * them.
 */
export class Pruner {
  readonly #options: PrunerOptions;
  readonly #caches = new Map<ChainName, SegmentCache>();
  readonly #timer: NodeJS.Timeout;
  #limits: { days: number; maxBytes: number };
  #under: Promise<void> | null = null;
  #again = false;
  #closed = false;
  /** Readers that need unchanged files. */
  #holds = 0;
  readonly #prunedAt = new Map<ChainName, number>();

  constructor(options: PrunerOptions) {
    this.#options = options;
    this.#limits = options;
    this.#timer = setInterval(() => this.prune(), PRUNE_EVERY_MS);
    this.#timer.unref();
  }

  configure(limits: { days: number; maxBytes: number }): void {
    this.#limits = limits;
    this.prune();
  }

  /** Prunes if a segment was closed since the last time. */
  grown(chain: ChainName): void {
    if (this.#prunedAt.get(chain) !== this.#options.keeper.chain(chain).closedUpTo) this.prune();
  }

  /** At most one runs, and one more waits. */
  prune(): void {
    if (this.#closed) return;
    if (this.#holds > 0) {
      this.#again = true;
      return;
    }
    this.#again = this.#under !== null;
    this.#under ??= this.#all().finally(() => {
      this.#under = null;
      if (this.#again) this.prune();
    });
  }

  /** Nothing is pruned while `read` reads the files and their anchors. */
  async hold<T>(read: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      await this.#under;
      return await read();
    } finally {
      this.#holds -= 1;
      if (this.#again) this.prune();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#under;
  }

  async #all(): Promise<void> {
    for (const chain of CHAINS) {
      await this.#chain(chain).catch((error: unknown) => {
        if (!this.#closed) this.#options.log.warn('the audit journal could not be pruned', { chain, error });
      });
    }
  }

  async #chain(chain: ChainName): Promise<void> {
    const { folder, keeper, keptBytesMax = KEPT_BYTES_MAX } = this.#options;
    const { days, maxBytes } = this.#limits;
    const anchors = keeper.chain(chain);
    this.#prunedAt.set(chain, anchors.closedUpTo);
    const cache = this.#caches.get(chain) ?? new Map();
    this.#caches.set(chain, cache);
    const newest = anchors.closedUpTo - 1;
    const options = { folder: chainFolder(folder, chain), days, maxBytes, keptBytesMax, newest, anchors };
    await pruneChain(options, (step) => this.#vouch(chain, step), cache);
  }

  async #vouch(chain: ChainName, step: PruneStep): Promise<void> {
    if (this.#closed) throw new Error('the journal is closed');
    await this.#options.keeper.vouch(chain, step);
    const { segment, dropped, part, rows } = step;
    const detail = JSON.stringify({ segment, dropped, part });
    const target = `${chain} segment ${segment}`;
    await this.#options.record({ type: 'prune', act: 'journal.prune', target, detail, count: rows });
  }
}
