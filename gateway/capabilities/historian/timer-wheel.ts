/**
 * One timer for any number of entries: a ring of slots of TICK_MS each; `advance` empties those that are due. An entry
 * that becomes due later is not moved: it is asked at its old time and returns the new one. Entries that are due beyond
 * the ring are asked once per round.
 */
export const TICK_MS = 1_000;
const SLOTS = 4_096;

export class TimerWheel<T> {
  readonly #slots: T[][] = Array.from({ length: SLOTS }, () => []);
  #tick: number;

  constructor(nowMs: number) {
    this.#tick = Math.floor(nowMs / TICK_MS);
  }

  add(entry: T, dueMs: number): void {
    const ahead = Math.ceil(dueMs / TICK_MS) - this.#tick;
    const slot = this.#tick + Math.max(1, Math.min(SLOTS - 1, ahead));
    this.#slots[slot % SLOTS]?.push(entry);
  }

  /** Calls `ask` for each entry that is due. `ask` returns when the entry is due next, or null if it has ended. */
  advance(nowMs: number, ask: (entry: T) => number | null): void {
    const end = Math.floor(nowMs / TICK_MS);
    // The clock was set back, or the machine slept for more than a round: every entry is asked once.
    if (end < this.#tick || end - this.#tick > SLOTS) return this.#askAll(end, ask);
    while (this.#tick < end) {
      this.#tick += 1;
      this.#ask(this.#empty(this.#tick % SLOTS), ask);
    }
  }

  #askAll(tick: number, ask: (entry: T) => number | null): void {
    const entries = this.#slots.flatMap((_, slot) => this.#empty(slot));
    this.#tick = tick;
    this.#ask(entries, ask);
  }

  #empty(slot: number): T[] {
    const entries = this.#slots[slot] ?? [];
    this.#slots[slot] = [];
    return entries;
  }

  #ask(entries: readonly T[], ask: (entry: T) => number | null): void {
    for (const entry of entries) {
      const due = ask(entry);
      if (due !== null) this.add(entry, due);
    }
  }
}
