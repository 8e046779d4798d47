import type { Clock } from './clock.ts';

/** Earlier attempts of the event at the head of a queue, for as long as it is the head (docs/spec/egress.md#poison). */
export class HeadHistory {
  /** Monotonic, beside the time of day that the file has. */
  #answered: { readonly seq: number; readonly sinceMs: number } | null = null;
  #repeats: { readonly seq: number; readonly count: number } | null = null;

  /** How many attempts of an event only repeated one that a kept connection had lost. */
  repeatsOf(seq: number): number {
    return this.#repeats?.seq === seq ? this.#repeats.count : 0;
  }

  addRepeat(seq: number): void {
    this.#repeats = { seq, count: this.repeatsOf(seq) + 1 };
  }

  /**
   * For how long the target has answered that it cannot take the event; `sinceMs`: the time of day in the file. A clock
   * that is set neither shields a poison nor makes one.
   */
  answeredMs(seq: number, sinceMs: number | null, clock: Clock): number {
    const nowMs = clock.nowMs();
    if (this.#answered?.seq !== seq) {
      const wallMs = clock.wallMs();
      const beforeMs = Math.max(0, wallMs - (sinceMs ?? wallMs));
      this.#answered = { seq, sinceMs: nowMs - beforeMs };
    }
    return nowMs - this.#answered.sinceMs;
  }
}
