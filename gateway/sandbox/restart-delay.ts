import { backoffMs } from '#common/backoff.ts';
import { RESTART_MS_MAX, RESTART_MS_MIN, RESTART_RESET_MS } from './limits.ts';

/**
 * When the worker of a plugin may be restarted: immediately the first time, then with growing delays until it works.
 */
export class RestartDelay {
  #losses = 0;
  #notBefore = 0;

  /** A worker that was started at `startedAt` was lost. */
  lost(startedAt: number, now: number): void {
    if (now - startedAt >= RESTART_RESET_MS) this.#losses = 0;
    const delayMs =
      this.#losses === 0 ? 0 : backoffMs(this.#losses - 1, { msMin: RESTART_MS_MIN, msMax: RESTART_MS_MAX });
    this.#notBefore = now + delayMs;
    this.#losses += 1;
  }

  leftMs(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }
}
