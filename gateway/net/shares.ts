/**
 * One cap that many share: at most QUARTER of it for one holder and HALF for one project, however much of it is free.
 * So whoever takes all that they can leaves room for the others, and no order of arrival shuts anybody out.
 *
 * Limits: one entry for each holder and project that holds something now.
 */

/** Parts of a cap. */
export const QUARTER = 0.25;
export const HALF = 0.5;

/**
 * `id`: an API key, a network of callers without one, a target. `name`: the same for people. `project`: whose route or
 * pipeline it is for.
 */
export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly project: string;
}

/** Why nothing more is given: the holder's bound, its project's, or the cap itself. */
export type Bound = 'holder' | 'project' | 'cap';

export class Shares {
  readonly cap: number;
  readonly ofHolder: number;
  readonly ofProject: number;
  readonly #refused: (holder: Holder, bound: Bound) => void;
  readonly #holders = new Map<string, Held>();
  readonly #projects = new Map<string, number>();
  #used = 0;

  /** `refused` is called each time that something is not given. */
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

  /** Whether the holder, which still holds something, was refused more at `sinceMs` or later (`performance.now()`). */
  refusedSince(holder: Holder, sinceMs: number): boolean {
    return (this.#holders.get(holder.id)?.refusedMs ?? -Infinity) >= sinceMs;
  }

  /** Who holds most. */
  get largest(): Holder | null {
    let most: Held | null = null;
    for (const held of this.#holders.values()) if (held.amount > (most?.amount ?? 0)) most = held;
    return most?.holder ?? null;
  }

  /** Takes so much for the holder, or nothing. */
  take(holder: Holder, amount: number): boolean {
    const held = this.#holders.get(holder.id);
    const ofHolder = (held?.amount ?? 0) + amount;
    const ofProject = (this.#projects.get(holder.project) ?? 0) + amount;
    const bound = this.#bound(ofHolder, ofProject, amount);
    if (bound !== null) {
      if (held) held.refusedMs = performance.now();
      this.#refused(holder, bound);
      return false;
    }
    this.#used += amount;
    if (held) held.amount = ofHolder;
    else this.#holders.set(holder.id, { holder, amount, refusedMs: -Infinity });
    this.#projects.set(holder.project, ofProject);
    return true;
  }

  /** Gives back what was taken. */
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

  /** What holds nothing yet may take up to its project's bound: one large body is no crowd. */
  #bound(ofHolder: number, ofProject: number, amount: number): Bound | null {
    if (ofHolder > this.ofHolder && ofHolder > amount) return 'holder';
    if (ofProject > this.ofProject) return 'project';
    return this.#used + amount > this.cap ? 'cap' : null;
  }
}

interface Held {
  readonly holder: Holder;
  amount: number;
  /** When it was last refused something. */
  refusedMs: number;
}
