import type { Clock } from './clock.ts';

/** Earlier attempts of the event at the head of a queue, for as long as it is the head (docs/spec/egress.md#poison). */
export class HeadHistory {
  /** Monotonic, in addition to the time of day in the file. */
  #answered: { readonly seq: number; readonly sinceMs: number } | null = null;
  #repeats: { readonly seq: number; readonly count: number } | null = null;

  /** How many attempts of an event only repeated one that was lost on a kept connection. */
  repeatsOf(seq: number): number {
    return this.#repeats?.seq === seq ? this.#repeats.count : 0;
  }

  addRepeat(seq: number): void {
    this.#repeats = { seq, count: this.repeatsOf(seq) + 1 };
  }

  /**
   * How long the target has responded that it cannot accept the event; `sinceMs`: the time of day in the file. A
   * changed clock neither protects a poison event nor creates one.
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
