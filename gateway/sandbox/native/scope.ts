/** The variables of a function that runs; the first is those of the function around it. */
export type Variables = unknown[];

/** Computes an expression. */
export type Code = (variables: Variables) => unknown;
/** A function of at most three arguments, with the variables of the function around it. */
export type Invoke = (outer: Variables, one: unknown, two?: unknown, three?: unknown) => unknown;

/** A name of a script. */
export interface Variable {
  readonly slot: number;
  readonly level: number;
  readonly changes: boolean;
  /** A function with a name, which is called and is never a value. */
  readonly helper: Invoke | null;
}

/** Declared later in the same block: any use of the name before is left to the sandbox. */
const PENDING = Symbol('pending');

/** The names of one function, block by block. */
export class Scope {
  readonly #level: number;
  readonly #outer: Scope | null;
  readonly #blocks: Map<string, Variable | typeof PENDING>[] = [new Map()];
  /** Including the place of the outer variables. */
  slots = 1;

  constructor(outer: Scope | null) {
    this.#outer = outer;
    this.#level = outer === null ? 0 : outer.#level + 1;
  }

  block<T>(names: readonly string[], work: () => T): T {
    this.#blocks.push(new Map(names.map((name) => [name, PENDING])));
    const result = work();
    this.#blocks.pop();
    return result;
  }

  /** From here on the name can be used. Returns its slot. */
  declare(name: string, changes: boolean, helper: Invoke | null = null): number {
    const slot = this.slots++;
    this.#blocks.at(-1)?.set(name, { slot, level: this.#level, changes, helper });
    return slot;
  }

  /** Null: not declared by the script. */
  find(name: string): Variable | 'pending' | null {
    for (const block of this.#blocks.toReversed()) {
      const found = block.get(name);
      if (found !== undefined) return found === PENDING ? 'pending' : found;
    }
    return this.#outer?.find(name) ?? null;
  }

  /** Functions between here and the variable. */
  distance(variable: Variable): number {
    return this.#level - variable.level;
  }
}
