import { backoffMs } from '#common/backoff.ts';

/**
 * When the next gateway is started (docs/spec/processes.md#restarts): one that had reported ready is replaced
 * immediately, at most 60 times a minute; one that ended before that, or beyond that count, after 0.2 s doubling to 30
 * s, reset by 5 s of service.
 */
export const RESTARTS_AT_ONCE_MAX = 60;
export const RESTART_WINDOW_MS = 60_000;
export const RESTART_DELAY_MS_MIN = 200;
export const RESTART_DELAY_MS_MAX = 30_000;
export const SERVICE_MS_TO_RESET = 5_000;

export interface RestartPolicy {
  /** Milliseconds to wait after the end of a gateway. `servedMs` counts from its ready; null: it was never ready. */
  delayMs(servedMs: number | null): number;
}

/** `now` is a monotonic clock in milliseconds. */
export function createRestartPolicy(now: () => number): RestartPolicy {
  let atOnce: number[] = [];
  let delayed = 0;
  return {
    delayMs(servedMs) {
      const time = now();
      if (servedMs !== null && servedMs >= SERVICE_MS_TO_RESET) delayed = 0;
      atOnce = atOnce.filter((start) => time - start < RESTART_WINDOW_MS);
      if (servedMs !== null && atOnce.length < RESTARTS_AT_ONCE_MAX) {
        atOnce.push(time);
        return 0;
      }
      return backoffMs(delayed++, { msMin: RESTART_DELAY_MS_MIN, msMax: RESTART_DELAY_MS_MAX });
    },
  };
}
