import type { Target, TargetGuard } from '#net/target-guard.ts';

/** How long a checked address is used without another DNS lookup. */
export const PIN_MS = 10_000;
export const PINS_MAX = 1024;

interface Pin {
  readonly target: Promise<Target>;
  /** Null while the lookup is running. */
  checkedAt: number | null;
}

/**
 * The addresses to which targets may be connected, each checked by `TargetGuard`, and valid for 10 s. There is one
 * lookup per name at a time, however many calls wait for it; a failed lookup is not kept.
 */
export class Pins {
  readonly #guard: TargetGuard;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #kept = new Map<string, Pin>();

  constructor(guard: TargetGuard, now: () => number) {
    this.#guard = guard;
    this.#now = now;
  }

  /** Throws NodeError `target_refused`, `target_unknown`. */
  of(host: string, port: number): Promise<Target> {
    const key = `${host}:${port}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && !this.#isOld(kept)) return kept.target;
    const pin: Pin = { target: this.#guard.resolve(host, port), checkedAt: null };
    this.#kept.delete(key);
    this.#kept.set(key, pin);
    this.#prune();
    pin.target.then(
      () => {
        pin.checkedAt = this.#now();
      },
      () => {
        if (this.#kept.get(key) === pin) this.#kept.delete(key);
      },
    );
    return pin.target;
  }

  clear(): void {
    this.#kept.clear();
  }

  #isOld({ checkedAt }: Pin): boolean {
    return checkedAt !== null && this.#now() - checkedAt > PIN_MS;
  }

  #prune(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= PINS_MAX) return;
      this.#kept.delete(key);
    }
  }
}
