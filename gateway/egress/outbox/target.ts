import type { EgressAnswer, EgressTarget } from '#common/model/egress.ts';
import { type Clock, timeText } from './clock.ts';
import { RETRY_AFTER_MS_MAX } from './limits.ts';
import { Rates } from './rates.ts';
import type { RehearsalRun } from './rehearsal.ts';
import type { TargetRow } from './store.ts';

/**
 * A queue: events of one target with one ordering key, oldest first. It exists while it has events.
 * States: ready (its head may be tried), sending, waiting (until `dueMs`).
 */
export interface Queue {
  readonly target: Target;
  /** Hex; empty = without an ordering key. */
  readonly key: string;
  /** Events that wait in it, the one under way included. */
  count: number;
  /** Deliveries and dead letters up to here may not be written yet: the head of the queue is behind it. */
  cursor: number;
  state: 'ready' | 'sending' | 'waiting';
  dueMs: number;
  cancelTimer: (() => void) | null;
  /** After a start: whether the time that the file has for its next try was heeded. */
  fresh: boolean;
  /** A dead letter was returned while another event was in progress: the queue restarts when that one is written. */
  rewind: boolean;
  /** Since when its head is answered that it cannot be taken: monotonic, beside the time of day that the file has. */
  answered: { readonly seq: number; readonly sinceMs: number } | null;
  /** How many of its head's attempts only repeated one that a kept connection had lost. */
  repeats: { readonly seq: number; readonly count: number } | null;
}

/** A node that waits for what becomes of its event. */
export interface Waiter {
  readonly ticket: number;
  readonly queue: Queue;
  readonly deadlineMs: number;
}

export interface Pause {
  readonly reason: string;
  /** A person's name; null = Sluice did it. */
  readonly by: string | null;
  readonly atMs: number;
}

/** Scheme, host and port, with everything that is known of it now. */
export class Target {
  readonly id: number;
  readonly origin: string;
  pause: Pause | null;
  /** Dead letters in a row. */
  streak: number;
  queued = 0;
  dead = 0;
  bytes = 0;
  /** Lines that nodes hold open. */
  lines = 0;
  readonly queues = new Map<string, Queue>();
  readonly ready = new Set<Queue>();
  readonly waiters = new Map<string, Waiter>();
  sending = 0;
  /** Attempts in a row that found nobody there; nothing is sent before `dueMs`. */
  failures = 0;
  dueMs = 0;
  cancelTimer: (() => void) | null = null;
  /** It did not answer the last time, or was not called yet: one call at a time. */
  doubted = true;
  /** Since when calls are under way and none has ended: monotonic. */
  silentSinceMs = 0;
  trouble: string | null = null;
  last: EgressAnswer | null = null;
  /** The last event's `seq`. */
  newest = 0;
  tokens = 1;
  tokensAtMs: number;
  rehearsal: RehearsalRun | null = null;
  readonly rates: Rates;

  constructor(row: TargetRow, nowMs: number) {
    this.id = row.id;
    this.origin = row.origin;
    this.streak = row.streak;
    this.pause = row.paused
      ? { reason: row.reason ?? 'it was paused', by: row.pausedBy, atMs: row.pausedAtMs ?? 0 }
      : null;
    this.tokensAtMs = nowMs;
    this.rates = new Rates(nowMs);
  }

  row(): TargetRow {
    return {
      id: this.id,
      origin: this.origin,
      paused: this.pause !== null,
      reason: this.pause?.reason ?? null,
      pausedBy: this.pause?.by ?? null,
      pausedAtMs: this.pause?.atMs ?? null,
      streak: this.streak,
    };
  }

  /** Nothing is sent, for as long as a person or the minute of a rehearsal says. */
  get stopped(): boolean {
    return this.pause !== null || this.rehearsal?.blocked === true;
  }

  queue(key: string): Queue {
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const fresh: Queue = {
      target: this,
      key,
      count: 0,
      cursor: 0,
      state: 'ready',
      dueMs: 0,
      cancelTimer: null,
      fresh: false,
      rewind: false,
      answered: null,
      repeats: null,
    };
    this.queues.set(key, fresh);
    return fresh;
  }

  /** From when on the queue's head may be tried at the earliest; Infinity = not by itself. */
  heldUntilMs(queue: Queue): number {
    if (this.stopped) return Infinity;
    return Math.max(this.dueMs, queue.state === 'waiting' ? queue.dueMs : 0);
  }

  /** When something is tried next: milliseconds of the monotonic clock; null = nothing waits, or it is stopped. */
  nextTryMs(nowMs: number): number | null {
    if (this.stopped || this.queued === 0) return null;
    if (this.ready.size > 0 || this.sending > 0) return Math.max(this.dueMs, nowMs);
    let first = Infinity;
    for (const queue of this.queues.values()) if (queue.state === 'waiting') first = Math.min(first, queue.dueMs);
    return first === Infinity ? null : Math.max(first, this.dueMs);
  }

  /** One event of a backlog may go now, at `ratePerSecond`; else how long to wait. */
  takeToken(ratePerSecond: number, nowMs: number): number {
    const capacity = Math.max(1, ratePerSecond / 10);
    this.tokens = Math.min(capacity, this.tokens + ((nowMs - this.tokensAtMs) / 1000) * ratePerSecond);
    this.tokensAtMs = nowMs;
    if (this.tokens < 1) return Math.max(1, Math.ceil(((1 - this.tokens) / ratePerSecond) * 1000));
    this.tokens -= 1;
    return 0;
  }

  record(clock: Clock, oldestMs: number | null, fullInSeconds: number | null): EgressTarget {
    const nowMs = clock.nowMs();
    const wallOf = (ms: number) => timeText(clock.wallMs() + Math.min(Math.max(0, ms - nowMs), RETRY_AFTER_MS_MAX));
    const next = this.nextTryMs(nowMs);
    const { accepted, delivered } = this.rates.lastMinute(nowMs);
    return {
      id: `t${this.id}`,
      target: this.origin,
      state: this.pause === null ? 'open' : 'paused',
      reason: this.pause?.reason ?? (this.rehearsal?.blocked === true ? 'an outage is rehearsed' : this.trouble),
      pausedBy: this.pause?.by ?? null,
      pausedAt: this.pause === null ? null : timeText(this.pause.atMs),
      queued: this.queued,
      dead: this.dead,
      bytes: this.bytes,
      oldestAt: oldestMs === null ? null : timeText(oldestMs),
      nextTryAt: next === null ? null : wallOf(next),
      fullInSeconds,
      acceptedPerMinute: accepted,
      deliveredPerMinute: delivered,
      lastAnswer: this.last,
      rehearsal: this.rehearsal?.report() ?? null,
    };
  }
}
