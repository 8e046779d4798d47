/** Limits of a back-off, in milliseconds. */
export interface BackoffLimits {
  readonly msMin: number;
  readonly msMax: number;
}

/** From this exponent on every back-off is at its limit; a larger one would not be exact. */
const DOUBLINGS_MAX = 30;

/**
 * The wait after `failures` consecutive failures, counted from 0: `msMin`, doubled with each failure, at most `msMax`.
 */
export function backoffMs(failuresBefore: number, { msMin, msMax }: BackoffLimits): number {
  return Math.min(msMin * 2 ** Math.min(failuresBefore, DOUBLINGS_MAX), msMax);
}

/** Varies a wait by up to `ratio`, so that many clients do not return at the same time. `random`: 0 ≤ x < 1. */
export function jittered(ms: number, ratio: number, random: number): number {
  return Math.round(ms * (1 + ratio * (2 * random - 1)));
}
