import { AttemptOutcomes } from './attempt-outcomes.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { DeliverySchedule } from './delivery-schedule.ts';
import { REHEARSAL_MS, UNSETTLED_MAX } from './limits.ts';
import { QueueHeads } from './queue-heads.ts';
import { RehearsalRun } from './rehearsal.ts';
import { Sender } from './send-attempt.ts';
import { SendPlaces } from './send-places.ts';
import type { EventRow } from './store.ts';
import type { Pause, Queue, Target } from './target.ts';

/**
 * Sends stored events (docs/spec/egress.md#order): only the head of each queue, queues of a target in parallel, targets
 * in turn. `delivery-schedule.ts` decides when, `send-attempt.ts` sends once, and `attempt-outcomes.ts` applies the
 * result.
 *
 * Limits: SENDS_MAX calls, shared fairly (send-places.ts): SENDS_PER_TARGET_MAX per target, one for a target that did
 * not respond, fewer when most places are taken, SENDS_PER_PROJECT_MAX per project while others send; nothing is sent
 * while UNSETTLED_MAX outcomes are not on disk.
 */
export class DeliveryDispatcher {
  readonly targets = new Map<number, Target>();
  readonly #parts: DeliveryParts;
  readonly #places: SendPlaces;
  readonly #schedule: DeliverySchedule;
  readonly #heads: QueueHeads;
  readonly #sender: Sender;
  readonly #outcomes: AttemptOutcomes;
  #turn = 0;
  #onIdle: (() => void) | null = null;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#places = new SendPlaces((project) => parts.shares.hasOthers(project));
    this.#schedule = new DeliverySchedule(parts, (target) => this.pump(target));
    this.#heads = new QueueHeads(parts, this.#schedule);
    this.#sender = new Sender(parts, this.#places);
    this.#outcomes = new AttemptOutcomes(parts, this.#schedule, this.#heads, this.#sender);
  }

  // ── Changes of the file ───────────────────────────────────────────────────────────────────────────────────────

  /** An event was committed. `waiter`: the node that waits for it, and until when. */
  accepted(target: Target, row: EventRow, waiter: { ticket: number; deadlineMs: number } | null): void {
    const queue = target.enqueue(row, this.#parts.clock.nowMs());
    if (waiter !== null) this.#schedule.addWaiter(target, row.id, { ...waiter, queue });
    this.pump(target);
  }

  /** A dead event is queued again, in its old position. Everything before it has been written. */
  revived(target: Target, row: EventRow): void {
    target.revive(row);
    this.pump(target);
  }

  /** An event was removed by a user, or by its sender before the first attempt; the file already records it. */
  removed(target: Target, row: EventRow): void {
    this.#outcomes.releaseBuffer(target, row);
    target.discard(row, this.#parts.clock.nowMs());
  }

  unwait(id: string): void {
    for (const target of this.targets.values()) if (target.takeWaiter(id) !== null) return;
  }

  // ── Actions of users ──────────────────────────────────────────────────────────────────────────────────────────

  pause(target: Target, pause: Pause): void {
    this.#outcomes.pause(target, pause);
  }

  resume(target: Target): void {
    target.resume();
    this.#outcomes.writeTarget(target);
    target.endHold();
    this.pump(target);
  }

  rehearse(target: Target, by: string): void {
    const { clock } = this.#parts;
    target.beginRehearsal(new RehearsalRun(by, clock.wallMs(), target.queued));
    this.#schedule.notifyLate(target, (queue) => target.heldUntilMs(queue) > 0);
    clock.after(REHEARSAL_MS, () => {
      target.rehearsal?.unblock(target.newest);
      this.pump(target);
    });
  }

  /** Sends the head of a stopped target's first queue once. False if no head can be sent. */
  async tryOnce(target: Target): Promise<boolean> {
    const queue = [...target.queues.values()].find(({ state, count }) => state !== 'sending' && count > 0);
    const row = queue && this.#heads.head(queue);
    if (!queue || !row) return false;
    queue.makeReady();
    target.takeReady(queue);
    await this.#send(queue, row);
    return true;
  }

  // ── Turns ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Once a second: the figures for users, and the samples of rehearsals. */
  tick(): void {
    const { store, writer, clock } = this.#parts;
    const waits = [...this.targets.values()].some((target) => this.#schedule.isDue(target) && target.sending === 0);
    this.#places.makeReady(this.#schedule.isOpen);
    this.#places.tick(waits);
    for (const { id, rehearsal } of this.targets.values()) {
      if (rehearsal === null || rehearsal.done || !writer.flush()) continue;
      const { lastSeq } = rehearsal;
      rehearsal.sample(store.countQueued(id, Math.min(lastSeq, Number.MAX_SAFE_INTEGER)), clock.wallMs());
    }
  }

  /** The targets that keep others from being called; empty: none. */
  crowdedBy(): string[] {
    return this.#places.crowdedBy(this.targets.values(), this.#parts.clock.nowMs());
  }

  /** No calls are in progress. */
  get isIdle(): boolean {
    return this.#places.taken === 0;
  }

  /** Nothing more is sent; calls in progress get `graceMs`, then they are cut off. */
  async close(graceMs: number): Promise<void> {
    this.#schedule.close(this.targets.values());
    if (this.isIdle) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const cancel = this.#parts.clock.after(graceMs, () => this.#sender.cutOff());
    await promise;
    cancel();
  }

  /** Another target comes first each time: if all places are taken, they rotate. */
  pumpAll(): void {
    const ready = [...this.targets.values()].filter((target) => target.ready.size > 0);
    this.#turn += 1;
    for (const index of ready.keys()) {
      const target = ready[(this.#turn + index) % ready.length];
      if (target) this.pump(target);
    }
  }

  pump(target: Target): void {
    while (this.#maySend(target)) {
      const queue = target.takeReady();
      if (queue === undefined) return;
      const row = this.#heads.head(queue);
      if (row === undefined) continue;
      if (row === null) target.dropEmpty(queue);
      else if (!this.#places.mayTake(this.#heads.project(row), queue)) continue;
      else if (!this.#schedule.holdRestored(queue, row) && !this.#schedule.throttle(queue, row))
        void this.#send(queue, row);
    }
  }

  #maySend(target: Target): boolean {
    if (!this.#schedule.isDue(target) || this.#parts.writer.unsettled >= UNSETTLED_MAX) return false;
    return target.sending < this.#places.of(target);
  }

  async #send(queue: Queue, row: EventRow): Promise<void> {
    queue.beginSending();
    const attempt = await this.#sender.attempt(queue.target, row, this.#heads.project(row));
    queue.endSending();
    await this.#outcomes.apply(queue, row, attempt);
    this.#callEnded(queue.target, this.#heads.project(row));
  }

  /** Continues with its target, and with targets that waited for a place. */
  #callEnded(target: Target, project: string): void {
    if (this.isIdle) this.#onIdle?.();
    const others = this.#places.makeReady(this.#schedule.isOpen, project);
    // Places were scarce: the free one may now belong to another target.
    if (this.#places.areScarce || others) this.pumpAll();
    else this.pump(target);
  }
}
