/**
 * A limit that many holders share: one holder gets at most QUARTER of it and one project HALF, however much is free. A
 * greedy holder therefore leaves room for the others, in any order of arrival.
 *
 * Limits: one entry for each holder and project with a current share.
 */

/** Parts of a limit. */
export const QUARTER = 0.25;
export const HALF = 0.5;

/**
 * `id`: identifies an API key, a network of callers without a key, or a target. `name`: its display name. `project`: the
 * project of the route or pipeline.
 */
export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly project: string;
}

/** The limit that was reached: that of the holder, of its project, or the whole. */
export type Bound = 'holder' | 'project' | 'cap';

export class Shares {
  readonly cap: number;
  readonly ofHolder: number;
  readonly ofProject: number;
  readonly #refused: (holder: Holder, bound: Bound) => void;
  readonly #holders = new Map<string, Held>();
  readonly #projects = new Map<string, number>();
  #used = 0;

  /** `refused` is called with each refusal. */
  constructor(cap: number, refused: (holder: Holder, bound: Bound) => void = () => {}) {
    this.cap = cap;
    this.ofHolder = Math.floor(cap * QUARTER);
    this.ofProject = Math.floor(cap * HALF);
    this.#refused = refused;
  }

  get used(): number {
    return this.#used;
  }

  held(holder: Holder): number {
    return this.#holders.get(holder.id)?.amount ?? 0;
  }

  /** Whether the holder was refused at `sinceMs` (`performance.now()`) or later. False once it holds nothing. */
  refusedSince(holder: Holder, sinceMs: number): boolean {
    return (this.#holders.get(holder.id)?.refusedMs ?? -Infinity) >= sinceMs;
  }

  /** The largest holder; null if nothing is held. */
  get largest(): Holder | null {
    let most: Held | null = null;
    for (const held of this.#holders.values()) if (held.amount > (most?.amount ?? 0)) most = held;
    return most?.holder ?? null;
  }

  /**
   * Whether `amount` could be taken. A refusal is reported, but does not mark the holder (`refusedSince`): a request
   * head alone must not end the bodies that the holder is sending.
   */
  hasRoom(holder: Holder, amount: number): boolean {
    const bound = this.#boundOf(holder, amount);
    if (bound !== null) this.#refused(holder, bound);
    return bound === null;
  }

  /** Takes all of `amount`, or takes nothing and returns false. */
  take(holder: Holder, amount: number): boolean {
    // An empty entry would never be released.
    if (amount === 0) return true;
    const held = this.#holders.get(holder.id);
    const bound = this.#boundOf(holder, amount);
    if (bound !== null) {
      if (held) held.refusedMs = performance.now();
      this.#refused(holder, bound);
      return false;
    }
    this.#used += amount;
    if (held) held.amount += amount;
    else this.#holders.set(holder.id, { holder, amount, refusedMs: -Infinity });
    this.#projects.set(holder.project, (this.#projects.get(holder.project) ?? 0) + amount);
    return true;
  }

  /** Releases a part. */
  give({ id, project }: Holder, amount: number): void {
    if (amount === 0) return;
    this.#used -= amount;
    const held = this.#holders.get(id);
    if (held) held.amount -= amount;
    if (held?.amount === 0) this.#holders.delete(id);
    const left = (this.#projects.get(project) ?? 0) - amount;
    if (left > 0) this.#projects.set(project, left);
    else this.#projects.delete(project);
  }

  #boundOf({ id, project }: Holder, amount: number): Bound | null {
    const ofHolder = (this.#holders.get(id)?.amount ?? 0) + amount;
    return this.#bound(ofHolder, (this.#projects.get(project) ?? 0) + amount, amount);
  }

  /**
   * A holder without a share may take up to its project's limit, so that one large body is not refused because of the
   * quarter.
   */
  #bound(ofHolder: number, ofProject: number, amount: number): Bound | null {
    if (ofHolder > this.ofHolder && ofHolder > amount) return 'holder';
    if (ofProject > this.ofProject) return 'project';
    return this.#used + amount > this.cap ? 'cap' : null;
  }
}

interface Held {
  readonly holder: Holder;
  amount: number;
  /** The time of its last refusal. */
  refusedMs: number;
}
