import type { EgressAnswer } from '#common/model/egress.ts';
import type { HttpCall, HttpClient, HttpResult } from '../http/contract.ts';
import type { BufferGauge } from './buffer-gauge.ts';
import { type Clock, timeText } from './clock.ts';
import type { OutboxOutcome } from './contract.ts';
import {
  BACKLOG_AGE_MS,
  DEAD_STREAK_MAX,
  POISON_ANSWERS,
  POISON_MS,
  REHEARSAL_MS,
  RETRY_AFTER_MS_MAX,
  RETRY_MS_MAX,
  UNSETTLED_MAX,
  WRITE_RETRY_MS,
} from './limits.ts';
import type { Rates } from './rates.ts';
import { RehearsalRun } from './rehearsal.ts';
import { isDamage, isSqliteError } from './schema.ts';
import { answerText, judge, retryDelayMs, type Verdict } from './retry.ts';
import { SendPlaces } from './send-places.ts';
import type { OutboxShares } from './shares.ts';
import type { EventRow, LineSecrets, OutboxStore } from './store.ts';
import type { Pause, Queue, Target } from './target.ts';
import type { GroupWriter } from './writer.ts';

/**
 * Sends stored events (docs/spec/egress.md#order): of each queue only the head, queues of a target in parallel, targets
 * in turn.
 *
 * `retry.ts` evaluates the result of an attempt. Here it takes effect: the event is removed, remains or becomes a dead
 * letter; its queue, or its target, waits or stops. Memory is ahead of the file by the writer's uncommitted changes: a
 * queue's `cursor` keeps a delivered event from being read again before its row is removed.
 *
 * Limits: SENDS_MAX calls, shared fairly (send-places.ts): SENDS_PER_TARGET_MAX of one target, one of a target that did
 * not answer, fewer when most places are taken, SENDS_PER_PROJECT_MAX of one project beside others; nothing is sent
 * while UNSETTLED_MAX outcomes are not on disk.
 */
export interface DeliveryDispatcherParts {
  readonly store: OutboxStore;
  readonly writer: GroupWriter;
  readonly client: HttpClient;
  readonly gauge: BufferGauge;
  readonly shares: OutboxShares;
  /** Of all targets. */
  readonly rates: Rates;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter. */
  random(): number;
  drainRate(): number;
  /** How a line's events are sent now; null = nothing says it. Throws when it cannot be read. */
  secrets(line: number): LineSecrets | null;
  /** Project of the node that stored by a line. Throws if it cannot be read. */
  project(line: number): string;
  tell(ticket: number, outcome: OutboxOutcome): void;
  log(level: 'info' | 'warn' | 'error', text: string, fields: Readonly<Record<string, unknown>>): void;
}

const UNREADABLE = 'the outbox cannot be read: its disk fails, or the file is damaged';

export class DeliveryDispatcher {
  readonly targets = new Map<number, Target>();
  readonly #parts: DeliveryDispatcherParts;
  readonly #cutOff = new AbortController();
  readonly #places: SendPlaces;
  #turn = 0;
  #closing = false;
  #idle: (() => void) | null = null;

  constructor(parts: DeliveryDispatcherParts) {
    this.#parts = parts;
    this.#places = new SendPlaces((project) => parts.shares.hasOthers(project));
  }

  // ── What comes in ─────────────────────────────────────────────────────────────────────────────────────────────

  /** An event was committed. `waiter`: who waits for it, and until when. */
  accepted(target: Target, row: EventRow, waiter: { ticket: number; deadlineMs: number } | null): void {
    const queue = target.queue(row.queue);
    queue.count += 1;
    target.queued += 1;
    target.bytes += row.bytes;
    target.newest = row.seq;
    const nowMs = this.#parts.clock.nowMs();
    target.rates.add(nowMs, { accepted: 1, bytesIn: row.bytes });
    target.rehearsal?.accepted();
    if (waiter !== null) this.#await(target, queue, row.id, waiter);
    if (queue.count === 1 && queue.state === 'ready') target.ready.add(queue);
    this.pump(target);
  }

  #await(target: Target, queue: Queue, id: string, { ticket, deadlineMs }: { ticket: number; deadlineMs: number }) {
    if (target.heldUntilMs(queue) >= deadlineMs) return this.#parts.tell(ticket, { kind: 'queued', id });
    target.waiters.set(id, { ticket, queue, deadlineMs });
  }

  /** Restores a queue from the opened file. */
  restore(target: Target, key: string, count: number): void {
    const queue = target.queue(key);
    queue.count = count;
    queue.fresh = true;
    target.queued += count;
    target.ready.add(queue);
  }

  /** A dead event is queued again, in its old place. Everything before was written down. */
  revived(target: Target, row: EventRow): void {
    const queue = target.queue(row.queue);
    queue.rewind = true;
    queue.count += 1;
    target.queued += 1;
    target.dead -= 1;
    target.rehearsal?.revived(row.seq);
    if (queue.state === 'ready') target.ready.add(queue);
    this.pump(target);
  }

  /** An event was taken out by a person, or by its sender before it was tried; the file says so already. */
  removed(target: Target, row: EventRow): void {
    this.#gone(target, row);
    if (row.state === 'dead') {
      target.dead -= 1;
      return;
    }
    target.rehearsal?.discarded(row.seq);
    target.waiters.delete(row.id);
    this.#left(target.queue(row.queue));
  }

  unwait(id: string): void {
    for (const target of this.targets.values()) if (target.waiters.delete(id)) return;
  }

  // ── Stops and starts ──────────────────────────────────────────────────────────────────────────────────────────

  pause(target: Target, pause: Pause): void {
    target.pause = pause;
    this.#writeTarget(target);
    this.#release(target, () => true);
    this.#parts.log('warn', 'a target is paused', { target: target.origin, reason: pause.reason, by: pause.by });
  }

  resume(target: Target): void {
    target.pause = null;
    target.streak = 0;
    this.#writeTarget(target);
    this.#wake(target);
  }

  rehearse(target: Target, by: string): void {
    const { clock } = this.#parts;
    target.rehearsal = new RehearsalRun(by, clock.wallMs(), target.queued);
    this.#release(target, (queue) => target.heldUntilMs(queue) > 0);
    clock.after(REHEARSAL_MS, () => {
      target.rehearsal?.unblock(target.newest);
      this.pump(target);
    });
  }

  /** Sends the head of a stopped target's first queue once. False when there is none that can be. */
  async tryOnce(target: Target): Promise<boolean> {
    const queue = [...target.queues.values()].find(({ state, count }) => state !== 'sending' && count > 0);
    const row = queue && this.#head(queue);
    if (!queue || !row) return false;
    this.#makeReady(queue);
    target.ready.delete(queue);
    await this.#send(queue, row);
    return true;
  }

  /** Tries again at once whatever waits. */
  #wake(target: Target): void {
    this.#disarm(target);
    target.failures = 0;
    target.dueMs = 0;
    for (const queue of target.queues.values()) if (queue.state === 'waiting') this.#makeReady(queue);
    this.pump(target);
  }

  /** Once a second: what people look at, and what rehearsals follow. */
  tick(): void {
    const { store, writer, clock } = this.#parts;
    const waits = [...this.targets.values()].some((target) => this.#isDue(target) && target.sending === 0);
    this.#places.makeReady(this.#isOpen);
    this.#places.tick(waits);
    for (const target of this.targets.values()) {
      const { rehearsal } = target;
      if (rehearsal === null || rehearsal.done || !writer.flush()) continue;
      const { lastSeq } = rehearsal;
      rehearsal.sample(store.countQueued(target.id, Math.min(lastSeq, Number.MAX_SAFE_INTEGER)), clock.wallMs());
    }
  }

  /** The targets that keep others from being called; empty = none does. */
  crowdedBy(): string[] {
    return this.#places.crowdedBy(this.targets.values(), this.#parts.clock.nowMs());
  }

  /** Each time another target comes first: with all places taken, they go round. */
  pumpAll(): void {
    const ready = [...this.targets.values()].filter((target) => target.ready.size > 0);
    this.#turn += 1;
    for (const index of ready.keys()) {
      const target = ready[(this.#turn + index) % ready.length];
      if (target) this.pump(target);
    }
  }

  /** No call is under way. */
  get resting(): boolean {
    return this.#places.taken === 0;
  }

  /** Nothing more is sent; calls under way get `graceMs`, then they are cut off. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const target of this.targets.values()) this.#disarm(target);
    if (this.resting) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const cancel = this.#parts.clock.after(graceMs, () => this.#cutOff.abort());
    await promise;
    cancel();
  }

  // ── Sending ───────────────────────────────────────────────────────────────────────────────────────────────────

  pump(target: Target): void {
    while (this.#maySend(target)) {
      const [queue] = target.ready;
      if (queue === undefined) return;
      target.ready.delete(queue);
      const row = this.#head(queue);
      if (row === undefined) continue;
      if (row === null) this.#empty(queue);
      else if (!this.#places.mayTake(this.#project(row), queue)) continue;
      else if (!this.#heedFile(queue, row) && !this.#throttled(queue, row)) void this.#send(queue, row);
    }
  }

  /** Null = it has none; undefined = it cannot be read now, and the queue waits. */
  #head(queue: Queue): EventRow | null | undefined {
    const { store, writer, log } = this.#parts;
    const { target } = queue;
    if (queue.rewind) {
      if (!writer.flush()) return this.#later(queue, WRITE_RETRY_MS);
      queue.rewind = false;
      queue.cursor = 0;
    }
    try {
      return this.#sendable(store.head(target.id, queue.key, queue.cursor));
    } catch (error) {
      // One damaged page must not keep the other queues from going out.
      const told = target.trouble === UNREADABLE;
      target.trouble = UNREADABLE;
      if (!told) log('error', 'the head of a queue cannot be read', { target: target.origin, error: String(error) });
      return this.#later(queue, RETRY_MS_MAX);
    }
  }

  /** Throws when the page is damaged that says how it is sent: it waits. Any other fault is the attempt's. */
  #sendable(row: EventRow | null): EventRow | null {
    try {
      if (row !== null) this.#parts.secrets(row.line);
    } catch (error) {
      if (isDamage(error)) throw error;
    }
    return row;
  }

  #later(queue: Queue, delayMs: number): undefined {
    this.#hold(queue, delayMs);
    return undefined;
  }

  #maySend(target: Target): boolean {
    if (!this.#isDue(target) || this.#parts.writer.unsettled >= UNSETTLED_MAX) return false;
    return target.sending < this.#places.of(target);
  }

  #isDue(target: Target): boolean {
    return target.ready.size > 0 && this.#isOpen(target);
  }

  readonly #isOpen = (target: Target): boolean =>
    !this.#closing && !target.stopped && this.#parts.clock.nowMs() >= target.dueMs;

  /** The first head after a start: a time that its target asked for still counts. */
  #heedFile(queue: Queue, row: EventRow): boolean {
    if (!queue.fresh) return false;
    queue.fresh = false;
    const { clock } = this.#parts;
    const delayMs = Math.min((row.nextAtMs ?? 0) - clock.wallMs(), askedMs(row), RETRY_AFTER_MS_MAX);
    if (delayMs <= 0) return false;
    this.#hold(queue, delayMs);
    return true;
  }

  #throttled(queue: Queue, row: EventRow): boolean {
    const { clock, drainRate } = this.#parts;
    const { target } = queue;
    const ageMs = clock.wallMs() - row.acceptedAtMs;
    // One from the future was accepted before the clock was set back: it has waited.
    if (ageMs >= 0 && ageMs < BACKLOG_AGE_MS) return false;
    const waitMs = target.takeToken(drainRate(), clock.nowMs());
    if (waitMs === 0) return false;
    target.ready.add(queue);
    this.#holdTarget(target, waitMs);
    return true;
  }

  async #send(queue: Queue, row: EventRow): Promise<void> {
    queue.state = 'sending';
    const { verdict, last, result } = await this.#attempt(queue.target, row);
    queue.state = 'ready';
    if (verdict.kind === 'cancelled') standReady(queue);
    else await this.#settle(queue, this.#counted(queue, row, result), verdict, last, result);
    this.#rested(queue.target, this.#project(row));
  }

  /** After a call ended: continues with its target, and with those that waited for a place. */
  #rested(target: Target, project: string): void {
    if (this.resting) this.#idle?.();
    const others = this.#places.makeReady(this.#isOpen, project);
    // Places were scarce: the one that is free now may be another target's.
    if (this.#places.areScarce || others) this.pumpAll();
    else this.pump(target);
  }

  /** Empty when it cannot be read: the attempt says so. */
  #project({ line }: EventRow): string {
    try {
      return this.#parts.project(line);
    } catch {
      return '';
    }
  }

  async #attempt(target: Target, row: EventRow): Promise<Attempt> {
    const { client, clock } = this.#parts;
    const call = this.#callOf(target, row);
    if (typeof call === 'string') return unreadable(call, clock);
    const project = this.#project(row);
    this.#places.take(project, target, clock.nowMs());
    const result = await client.call(call, this.#cutOff.signal);
    this.#places.giveBack(project, target, clock.nowMs());
    const status = result.kind === 'answered' ? result.status : null;
    const last = {
      at: timeText(clock.wallMs()),
      status,
      text: answerText(result),
      durationMs: Math.round(result.durationMs),
    };
    target.last = last;
    return { verdict: judge(result, clock.wallMs()), last, result };
  }

  /** A text says why the event cannot be sent at all. */
  #callOf(target: Target, row: EventRow): HttpCall | string {
    const { store, secrets } = this.#parts;
    try {
      const line = secrets(row.line);
      if (line === null) return 'no running pipeline says how it is sent';
      const { path, contentType, traceparent, body } = store.content(row);
      return {
        origin: target.origin,
        method: row.method,
        path,
        headers: headersOf(line.headers, contentType, idempotencyKey(row), traceparent),
        body,
        timeoutMs: line.timeoutMs,
        tls: line.tls,
        // Stored is sent at least once: its target knows a repetition by the key.
        repeatable: true,
        pool: '',
      };
    } catch (error) {
      // A disk error is not the event's fault: the thread ends and continues from the file.
      if (isSqliteError(error)) throw error;
      return 'what the outbox holds of it cannot be read: the file was changed or damaged';
    }
  }

  /** A repetition on a fresh connection is an attempt as well, though not a failure that makes the next one wait longer. */
  #counted(queue: Queue, row: EventRow, result: HttpResult | null): EventRow {
    if (result?.repeated !== true) return row;
    queue.repeats = { seq: row.seq, count: repeatsOf(queue, row) + 1 };
    return { ...row, attempts: row.attempts + 1 };
  }

  async #settle(queue: Queue, row: EventRow, verdict: Verdict, last: EgressAnswer, result: HttpResult | null) {
    const { target } = queue;
    target.doubted = result === null ? target.doubted : result.kind === 'unreachable' || result.kind === 'timeout';
    if (verdict.kind !== 'retry') target.trouble = null;
    switch (verdict.kind) {
      case 'delivered':
        this.#delivered(queue, row, result);
        return this.#next(queue);
      case 'dead':
        this.#died(queue, row, verdict.reason, last);
        return this.#next(queue);
      case 'pause':
        this.#tried(row, last, row.answers, row.answersSinceMs, null);
        target.ready.add(queue);
        return this.pause(target, { reason: verdict.reason, by: null, atMs: this.#parts.clock.wallMs() });
      case 'retry':
        return this.#retryLater(queue, row, verdict, last);
      case 'cancelled':
        return;
    }
  }

  async #retryLater(queue: Queue, row: EventRow, verdict: Verdict & { kind: 'retry' }, last: EgressAnswer) {
    const { clock, random } = this.#parts;
    const { target } = queue;
    const wallMs = clock.wallMs();
    const answers = row.answers + (verdict.answered ? 1 : 0);
    const answeredMs = verdict.answered ? this.#answeredMs(queue, row, wallMs) : 0;
    const since = verdict.answered ? wallMs - answeredMs : row.answersSinceMs;
    target.trouble = verdict.reason;
    // Calls that were under way together fail together: that is one failure of the target.
    const held = clock.nowMs() < target.dueMs;
    target.failures = verdict.scope === 'target' ? Math.max(1, target.failures + (held ? 0 : 1)) : 0;
    const failures = verdict.scope === 'target' ? target.failures : row.attempts - repeatsOf(queue, row) + 1;
    const delayMs = verdict.afterMs ?? retryDelayMs(failures, random());
    // After a restart, a target that did not respond is tried at once: the problem may be fixed.
    const told = verdict.afterMs !== null || verdict.answered;
    this.#tried(row, last, answers, since, told ? wallMs + delayMs : null);
    if (verdict.answered && answers >= POISON_ANSWERS && answeredMs >= POISON_MS) {
      if (await this.#isPoison(queue, row)) {
        this.#died(queue, row, `${verdict.reason} for ${POISON_MS / 60_000} minutes, but took the next event`, last);
        return this.#next(queue);
      }
    }
    if (this.#closing) return standReady(queue);
    if (verdict.scope === 'queue') return this.#hold(queue, delayMs);
    target.ready.add(queue);
    this.#holdTarget(target, delayMs);
    this.#release(target, () => true);
  }

  /** For how long the head has been answered so: a clock that is set neither shields a poison nor makes one. */
  #answeredMs(queue: Queue, { seq, answersSinceMs }: EventRow, wallMs: number): number {
    const nowMs = this.#parts.clock.nowMs();
    if (queue.answered?.seq !== seq) {
      const beforeMs = Math.max(0, wallMs - (answersSinceMs ?? wallMs));
      queue.answered = { seq, sinceMs: nowMs - beforeMs };
    }
    return nowMs - queue.answered.sinceMs;
  }

  /** Tries the event behind a head that is refused again and again; if that is taken, the head is to blame. */
  async #isPoison(queue: Queue, head: EventRow): Promise<boolean> {
    const { target } = queue;
    const next = this.#behind(queue, head);
    if (next === null || target.stopped || this.#closing) return false;
    queue.state = 'sending';
    const { verdict, last, result } = await this.#attempt(target, next);
    queue.state = 'ready';
    if (verdict.kind === 'delivered') {
      this.#delivered(queue, next, result);
      return true;
    }
    const counted = this.#counted(queue, next, result);
    if (verdict.kind !== 'cancelled') this.#tried(counted, last, next.answers, next.answersSinceMs, null);
    if (verdict.kind === 'pause')
      this.pause(target, { reason: verdict.reason, by: null, atMs: this.#parts.clock.wallMs() });
    return false;
  }

  /** Null also when it cannot be read: then nothing shows whether the head is to blame. */
  #behind({ target, key }: Queue, head: EventRow): EventRow | null {
    try {
      return this.#sendable(this.#parts.store.head(target.id, key, head.seq));
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  }

  // ── Ends of an event ──────────────────────────────────────────────────────────────────────────────────────────

  #delivered(queue: Queue, row: EventRow, result: HttpResult | null): void {
    const { store, writer, rates, clock } = this.#parts;
    const { target } = queue;
    writer.add({ apply: () => store.remove(row.seq) });
    this.#passed(queue, row);
    this.#gone(target, row);
    target.failures = 0;
    rates.add(clock.nowMs(), { delivered: 1 });
    target.rates.add(clock.nowMs(), { delivered: 1 });
    target.rehearsal?.delivered(queue.key, row.seq);
    if (target.streak > 0) {
      target.streak = 0;
      this.#writeTarget(target);
    }
    if (result?.kind !== 'answered') return;
    const { status, headers, body } = result;
    this.#answer(target, row, { kind: 'answered', status, headers, body });
  }

  #died(queue: Queue, row: EventRow, reason: string, last: EgressAnswer | null): void {
    const { store, writer, clock, log } = this.#parts;
    const { target } = queue;
    const wallMs = clock.wallMs();
    writer.add({ apply: () => store.died(row.seq, reason, wallMs, row.attempts + 1, last) });
    this.#passed(queue, row);
    target.dead += 1;
    target.streak += 1;
    target.rehearsal?.died(row.seq);
    this.#writeTarget(target);
    log('warn', 'an event went to the dead letters', { target: target.origin, event: row.id, reason });
    this.#answer(target, row, { kind: 'dead', id: row.id, text: reason });
    if (target.streak >= DEAD_STREAK_MAX && target.pause === null) {
      const text = `${target.streak} events in a row went to the dead letters; the last one because ${reason}`;
      this.pause(target, { reason: text, by: null, atMs: wallMs });
    }
  }

  #tried(row: EventRow, last: EgressAnswer, answers: number, answersSinceMs: number | null, nextAtMs: number | null) {
    const { store, writer } = this.#parts;
    const tried = { attempts: row.attempts + 1, nextAtMs, answers, answersSinceMs, last };
    writer.add({ apply: () => store.tried(row.seq, tried) });
  }

  /** It is no longer queued. */
  #passed(queue: Queue, row: EventRow): void {
    queue.cursor = Math.max(queue.cursor, row.seq);
    this.#left(queue);
  }

  #left(queue: Queue): void {
    queue.count -= 1;
    queue.target.queued -= 1;
    if (queue.count <= 0 && queue.state !== 'sending') this.#forget(queue);
  }

  /** It is no longer stored. */
  #gone(target: Target, row: EventRow): void {
    const { gauge, shares, rates, clock } = this.#parts;
    target.bytes -= row.bytes;
    gauge.change(-1, -row.bytes);
    shares.change({ project: this.#project(row), target: target.id }, -1, -row.bytes);
    rates.add(clock.nowMs(), { bytesOut: row.bytes });
    target.rates.add(clock.nowMs(), { bytesOut: row.bytes });
  }

  #answer(target: Target, row: EventRow, outcome: OutboxOutcome): void {
    const waiter = target.waiters.get(row.id);
    if (waiter === undefined) return;
    target.waiters.delete(row.id);
    this.#parts.tell(waiter.ticket, outcome);
  }

  // ── Queues ────────────────────────────────────────────────────────────────────────────────────────────────────

  #next(queue: Queue): void {
    if (queue.count === 0) return this.#forget(queue);
    queue.target.ready.add(queue);
    if (queue.target.stopped) this.#release(queue.target, (other) => other === queue);
  }

  /** The file has nothing for it although it was counted: the count was wrong, and the file is right. */
  #empty(queue: Queue): void {
    queue.target.queued -= queue.count;
    this.#forget(queue);
  }

  #forget(queue: Queue): void {
    queue.cancelTimer?.();
    queue.target.ready.delete(queue);
    if (queue.target.queues.get(queue.key) === queue) queue.target.queues.delete(queue.key);
  }

  #hold(queue: Queue, delayMs: number): void {
    const { clock } = this.#parts;
    queue.state = 'waiting';
    queue.dueMs = clock.nowMs() + delayMs;
    queue.cancelTimer = clock.after(delayMs, () => {
      this.#makeReady(queue);
      this.pump(queue.target);
    });
    this.#release(queue.target, (other) => other === queue);
  }

  #makeReady(queue: Queue): void {
    queue.cancelTimer?.();
    queue.cancelTimer = null;
    queue.state = 'ready';
    if (queue.count > 0) queue.target.ready.add(queue);
  }

  #holdTarget(target: Target, delayMs: number): void {
    const { clock } = this.#parts;
    this.#disarm(target);
    // A delay that one call was asked for is not shortened by another.
    target.dueMs = Math.max(target.dueMs, clock.nowMs() + delayMs);
    target.cancelTimer = clock.after(target.dueMs - clock.nowMs(), () => {
      // Timers may fire a little early: what they were set for is due all the same.
      target.dueMs = 0;
      this.pump(target);
    });
  }

  #disarm(target: Target): void {
    target.cancelTimer?.();
    target.cancelTimer = null;
  }

  /** Nodes whose event cannot be tried before they stop waiting are notified now. */
  #release(target: Target, concerned: (queue: Queue) => boolean): void {
    for (const [id, { ticket, queue, deadlineMs }] of target.waiters) {
      if (queue.state === 'sending' || !concerned(queue) || target.heldUntilMs(queue) < deadlineMs) continue;
      target.waiters.delete(id);
      this.#parts.tell(ticket, { kind: 'queued', id });
    }
  }

  #writeTarget(target: Target): void {
    const { store, writer } = this.#parts;
    writer.add({ apply: () => store.putTarget(target.row()) });
  }
}

interface Attempt {
  readonly verdict: Verdict;
  readonly last: EgressAnswer;
  /** Null = nothing was sent. */
  readonly result: HttpResult | null;
}

function unreadable(reason: string, clock: Clock): Attempt {
  const last = { at: timeText(clock.wallMs()), status: null, text: reason, durationMs: 0 };
  return { verdict: { kind: 'dead', reason }, last, result: null };
}

/** How long its target asked it to wait, by what the file has; a clock that was set since then does not count. */
function askedMs({ nextAtMs, last }: EventRow): number {
  const triedAtMs = Date.parse(last?.at ?? '');
  return nextAtMs === null || Number.isNaN(triedAtMs) ? 0 : nextAtMs - triedAtMs;
}

function repeatsOf({ repeats }: Queue, { seq }: EventRow): number {
  return repeats?.seq === seq ? repeats.count : 0;
}

/** The queue goes to the end of those that are ready. */
function standReady(queue: Queue): void {
  queue.target.ready.add(queue);
}

/** An edited event is another one to its receiver. */
export function idempotencyKey({ id, edits }: Pick<EventRow, 'id' | 'edits'>): string {
  return edits === 0 ? id : `${id}.${edits}`;
}

/** The author's Content-Type wins over the one that the body has by itself. */
function headersOf(
  own: Readonly<Record<string, string>>,
  contentType: string | null,
  key: string,
  traceparent: string | null,
): Record<string, string> {
  const named = Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
  return {
    ...(contentType !== null && !named && { 'Content-Type': contentType }),
    ...own,
    'Idempotency-Key': key,
    ...(traceparent !== null && { traceparent }),
  };
}
