import type { DeliveryParts } from './delivery-parts.ts';
import { BACKLOG_AGE_MS, RETRY_AFTER_MS_MAX } from './limits.ts';
import type { EventRow } from './store.ts';
import type { Queue, Target, Waiter } from './target.ts';

/**
 * When the head of a queue may be sent: the holds of queues and targets, and the rate of a backlog. Nodes whose event
 * cannot be tried before they stop waiting are notified as soon as that is known.
 */
export class DeliverySchedule {
  readonly #parts: Pick<DeliveryParts, 'clock' | 'drainRate' | 'notify'>;
  readonly #onDue: (target: Target) => void;
  #closing = false;

  /** `onDue`: called when a hold ends. */
  constructor(parts: Pick<DeliveryParts, 'clock' | 'drainRate' | 'notify'>, onDue: (target: Target) => void) {
    this.#parts = parts;
    this.#onDue = onDue;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Nothing is due from now on. */
  close(targets: Iterable<Target>): void {
    this.#closing = true;
    for (const target of targets) target.cancelTimer();
  }

  isDue(target: Target): boolean {
    return target.ready.size > 0 && this.isOpen(target);
  }

  readonly isOpen = (target: Target): boolean =>
    !this.#closing && !target.stopped && this.#parts.clock.nowMs() >= target.dueMs;

  hold(queue: Queue, delayMs: number): void {
    queue.hold(delayMs, this.#parts.clock, () => this.#onDue(queue.target));
    this.notifyLate(queue.target, (other) => other === queue);
  }

  holdTarget(target: Target, delayMs: number): void {
    target.hold(delayMs, this.#parts.clock, () => this.#onDue(target));
  }

  /**
   * The first head after a start: holds it if its target requested a time that is still in the future. Returns whether
   * it did.
   */
  holdRestored(queue: Queue, row: EventRow): boolean {
    if (!queue.takeFresh()) return false;
    const delayMs = Math.min((row.nextAtMs ?? 0) - this.#parts.clock.wallMs(), askedMs(row), RETRY_AFTER_MS_MAX);
    if (delayMs <= 0) return false;
    this.hold(queue, delayMs);
    return true;
  }

  /** Holds the target of a backlog that has reached its rate. Returns whether it did. */
  throttle(queue: Queue, row: EventRow): boolean {
    const { clock, drainRate } = this.#parts;
    const ageMs = clock.wallMs() - row.acceptedAtMs;
    // A time in the future: it was accepted before the clock was set back, so it has waited.
    if (ageMs >= 0 && ageMs < BACKLOG_AGE_MS) return false;
    const waitMs = queue.target.backlogRate.take(drainRate(), clock.nowMs());
    if (waitMs === 0) return false;
    queue.target.markReady(queue);
    this.holdTarget(queue.target, waitMs);
    return true;
  }

  addWaiter(target: Target, id: string, waiter: Waiter): void {
    if (target.heldUntilMs(waiter.queue) >= waiter.deadlineMs)
      return this.#parts.notify(waiter.ticket, { kind: 'queued', id });
    target.addWaiter(id, waiter);
  }

  notifyLate(target: Target, concerns: (queue: Queue) => boolean): void {
    for (const [id, { ticket }] of target.takeLateWaiters(concerns)) this.#parts.notify(ticket, { kind: 'queued', id });
  }
}

/** How long its target asked it to wait, according to the file; a clock that was set since then has no effect. */
function askedMs({ nextAtMs, tries }: EventRow): number {
  const triedAtMs = Date.parse(tries.at(-1)?.at ?? '');
  return nextAtMs === null || Number.isNaN(triedAtMs) ? 0 : nextAtMs - triedAtMs;
}
