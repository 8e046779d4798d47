import type { Due, Schedule } from './schedule.ts';

/** A timer is checked at least this often, so that a changed clock, or a sleep, is detected. */
export const WAKE_MS_MAX = 60_000;

export interface Ticker {
  close(): void;
}

/** Calls `tick` at each tick of the schedule, with one timer at a time, until it is closed. */
export function startTicker(schedule: Schedule, tick: (due: Due) => void): Ticker {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(wake, Math.min(Math.max(Math.ceil(schedule.remainingMs()), 1), WAKE_MS_MAX));
  };
  const wake = (): void => {
    const due = schedule.remainingMs() <= 0 ? schedule.take() : null;
    arm();
    if (due !== null) tick(due);
  };
  arm();
  return { close: () => clearTimeout(timer) };
}
