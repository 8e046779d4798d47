import { type Block, splitBlock } from './plan.ts';

/**
 * Decides when each block is read. If a block could not be read in time, the missed polls are skipped, so polls never
 * accumulate.
 *
 * Limits: as many entries as blocks (at most one per tag); finding the next one is linear in them, which is cheap
 * compared with a request over the network.
 */
export interface Poll {
  readonly block: Block;
  dueMs: number;
}

export class Schedule {
  #polls: Poll[];

  /** `nowMs` is from a monotonic clock, like all times here. */
  constructor(blocks: readonly Block[], nowMs: number) {
    this.#polls = blocks.map((block) => ({ block, dueMs: nowMs }));
  }

  /** The poll that is most overdue, or null. */
  due(nowMs: number): Poll | null {
    const next = this.#earliest();
    return next !== null && next.dueMs <= nowMs ? next : null;
  }

  /** Infinity if there is nothing to poll. */
  nextDueMs(): number {
    return this.#earliest()?.dueMs ?? Infinity;
  }

  /** The next time in the block's own rhythm. */
  done(poll: Poll, nowMs: number): void {
    const { pollMs } = poll.block;
    poll.dueMs += Math.max(1, Math.floor((nowMs - poll.dueMs) / pollMs) + 1) * pollMs;
  }

  /** From now on in two entries, both due immediately. */
  split(poll: Poll, nowMs: number): void {
    const parts = splitBlock(poll.block).map((block) => ({ block, dueMs: nowMs }));
    this.#polls.splice(this.#polls.indexOf(poll), 1, ...parts);
  }

  /** Not before `untilMs`. */
  postpone(unitId: number, untilMs: number): void {
    for (const poll of this.#polls) if (poll.block.unitId === unitId) poll.dueMs = Math.max(poll.dueMs, untilMs);
  }

  /** The tag was written: its value is read immediately. */
  hasten(path: string, nowMs: number): void {
    const poll = this.#polls.find(({ block }) => block.tags.some((tag) => tag.path === path));
    if (poll !== undefined) poll.dueMs = Math.min(poll.dueMs, nowMs);
  }

  units(): Set<number> {
    return new Set(this.#polls.map(({ block }) => block.unitId));
  }

  pathsOf(unitId: number): string[] {
    return this.#polls.filter(({ block }) => block.unitId === unitId).flatMap(({ block }) => pathsIn(block));
  }

  #earliest(): Poll | null {
    let best: Poll | null = null;
    for (const poll of this.#polls) if (best === null || poll.dueMs < best.dueMs) best = poll;
    return best;
  }
}

export function pathsIn(block: Block): string[] {
  return block.tags.map((tag) => tag.path);
}
