import type { CheckBudget } from './check-budget.ts';

/** Characters of a description that count as one step: they are hashed and kept. */
const CHARS_PER_STEP = 64;

/**
 * Numbers the parts of a JSON value; equal parts get the same number. A list or object is described by the numbers of its
 * entries, so a value is read once, regardless of its depth and the number of lookups.
 */
export class PartNumbers {
  readonly #budget: CheckBudget;
  #byDescription = new Map<string, number>();
  #byObject = new WeakMap<object, number>();

  constructor(budget: CheckBudget) {
    this.#budget = budget;
  }

  /** Before each check: the message may have been changed since. */
  reset(): void {
    if (this.#byDescription.size === 0) return;
    this.#byDescription = new Map();
    this.#byObject = new WeakMap();
  }

  readonly numberOf = (part: unknown): number => {
    this.#budget.spend(1);
    if (typeof part !== 'object' || part === null) return this.#numberFor(JSON.stringify(part) ?? 'null');
    const known = this.#byObject.get(part);
    if (known !== undefined) return known;
    const number = this.#numberFor(this.#describe(part));
    this.#byObject.set(part, number);
    return number;
  };

  #describe(part: object): string {
    if (part instanceof Uint8Array) return `bytes ${part.join()}`;
    if (Array.isArray(part)) return `[${part.map(this.numberOf).join()}]`;
    const fields = Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, entry]) => `${JSON.stringify(name)}:${this.numberOf(entry)}`).join()}}`;
  }

  #numberFor(description: string): number {
    this.#budget.spend(Math.floor(description.length / CHARS_PER_STEP));
    const known = this.#byDescription.get(description);
    if (known !== undefined) return known;
    const number = this.#byDescription.size;
    this.#byDescription.set(description, number);
    return number;
  }
}
