/**
 * One timer for many intervals: entries wait in SLOTS slots of TICK_MS each, and each tick checks one slot. An entry is
 * due at multiples of its interval; missed ticks are skipped.
 */
export const TICK_MS = 50;
const SLOTS = 1_024;

interface Entry<T> {
  readonly what: T;
  readonly every: number;
  due: number;
}

export class Wheel<T> {
  readonly #now: () => number;
  readonly #fire: (what: T, time: number) => void;
  readonly #slots: Set<Entry<T>>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #entries = new Map<T, Entry<T>>();
  #timer: NodeJS.Timeout | null = null;
  #turned = 0;

  /** `fire` receives the item that is due and the time, in milliseconds, at which it was due. */
  constructor(now: () => number, fire: (what: T, time: number) => void) {
    this.#now = now;
    this.#fire = fire;
  }

  /** Fires every `every` ticks from now on; replaces an earlier entry of the same item. */
  put(what: T, every: number): void {
    this.remove(what);
    if (this.#entries.size === 0) this.#turned = this.#tick();
    const entry = { what, every, due: 0 };
    this.#entries.set(what, entry);
    this.#wait(entry);
    this.#timer ??= setInterval(() => this.#turn(), TICK_MS);
  }

  remove(what: T): void {
    const entry = this.#entries.get(what);
    if (entry === undefined) return;
    this.#slot(entry.due).delete(entry);
    this.#entries.delete(what);
    if (this.#entries.size === 0) this.close();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#entries.clear();
    for (const slot of this.#slots) slot.clear();
  }

  /** If the clock was set far ahead or back, all slots are checked once. */
  #turn(): void {
    const tick = this.#tick();
    const missed = tick - this.#turned;
    const from = missed >= 0 && missed < SLOTS ? this.#turned + 1 : tick - SLOTS + 1;
    this.#turned = tick;
    for (let at = from; at <= tick; at++) this.#turnSlot(this.#slot(at), tick);
  }

  #turnSlot(slot: Set<Entry<T>>, tick: number): void {
    for (const entry of slot) {
      if (this.#entries.get(entry.what) !== entry) continue;
      const tooFar = entry.due > tick + entry.every;
      if (entry.due > tick && !tooFar) continue;
      slot.delete(entry);
      const due = Math.floor(tick / entry.every) * entry.every;
      this.#wait(entry);
      this.#fire(entry.what, due * TICK_MS);
    }
  }

  #wait(entry: Entry<T>): void {
    entry.due = (Math.floor(this.#tick() / entry.every) + 1) * entry.every;
    this.#slot(entry.due).add(entry);
  }

  #slot(tick: number): Set<Entry<T>> {
    const slot = this.#slots[tick % SLOTS];
    if (slot === undefined) throw new Error('expected a tick of 0 or more');
    return slot;
  }

  #tick(): number {
    return Math.max(0, Math.floor(this.#now() / TICK_MS));
  }
}
