import type { CheckBudget } from './check-budget.ts';

/** Characters of a description that count as one step: they are hashed and stored. */
const CHARS_PER_STEP = 64;
/** Fields of an object above which sorting their names would take milliseconds. */
const FIELDS_SORTED_MAX = 1_000;

/** Pauses when the budget requires it. */
type Pausing<T> = Generator<undefined, T, unknown>;

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

  *areUnique(list: readonly unknown[]): Pausing<boolean> {
    const numbers = new Set<number>();
    for (const part of list) {
      numbers.add(isLeaf(part) ? this.#ofLeaf(part) : yield* this.#of(part));
      if (this.#budget.spend(1)) yield;
    }
    return numbers.size === list.length;
  }

  #ofLeaf(part: unknown): number {
    return this.#numberFor(JSON.stringify(part) ?? 'null');
  }

  *#of(part: object): Pausing<number> {
    const known = this.#byObject.get(part);
    if (known !== undefined) return known;
    const number = this.#numberFor(yield* this.#describe(part));
    this.#byObject.set(part, number);
    return number;
  }

  *#describe(part: object): Pausing<string> {
    if (part instanceof Uint8Array) return `bytes ${part.join()}`;
    if (Array.isArray(part)) return `[${(yield* this.#ofEntries(part.length, part)).join()}]`;
    // Object.values takes three times as long for an object with many names, and cannot be split.
    const names = Object.keys(part);
    const numbers = yield* this.#ofEntries(names.length, part, names);
    return names.length > FIELDS_SORTED_MAX
      ? `{${(yield* this.#ofFields(names, numbers)).toSorted().join()}}`
      : `{${describeFields(names, numbers)}}`;
  }

  *#ofEntries(count: number, part: object, names?: readonly string[]): Pausing<Float64Array> {
    const numbers = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const entry: unknown = Reflect.get(part, names?.[index] ?? index);
      numbers[index] = isLeaf(entry) ? this.#ofLeaf(entry) : yield* this.#of(entry);
      if (this.#budget.spend(1)) yield;
    }
    return numbers;
  }

  /** A number for each name combined with the number of its value: this sorts faster than the names. */
  *#ofFields(names: readonly string[], numbers: Float64Array): Pausing<Float64Array> {
    const fields = new Float64Array(names.length);
    for (const [index, name] of names.entries()) {
      fields[index] = this.#numberFor(describeFields([name], numbers.subarray(index, index + 1)));
      if (this.#budget.spend(1)) yield;
    }
    return fields;
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

function isLeaf(part: unknown): part is string | number | boolean | null | undefined {
  return typeof part !== 'object' || part === null;
}

function describeFields(names: readonly string[], numbers: Float64Array): string {
  const fields = names.map((name, index) => `${JSON.stringify(name)}:${numbers[index]}`);
  return fields.toSorted().join();
}
