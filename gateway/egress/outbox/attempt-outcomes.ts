import type { EgressAnswer } from '#common/model/egress.ts';
import type { HttpResult } from '../http/contract.ts';
import type { OutboxOutcome } from './contract.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { DeliverySchedule } from './delivery-schedule.ts';
import { DEAD_STREAK_MAX, POISON_ANSWERS, POISON_MS } from './limits.ts';
import type { QueueHeads } from './queue-heads.ts';
import { retryDelayMs, type Verdict } from './retry.ts';
import { withTry } from './tries.ts';
import type { Attempt, Sender } from './send-attempt.ts';
import type { EventRow } from './store.ts';
import type { Pause, Queue, Target } from './target.ts';

/**
 * The effect of an attempt (docs/spec/egress.md#retries): the event is removed, remains or becomes a dead letter; its
 * queue, or its target, waits or stops. The state in memory is ahead of the file by the uncommitted changes of the
 * writer: a queue's `cursor` keeps a delivered event from being read again before its row is removed.
 */
export class AttemptOutcomes {
  readonly #parts: DeliveryParts;
  readonly #schedule: DeliverySchedule;
  readonly #heads: QueueHeads;
  readonly #sender: Sender;

  constructor(parts: DeliveryParts, schedule: DeliverySchedule, heads: QueueHeads, sender: Sender) {
    this.#parts = parts;
    this.#schedule = schedule;
    this.#heads = heads;
    this.#sender = sender;
  }

  async apply(queue: Queue, attempted: EventRow, { verdict, last, result }: Attempt): Promise<void> {
    const { target } = queue;
    if (verdict.kind === 'cancelled') return target.markReady(queue);
    const row = withRepeat(queue, attempted, result);
    target.recordResult(result?.kind ?? null);
    if (verdict.kind !== 'retry') target.setTrouble(null);
    switch (verdict.kind) {
      case 'delivered':
        this.#deliver(queue, row, result);
        return this.#continue(queue);
      case 'dead':
        this.#bury(queue, row, verdict.reason, last);
        return this.#continue(queue);
      case 'pause':
        this.#writeAttempt(row, last, { answers: row.answers, answersSinceMs: row.answersSinceMs, nextAtMs: null });
        target.markReady(queue);
        return this.#pauseFor(target, verdict.reason);
      case 'retry':
        return this.#retryLater(queue, row, verdict, last);
    }
  }

  pause(target: Target, pause: Pause): void {
    target.pauseFor(pause);
    this.writeTarget(target);
    this.#schedule.notifyLate(target, () => true);
    this.#parts.log('warn', 'a target is paused', { target: target.origin, reason: pause.reason, by: pause.by });
  }

  /** An event is no longer stored. */
  releaseBuffer(target: Target, row: EventRow): void {
    const { gauge, shares, rates, clock } = this.#parts;
    gauge.change(-1, -row.bytes);
    shares.change({ project: this.#heads.project(row), target: target.id }, -1, -row.bytes);
    rates.add(clock.nowMs(), { bytesOut: row.bytes });
  }

  writeTarget(target: Target): void {
    const { store, writer } = this.#parts;
    writer.add({ apply: () => store.putTarget(target.row()) });
  }

  async #retryLater(queue: Queue, row: EventRow, verdict: Verdict & { kind: 'retry' }, last: EgressAnswer) {
    const { clock, random } = this.#parts;
    const { target } = queue;
    const wallMs = clock.wallMs();
    const answers = row.answers + (verdict.answered ? 1 : 0);
    const answeredMs = verdict.answered ? queue.headHistory.answeredMs(row.seq, row.answersSinceMs, clock) : 0;
    const answersSinceMs = verdict.answered ? wallMs - answeredMs : row.answersSinceMs;
    target.setTrouble(verdict.reason);
    const ofTarget = target.countFailure(verdict.scope, clock.nowMs());
    const failures = verdict.scope === 'target' ? ofTarget : row.attempts - queue.headHistory.repeatsOf(row.seq) + 1;
    const delayMs = verdict.afterMs ?? retryDelayMs(failures, random());
    // After a restart, a target that did not respond is tried immediately: the problem may be solved.
    const isHeeded = verdict.afterMs !== null || verdict.answered;
    this.#writeAttempt(row, last, { answers, answersSinceMs, nextAtMs: isHeeded ? wallMs + delayMs : null });
    if (verdict.answered && answers >= POISON_ANSWERS && answeredMs >= POISON_MS) {
      if (await this.#isPoison(queue, row)) {
        this.#bury(queue, row, `${verdict.reason} for ${POISON_MS / 60_000} minutes, but took the next event`, last);
        return this.#continue(queue);
      }
    }
    if (this.#schedule.closing) return target.markReady(queue);
    if (verdict.scope === 'queue') return this.#schedule.hold(queue, delayMs);
    target.markReady(queue);
    this.#schedule.holdTarget(target, delayMs);
    this.#schedule.notifyLate(target, () => true);
  }

  /** Tries the event after a head that is refused repeatedly; if that one is accepted, the head is the cause. */
  async #isPoison(queue: Queue, head: EventRow): Promise<boolean> {
    const { target } = queue;
    const next = this.#heads.peekNext(queue, head);
    if (next === null || target.stopped || this.#schedule.closing) return false;
    queue.beginSending();
    const { verdict, last, result } = await this.#sender.attempt(target, next, this.#heads.project(next));
    queue.endSending();
    if (verdict.kind === 'delivered') {
      this.#deliver(queue, next, result);
      return true;
    }
    const row = withRepeat(queue, next, result);
    const { answers, answersSinceMs } = next;
    if (verdict.kind !== 'cancelled') this.#writeAttempt(row, last, { answers, answersSinceMs, nextAtMs: null });
    if (verdict.kind === 'pause') this.#pauseFor(target, verdict.reason);
    return false;
  }

  #pauseFor(target: Target, reason: string): void {
    this.pause(target, { reason, by: null, atMs: this.#parts.clock.wallMs() });
  }

  #deliver(queue: Queue, row: EventRow, result: HttpResult | null): void {
    const { store, writer, rates, clock } = this.#parts;
    const { target } = queue;
    writer.add({ apply: () => store.remove(row.seq) });
    const hadStreak = target.deliver(queue, row, clock.nowMs());
    this.releaseBuffer(target, row);
    rates.add(clock.nowMs(), { delivered: 1 });
    if (hadStreak) this.writeTarget(target);
    if (result?.kind !== 'answered') return;
    const { status, headers, body } = result;
    this.#notify(target, row, { kind: 'answered', status, headers, body });
  }

  #bury(queue: Queue, row: EventRow, reason: string, last: EgressAnswer): void {
    const { store, writer, clock, log } = this.#parts;
    const { target } = queue;
    const wallMs = clock.wallMs();
    writer.add({ apply: () => store.died(row.seq, reason, wallMs, attempted(row, last)) });
    target.bury(queue, row);
    this.writeTarget(target);
    log('warn', 'an event went to the dead letters', { target: target.origin, event: row.id, reason });
    this.#notify(target, row, { kind: 'dead', id: row.id, text: reason });
    if (target.deadStreak >= DEAD_STREAK_MAX && target.pause === null)
      this.#pauseFor(
        target,
        `${target.deadStreak} events in a row went to the dead letters; the last one because ${reason}`,
      );
  }

  #writeAttempt(row: EventRow, last: EgressAnswer, next: Pick<EventRow, 'answers' | 'answersSinceMs' | 'nextAtMs'>) {
    const { store, writer } = this.#parts;
    writer.add({ apply: () => store.tried(row.seq, { ...attempted(row, last), ...next }) });
  }

  #notify(target: Target, row: EventRow, outcome: OutboxOutcome): void {
    const waiter = target.takeWaiter(row.id);
    if (waiter !== null) this.#parts.notify(waiter.ticket, outcome);
  }

  /** Continues with the next event of the queue. */
  #continue(queue: Queue): void {
    const { target } = queue;
    if (queue.count === 0) return target.forget(queue);
    target.markReady(queue);
    if (target.stopped) this.#schedule.notifyLate(target, (other) => other === queue);
  }
}

/**
 * A repetition on a new connection is an attempt as well, but not a failure that increases the delay of the next one.
 */
function withRepeat(queue: Queue, row: EventRow, result: HttpResult | null): EventRow {
  if (result?.repeated !== true) return row;
  queue.headHistory.addRepeat(row.seq);
  return { ...row, attempts: row.attempts + 1 };
}

function attempted({ attempts, tries }: EventRow, last: EgressAnswer): Pick<EventRow, 'attempts' | 'tries'> {
  return { attempts: attempts + 1, tries: withTry(tries, last) };
}
