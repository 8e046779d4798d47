import type { Rehearsal } from '#common/model/egress.ts';
import { timeText } from './clock.ts';
import { REHEARSAL_MS, REHEARSAL_SAMPLES_MAX } from './limits.ts';

/**
 * Blocks a target for a minute and follows the events for it until they are delivered (docs/spec/egress.md#rehearsal).
 * Waiting events are counted in the file, not in memory, so that a lost event shows as lost.
 *
 * Kept in memory only: a restarted gateway ends the block, and waiting events are sent as usual.
 */
export class RehearsalRun {
  readonly #by: string;
  readonly #startedAt: number;
  readonly #untilAt: number;
  readonly #waitedBefore: number;
  #state: Rehearsal['state'] = 'blocked';
  #doneAt: number | null = null;
  /** The last event that belongs to it; later ones are not counted. */
  #lastSeq = Infinity;
  #accepted = 0;
  #delivered = 0;
  #dead = 0;
  /** Removed by a user. */
  #discarded = 0;
  #waiting: number;
  #most: number;
  #reordered = 0;
  readonly #died = new Set<number>();
  /** Retried by a user, who then determines their order. */
  readonly #putBack = new Set<number>();
  /** Those of them that were already dead before it began. */
  #joined = 0;
  #lost = 0;
  readonly #newest = new Map<string, number>();
  readonly #samples: { at: string; waiting: number }[] = [];

  constructor(by: string, wallMs: number, waiting: number) {
    this.#by = by;
    this.#startedAt = wallMs;
    this.#untilAt = wallMs + REHEARSAL_MS;
    this.#waitedBefore = waiting;
    this.#waiting = waiting;
    this.#most = waiting;
  }

  get blocked(): boolean {
    return this.#state === 'blocked';
  }

  get done(): boolean {
    return this.#state === 'done';
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  accepted(): void {
    if (this.#state === 'blocked') this.#accepted += 1;
  }

  delivered(queue: string, seq: number): void {
    if (this.done || seq > this.#lastSeq) return;
    this.#delivered += 1;
    if (this.#putBack.has(seq)) return;
    if (seq < (this.#newest.get(queue) ?? 0)) this.#reordered += 1;
    else this.#newest.set(queue, seq);
  }

  died(seq: number): void {
    if (this.done || seq > this.#lastSeq) return;
    this.#died.add(seq);
    this.#dead += 1;
  }

  /** A dead letter was returned to its queue. */
  revived(seq: number): void {
    if (this.done || seq > this.#lastSeq) return;
    this.#putBack.add(seq);
    if (this.#died.delete(seq)) this.#dead -= 1;
    else this.#joined += 1;
  }

  discarded(seq: number): void {
    if (!this.done && seq <= this.#lastSeq) this.#discarded += 1;
  }

  /** The minute is over: `lastSeq` is the newest event of the target. */
  unblock(lastSeq: number): void {
    if (this.#state !== 'blocked') return;
    this.#state = 'draining';
    this.#lastSeq = lastSeq;
  }

  /** `waiting`: events of the target up to `lastSeq` that are queued in the file, after all pending writes. */
  sample(waiting: number, wallMs: number): void {
    if (this.done) return;
    this.#waiting = waiting;
    this.#most = Math.max(this.#most, waiting);
    const all = this.#accepted + this.#waitedBefore + this.#joined;
    this.#lost = Math.max(0, all - this.#delivered - this.#dead - this.#discarded - waiting);
    if (this.#samples.length < REHEARSAL_SAMPLES_MAX) this.#samples.push({ at: timeText(wallMs), waiting });
    if (this.#state !== 'draining' || waiting > 0) return;
    this.#state = 'done';
    this.#doneAt = wallMs;
    this.#newest.clear();
  }

  report(): Rehearsal {
    return {
      state: this.#state,
      by: this.#by,
      startedAt: timeText(this.#startedAt),
      blockedUntil: timeText(this.#untilAt),
      doneAt: this.#doneAt === null ? null : timeText(this.#doneAt),
      accepted: this.#accepted,
      waitedBefore: this.#waitedBefore,
      delivered: this.#delivered,
      dead: this.#dead,
      waiting: this.#waiting,
      backlogMost: this.#most,
      lost: this.#lost,
      reordered: this.#reordered,
      samples: [...this.#samples],
    };
  }
}
