/** A refusal as its caller saw it. */
export interface SeenRefusal {
  time: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  code: string;
  cause: string;
  detail: string;
}

/** Refusals kept of one key. */
export const KEPT_PER_KEY = 20;
/** Keys with refusals; the one that was refused least recently is removed first. */
export const KEYS_MAX = 500;

/** The last refusals of each key, in memory, for the holder of the key (docs/spec/keys.md#self-service). */
export class RecentRefusals {
  readonly #byKey = new Map<string, SeenRefusal[]>();

  add(keyId: string, refusal: SeenRefusal): void {
    const known = this.#byKey.get(keyId) ?? [];
    known.push(refusal);
    if (known.length > KEPT_PER_KEY) known.shift();
    this.#byKey.delete(keyId);
    this.#byKey.set(keyId, known);
    if (this.#byKey.size > KEYS_MAX) this.#forgetOldest();
  }

  /** The newest first. */
  of(keyId: string): SeenRefusal[] {
    return this.#byKey.get(keyId)?.toReversed() ?? [];
  }

  #forgetOldest(): void {
    for (const id of this.#byKey.keys()) {
      this.#byKey.delete(id);
      return;
    }
  }
}
