import type { EgressAnswer, EgressTarget } from '#common/model/egress.ts';
import type { HttpResult } from '../http/contract.ts';
import { BacklogRate } from './backlog-rate.ts';
import { type Clock, timeText } from './clock.ts';
import { HeadHistory } from './head-history.ts';
import { RETRY_AFTER_MS_MAX } from './limits.ts';
import { Rates } from './rates.ts';
import type { RehearsalRun } from './rehearsal.ts';
import type { EventRow, TargetRow } from './store.ts';

/**
 * A queue: events of one target with one ordering key, oldest first. It exists while it has events.
 * States: ready (its head may be tried), sending, waiting (until `dueMs`).
 */
export class Queue {
  readonly target: Target;
  /** Hex; empty: without an ordering key. */
  readonly key: string;
  readonly headHistory = new HeadHistory();
  #count = 0;
  #cursor = 0;
  #state: 'ready' | 'sending' | 'waiting' = 'ready';
  #dueMs = 0;
  #cancelTimer: (() => void) | null = null;
  #fresh = false;
  #rewind = false;

  constructor(target: Target, key: string) {
    this.target = target;
    this.key = key;
  }

  /** Number of its waiting events, including the one in progress. */
  get count(): number {
    return this.#count;
  }

  /** Deliveries and dead letters up to this row may not be written yet; the head of the queue comes after it. */
  get cursor(): number {
    return this.#cursor;
  }

  get state(): 'ready' | 'sending' | 'waiting' {
    return this.#state;
  }

  get dueMs(): number {
    return this.#dueMs;
  }

  /** A dead letter was returned while another event was in progress: the queue restarts when that one is written. */
  get mustRewind(): boolean {
    return this.#rewind;
  }

  /** After a start: the time of the next attempt in the file still applies. */
  restore(count: number): void {
    this.#count = count;
    this.#fresh = true;
  }

  /** Whether this is the first head after a start; true once. */
  takeFresh(): boolean {
    const fresh = this.#fresh;
    this.#fresh = false;
    return fresh;
  }

  add(): void {
    this.#count += 1;
  }

  remove(): void {
    this.#count -= 1;
  }

  advanceCursor(seq: number): void {
    this.#cursor = Math.max(this.#cursor, seq);
  }

  rewindLater(): void {
    this.#rewind = true;
  }

  rewind(): void {
    this.#rewind = false;
    this.#cursor = 0;
  }

  beginSending(): void {
    this.#state = 'sending';
  }

  endSending(): void {
    this.#state = 'ready';
  }

  hold(delayMs: number, clock: Clock, onDue: () => void): void {
    this.#state = 'waiting';
    this.#dueMs = clock.nowMs() + delayMs;
    this.#cancelTimer = clock.after(delayMs, () => {
      this.makeReady();
      onDue();
    });
  }

  makeReady(): void {
    this.cancelTimer();
    this.#state = 'ready';
    if (this.#count > 0) this.target.markReady(this);
  }

  cancelTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}

/** A node that waits for the outcome of its event. */
export interface Waiter {
  readonly ticket: number;
  readonly queue: Queue;
  readonly deadlineMs: number;
}

export interface Pause {
  readonly reason: string;
  /** The name of a user; null: Sluice did it. */
  readonly by: string | null;
  readonly atMs: number;
}

/** Scheme, host and port, with the complete current state. The state is changed only by its own methods. */
export class Target {
  readonly id: number;
  readonly origin: string;
  readonly rates: Rates;
  readonly backlogRate: BacklogRate;
  readonly #queues = new Map<string, Queue>();
  readonly #ready = new Set<Queue>();
  readonly #waiters = new Map<string, Waiter>();
  #pause: Pause | null;
  #deadStreak: number;
  #queued = 0;
  #dead = 0;
  #bytes = 0;
  #openSenders = 0;
  #sending = 0;
  #failures = 0;
  #dueMs = 0;
  #cancelTimer: (() => void) | null = null;
  #doubted = true;
  #silentSinceMs = 0;
  #trouble: string | null = null;
  #last: EgressAnswer | null = null;
  #newest = 0;
  #rehearsal: RehearsalRun | null = null;

  constructor(row: TargetRow, nowMs: number) {
    this.id = row.id;
    this.origin = row.origin;
    this.#deadStreak = row.streak;
    this.#pause = row.paused
      ? { reason: row.reason ?? 'it was paused', by: row.pausedBy, atMs: row.pausedAtMs ?? 0 }
      : null;
    this.backlogRate = new BacklogRate(nowMs);
    this.rates = new Rates(nowMs);
  }

  row(): TargetRow {
    return {
      id: this.id,
      origin: this.origin,
      paused: this.#pause !== null,
      reason: this.#pause?.reason ?? null,
      pausedBy: this.#pause?.by ?? null,
      pausedAtMs: this.#pause?.atMs ?? null,
      streak: this.#deadStreak,
    };
  }

  // ── State ─────────────────────────────────────────────────────────────────────────────────────────────────────

  get queues(): ReadonlyMap<string, Queue> {
    return this.#queues;
  }

  /** Queues whose head may be tried, in turn. */
  get ready(): ReadonlySet<Queue> {
    return this.#ready;
  }

  get pause(): Pause | null {
    return this.#pause;
  }

  get rehearsal(): RehearsalRun | null {
    return this.#rehearsal;
  }

  /** Nothing is sent until a user resumes the target, or the minute of a rehearsal is over. */
  get stopped(): boolean {
    return this.#pause !== null || this.#rehearsal?.blocked === true;
  }

  get queued(): number {
    return this.#queued;
  }

  get dead(): number {
    return this.#dead;
  }

  /** Consecutive dead letters. */
  get deadStreak(): number {
    return this.#deadStreak;
  }

  /** Number of calls in progress. */
  get sending(): number {
    return this.#sending;
  }

  /** Nothing is sent before this time; monotonic. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** It did not respond the last time, or was not called yet: one call at a time. */
  get doubted(): boolean {
    return this.#doubted;
  }

  /** The time since which calls have been in progress without any of them ending; monotonic. */
  get silentSinceMs(): number {
    return this.#silentSinceMs;
  }

  /** `seq` of the last event. */
  get newest(): number {
    return this.#newest;
  }

  /** A node sends to it, or a user may still need its figures. */
  get isInUse(): boolean {
    const { queued, dead, pause, rehearsal } = this;
    return this.#openSenders > 0 || queued > 0 || dead > 0 || pause !== null || rehearsal !== null;
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds the contents of the file at the start. */
  restoreTotals(state: EventRow['state'], count: number, bytes: number, newest: number): void {
    this.#bytes += bytes;
    this.#newest = Math.max(this.#newest, newest);
    if (state === 'dead') this.#dead += count;
  }

  restoreQueue(key: string, count: number): void {
    const queue = this.#queue(key);
    queue.restore(count);
    this.#queued += count;
    this.#ready.add(queue);
  }

  /** An event was stored. Returns its queue. */
  enqueue(row: EventRow, nowMs: number): Queue {
    const queue = this.#queue(row.queue);
    queue.add();
    this.#queued += 1;
    this.#bytes += row.bytes;
    this.#newest = row.seq;
    this.rates.add(nowMs, { accepted: 1, bytesIn: row.bytes });
    this.#rehearsal?.accepted();
    if (queue.count === 1 && queue.state === 'ready') this.#ready.add(queue);
    return queue;
  }

  /** A dead event is queued again, in its old position. */
  revive(row: EventRow): void {
    const queue = this.#queue(row.queue);
    queue.rewindLater();
    queue.add();
    this.#queued += 1;
    this.#dead -= 1;
    this.#rehearsal?.revived(row.seq);
    if (queue.state === 'ready') this.#ready.add(queue);
  }

  /** An event was removed from the file: by a user, or by its sender before it was tried. */
  discard(row: EventRow, nowMs: number): void {
    this.#removeBytes(row, nowMs);
    if (row.state === 'dead') {
      this.#dead -= 1;
      return;
    }
    this.#rehearsal?.discarded(row.seq);
    this.#waiters.delete(row.id);
    this.#dequeue(this.#queue(row.queue));
  }

  /** Whether its row must be written. */
  deliver(queue: Queue, row: EventRow, nowMs: number): boolean {
    queue.advanceCursor(row.seq);
    this.#dequeue(queue);
    this.#removeBytes(row, nowMs);
    this.#failures = 0;
    this.rates.add(nowMs, { delivered: 1 });
    this.#rehearsal?.delivered(queue.key, row.seq);
    const hadStreak = this.#deadStreak > 0;
    this.#deadStreak = 0;
    return hadStreak;
  }

  /** An event became a dead letter. */
  bury(queue: Queue, row: EventRow): void {
    queue.advanceCursor(row.seq);
    this.#dequeue(queue);
    this.#dead += 1;
    this.#deadStreak += 1;
    this.#rehearsal?.died(row.seq);
  }

  addDead(bytes: number): void {
    this.#dead += 1;
    this.#bytes += bytes;
  }

  changeBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The file has no events for the queue although some were counted: the file is right. */
  dropEmpty(queue: Queue): void {
    this.#queued -= queue.count;
    this.forget(queue);
  }

  forget(queue: Queue): void {
    queue.cancelTimer();
    this.#ready.delete(queue);
    if (this.#queues.get(queue.key) === queue) this.#queues.delete(queue.key);
  }

  #dequeue(queue: Queue): void {
    queue.remove();
    this.#queued -= 1;
    if (queue.count <= 0 && queue.state !== 'sending') this.forget(queue);
  }

  #removeBytes({ bytes }: EventRow, nowMs: number): void {
    this.#bytes -= bytes;
    this.rates.add(nowMs, { bytesOut: bytes });
  }

  #queue(key: string): Queue {
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const added = new Queue(this, key);
    this.#queues.set(key, added);
    return added;
  }

  // ── When it may be called ─────────────────────────────────────────────────────────────────────────────────────

  pauseFor(pause: Pause): void {
    this.#pause = pause;
  }

  resume(): void {
    this.#pause = null;
    this.#deadStreak = 0;
  }

  beginRehearsal(run: RehearsalRun): void {
    this.#rehearsal = run;
  }

  /** Puts the queue at the end of those that are ready. */
  markReady(queue: Queue): void {
    this.#ready.add(queue);
  }

  /** Takes the next ready queue, or the given one. */
  takeReady(queue = this.#firstReady()): Queue | undefined {
    if (queue) this.#ready.delete(queue);
    return queue;
  }

  #firstReady(): Queue | undefined {
    const [first] = this.#ready;
    return first;
  }

  /** Nothing is sent for `delayMs`; a delay that was requested for one call is not shortened by another. */
  hold(delayMs: number, clock: Clock, onDue: () => void): void {
    this.cancelTimer();
    this.#dueMs = Math.max(this.#dueMs, clock.nowMs() + delayMs);
    this.#cancelTimer = clock.after(this.#dueMs - clock.nowMs(), () => {
      // Timers may fire a little early: their time counts as reached.
      this.#dueMs = 0;
      onDue();
    });
  }

  /** Waiting events may be sent immediately. */
  endHold(): void {
    this.cancelTimer();
    this.#failures = 0;
    this.#dueMs = 0;
    for (const queue of this.#queues.values()) if (queue.state === 'waiting') queue.makeReady();
  }

  cancelTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** The earliest time at which the queue's head may be tried; Infinity: not without an event. */
  heldUntilMs(queue: Queue): number {
    if (this.stopped) return Infinity;
    return Math.max(this.#dueMs, queue.state === 'waiting' ? queue.dueMs : 0);
  }

  /**
   * The time of the next attempt: milliseconds of the monotonic clock; null: nothing waits, or the target is stopped.
   */
  nextTryMs(nowMs: number): number | null {
    if (this.stopped || this.#queued === 0) return null;
    if (this.#ready.size > 0 || this.#sending > 0) return Math.max(this.#dueMs, nowMs);
    let first = Infinity;
    for (const queue of this.#queues.values()) if (queue.state === 'waiting') first = Math.min(first, queue.dueMs);
    return first === Infinity ? null : Math.max(first, this.#dueMs);
  }

  // ── Calls ─────────────────────────────────────────────────────────────────────────────────────────────────────

  beginCall(nowMs: number): void {
    if (this.#sending === 0) this.#silentSinceMs = nowMs;
    this.#sending += 1;
  }

  endCall(nowMs: number): void {
    this.#silentSinceMs = nowMs;
    this.#sending -= 1;
  }

  recordAnswer(last: EgressAnswer): void {
    this.#last = last;
  }

  /** `result`: of an attempt; null: nothing was sent. */
  recordResult(result: HttpResult['kind'] | null): void {
    if (result !== null) this.#doubted = result === 'unreachable' || result === 'timeout';
  }

  /**
   * Counts a failure of the target (`scope`), and returns the number of consecutive ones. Calls that were in progress
   * together and fail together are one failure.
   */
  countFailure(scope: 'queue' | 'target', nowMs: number): number {
    const held = nowMs < this.#dueMs;
    this.#failures = scope === 'target' ? Math.max(1, this.#failures + (held ? 0 : 1)) : 0;
    return this.#failures;
  }

  /** Returns whether this problem is new. */
  setTrouble(trouble: string | null): boolean {
    const isNew = trouble !== this.#trouble;
    this.#trouble = trouble;
    return isNew;
  }

  // ── Nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Nodes open and close sender configs for it. */
  changeSenders(by: 1 | -1): void {
    this.#openSenders += by;
  }

  addWaiter(id: string, waiter: Waiter): void {
    this.#waiters.set(id, waiter);
  }

  takeWaiter(id: string): Waiter | null {
    const waiter = this.#waiters.get(id) ?? null;
    if (waiter !== null) this.#waiters.delete(id);
    return waiter;
  }

  /** Returns the waiters of these queues whose event cannot be tried before they stop waiting. */
  takeLateWaiters(concerns: (queue: Queue) => boolean): [id: string, waiter: Waiter][] {
    const late = [...this.#waiters].filter(
      ([, { queue, deadlineMs }]) =>
        queue.state !== 'sending' && concerns(queue) && this.heldUntilMs(queue) >= deadlineMs,
    );
    for (const [id] of late) this.#waiters.delete(id);
    return late;
  }

  record(clock: Clock, oldestMs: number | null, fullInSeconds: number | null): EgressTarget {
    const nowMs = clock.nowMs();
    const wallOf = (ms: number) => timeText(clock.wallMs() + Math.min(Math.max(0, ms - nowMs), RETRY_AFTER_MS_MAX));
    const next = this.nextTryMs(nowMs);
    const { accepted, delivered } = this.rates.lastMinute(nowMs);
    return {
      id: `t${this.id}`,
      target: this.origin,
      state: this.#pause === null ? 'open' : 'paused',
      reason: this.#pause?.reason ?? (this.#rehearsal?.blocked === true ? 'an outage is rehearsed' : this.#trouble),
      pausedBy: this.#pause?.by ?? null,
      pausedAt: this.#pause === null ? null : timeText(this.#pause.atMs),
      queued: this.#queued,
      dead: this.#dead,
      bytes: this.#bytes,
      oldestAt: oldestMs === null ? null : timeText(oldestMs),
      nextTryAt: next === null ? null : wallOf(next),
      fullInSeconds,
      acceptedPerMinute: accepted,
      deliveredPerMinute: delivered,
      lastAnswer: this.#last,
      rehearsal: this.#rehearsal?.report() ?? null,
    };
  }
}
