import { countParts } from './count-parts.ts';

/**
 * Ends a check that does more work than its value justifies. Nested `anyOf` and `$ref` can make the cost of even a short
 * value 2^n, and every check runs on the main thread of the gateway. Work is counted in steps of about 25 ns, not in time,
 * so that no value is refused because the machine is busy.
 */
export const BASE_STEPS = 20_000;
const SHORT_STEPS = 5_000;
/** Granted for each part of a large value. */
export const STEPS_PER_PART = 60;
export const PARTS_MAX = 150_000;

/**
 * The cost of a match is not known from its pattern: 1 ns per character if its automaton can be cached, and 50 ns per
 * instruction and character if it cannot. So the CPU time of this thread is measured each time that this product of
 * instructions and characters was matched, and a check may use MATCH_CPU_MS_MAX of it. The CPU time does not depend on
 * other programs.
 */
const MATCH_WORK_PER_LOOK = 100_000;
export const MATCH_CPU_MS_MAX = 50;

/** The message goes to the caller, behind the path of the value. */
export class BudgetUsedUp extends Error {
  override readonly name = 'BudgetUsedUp';
}

export class CheckBudget {
  #value: unknown = null;
  #left = 0;
  #extended = false;
  #matchWork = 0;
  /** CPU time of this thread when the check was first looked at; null: it was not. */
  #firstLookMs: number | null = null;

  /** For a check that decides about `value`: the base, and 60 steps for each of up to 150,000 parts. */
  start(value: unknown): void {
    this.#value = value;
    this.#left = BASE_STEPS;
    this.#extended = false;
    this.#firstLookMs = null;
  }

  /** For a check that may be aborted without harm, and whose steps create error objects. */
  startShort(): void {
    this.#value = null;
    this.#left = SHORT_STEPS;
    this.#extended = true;
    this.#firstLookMs = null;
  }

  /** `work`: instructions of a pattern times characters of the text that it was matched with. Throws BudgetUsedUp. */
  matched(work: number): void {
    this.#matchWork += work;
    if (this.#matchWork < MATCH_WORK_PER_LOOK) return;
    this.#matchWork = 0;
    const nowMs = threadCpuMs();
    this.#firstLookMs ??= nowMs;
    if (nowMs - this.#firstLookMs > MATCH_CPU_MS_MAX)
      throw new BudgetUsedUp('takes too long to check: its texts cost the patterns of the schema too much');
  }

  /** Throws BudgetUsedUp. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) this.#extend();
  }

  /** A small value never pays for counting its parts. */
  #extend(): void {
    if (!this.#extended) {
      this.#extended = true;
      this.#left += STEPS_PER_PART * countParts(this.#value, PARTS_MAX);
      if (this.#left >= 0) return;
    }
    throw new BudgetUsedUp('takes too long to check: the schema tries too many alternatives for it');
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
