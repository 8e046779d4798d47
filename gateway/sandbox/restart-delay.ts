import { RESTART_MS_MAX, RESTART_MS_MIN, RESTART_RESET_MS } from './limits.ts';

/** When the worker of a plugin may be started again: at once the first time, then later and later until it holds. */
export class RestartDelay {
  #nextMs = 0;
  #notBefore = 0;

  /** A worker that was started at `startedAt` was lost. */
  lost(startedAt: number, now: number): void {
    if (now - startedAt >= RESTART_RESET_MS) this.#nextMs = 0;
    this.#notBefore = now + this.#nextMs;
    this.#nextMs = Math.min(RESTART_MS_MAX, Math.max(RESTART_MS_MIN, this.#nextMs * 2));
  }

  leftMs(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }
}
