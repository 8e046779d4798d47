import { Cron } from 'croner';
import { expected } from '#common/errors/rules.ts';

/** The ticks of a timer. It is queried often, and returns the same tick until that is taken. */
export interface Schedule {
  /** Milliseconds until the next tick, 0 or less if it is due; Infinity if there is none. */
  remainingMs(): number;
  /** Returns the due tick and advances to the first one after now: missed ticks are skipped. */
  take(): Due;
}

export interface Due {
  /** Its scheduled time of day. */
  readonly scheduledMs: number;
  readonly lateMs: number;
}

/**
 * At a fixed interval, on the monotonic clock, counted from the start: neither a changed clock nor the duration of a
 * tick affects later ones.
 */
export function everySchedule(everyMs: number): Schedule {
  const startMs = performance.now();
  let count = 1;
  const dueMs = (): number => startMs + count * everyMs;
  return {
    remainingMs: () => dueMs() - performance.now(),
    take() {
      const nowMs = performance.now();
      const lateMs = nowMs - dueMs();
      count = Math.max(count, Math.floor((nowMs - startMs) / everyMs)) + 1;
      return { scheduledMs: Date.now() - lateMs, lateMs };
    },
  };
}

/**
 * By a cron expression, in the time of a time zone. A fixed time that is skipped by the change to daylight saving time
 * ticks right after the gap; one that occurs twice in autumn ticks the first time.
 */
export function cronSchedule(expression: string, timeZone: string): Schedule {
  const cron = makeCron(expression, timeZone);
  let seenMs = Date.now();
  let dueMs = nextAfter(cron, seenMs);
  return {
    remainingMs() {
      const nowMs = Date.now();
      // The clock was set back: a distant tick may be near now.
      if (nowMs < seenMs) dueMs = nextAfter(cron, nowMs);
      seenMs = nowMs;
      return dueMs - nowMs;
    },
    take() {
      const [scheduledMs, nowMs] = [dueMs, Date.now()];
      dueMs = nextAfter(cron, Math.max(scheduledMs, nowMs));
      return { scheduledMs, lateMs: nowMs - scheduledMs };
    },
  };
}

const FIELDS_EXPECTED = expected('form_exact', {
  what: 'a cron expression of 5 fields (minute hour day month weekday) or 6 (second first),',
  example: '0',
  also: ' 6,14,22 * * *',
});

/** Throws RangeError with a plain sentence for an invalid expression, or one that never ticks. */
export function checkCron(expression: string): string {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) throw new RangeError(FIELDS_EXPECTED);
  if (nextAfter(cronOf(expression), Date.now()) === Infinity)
    throw new RangeError('expected a cron expression of a time that comes; there is no such day');
  return fields.join(' ');
}

function cronOf(expression: string): Cron {
  try {
    return makeCron(expression, 'UTC');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    throw new RangeError(`${FIELDS_EXPECTED}: ${reason.slice(0, 160)}`, { cause: error });
  }
}

function makeCron(expression: string, timezone: string): Cron {
  // When the clock changes, a list of times (30 2,14 * * *) is treated like a single fixed one.
  return new Cron(expression, { timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard', paused: true });
}

function nextAfter(cron: Cron, afterMs: number): number {
  return cron.nextRun(new Date(afterMs))?.getTime() ?? Infinity;
}
