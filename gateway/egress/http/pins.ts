import type { Target, TargetGuard } from '#net/target-guard.ts';

/** So long an address that was checked is dialled without asking the name server again. */
export const PIN_MS = 10_000;
export const PINS_MAX = 1024;

interface Pin {
  readonly target: Promise<Target>;
  /** Null while the name server is asked. */
  checkedAt: number | null;
}

/**
 * The addresses that targets may be dialled at, each as `TargetGuard` found it, and for 10 s. A name is asked for once at
 * a time, however many calls wait for it; a failed look-up is not kept.
 */
export class Pins {
  readonly #guard: TargetGuard;
  readonly #now: () => number;
  /** The least recently made first. */
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
