import { Cron } from 'croner';
import { expected } from '#common/errors/rules.ts';

/** When a timer ticks. Asked often; it keeps the tick that comes next until that one is taken. */
export interface Schedule {
  /** Milliseconds until the next tick, 0 or less when it is due; Infinity when there is none. */
  remainingMs(): number;
  /** The tick that is due, and on to the one after now: what was missed is left out. */
  take(): Due;
}

export interface Due {
  /** When it was to be, as a time of day. */
  readonly scheduledMs: number;
  readonly lateMs: number;
}

/**
 * Every so many milliseconds, on the monotonic clock, counted from the start: neither a clock that is set nor the time
 * that a tick takes moves the ones after it.
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
 * By a cron expression, on the clock of a time zone. A fixed time that the change to summer time leaves out comes right
 * after the gap; one that comes twice in autumn counts the first time.
 */
export function cronSchedule(expression: string, timeZone: string): Schedule {
  const cron = makeCron(expression, timeZone);
  let seenMs = Date.now();
  let dueMs = nextAfter(cron, seenMs);
  return {
    remainingMs() {
      const nowMs = Date.now();
      // The clock was set back: what was far away may be near now.
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

/** Throws RangeError with a plain sentence for what is no expression, or one that never comes. */
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
  // A list of times (30 2,14 * * *) is as fixed as a single one when the clock changes.
  return new Cron(expression, { timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard', paused: true });
}

function nextAfter(cron: Cron, afterMs: number): number {
  return cron.nextRun(new Date(afterMs))?.getTime() ?? Infinity;
}
