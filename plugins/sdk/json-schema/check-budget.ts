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
 * instruction and character if it cannot. So the CPU time of this thread is measured whenever this product of
 * instructions and characters is reached, and a check may use MATCH_CPU_MS_MAX of it. The CPU time does not depend on
 * other programs. Matches in the pattern thread have a limit of their own.
 */
const MATCH_WORK_PER_LOOK = 100_000;
export const MATCH_CPU_MS_MAX = 50;
export const MATCH_THREAD_MS_MAX = 500;

/** Milliseconds of the event loop between two pauses of a long check, and the work after which the clock is read. */
export const SLICE_MS = 5;
const STEPS_PER_CLOCK = 2_000;
const MATCH_WORK_PER_STEP_OF_CLOCK = 10;

/** The message is sent to the caller, after the path of the value. */
export class BudgetUsedUp extends Error {
  override readonly name = 'BudgetUsedUp';
}

/** The check is too long for one turn of the event loop: it starts again in steps. */
export class NeedsSteps extends Error {
  override readonly name = 'NeedsSteps';
}

/**
 * `full`: in one step, regardless of the time. `quick`: throws NeedsSteps beyond about a millisecond. `steps`: pauses.
 */
export type CheckPace = 'full' | 'quick' | 'steps';

export class CheckBudget {
  readonly #pace: CheckPace;
  #value: unknown = null;
  #left = 0;
  #extended = false;
  #matchWork = 0;
  #matchCpuMs = 0;
  #threadMs = 0;
  /** CPU time of this thread when it was last read in this slice; null: not yet. */
  #lookMs: number | null = null;
  #sliceEndMs = 0;
  #untilClock = STEPS_PER_CLOCK;

  constructor(pace: CheckPace) {
    this.#pace = pace;
  }

  /** For a check that decides about `value`: the base, and 60 steps for each of up to 150,000 parts. */
  start(value: unknown): void {
    this.#value = value;
    this.#begin(BASE_STEPS);
    this.#extended = false;
  }

  /** Like `start`, for a value whose parts are counted. */
  startCounted(parts: number): void {
    this.#value = null;
    this.#begin(BASE_STEPS + STEPS_PER_PART * parts);
    this.#extended = true;
  }

  /** For a check that may be aborted without harm, and whose steps create error objects. */
  startShort(): void {
    this.#value = null;
    this.#begin(SHORT_STEPS);
    this.#extended = true;
  }

  #begin(steps: number): void {
    this.#left = steps;
    this.#matchWork = 0;
    this.#matchCpuMs = 0;
    this.#threadMs = 0;
    this.#lookMs = null;
  }

  /** Before each part of a check in steps. */
  startSlice(): void {
    this.#lookMs = threadCpuMs();
    this.#untilClock = STEPS_PER_CLOCK;
    this.#sliceEndMs = performance.now() + SLICE_MS;
  }

  /** Whether a check in steps pauses now. */
  get isSliceOver(): boolean {
    return performance.now() >= this.#sliceEndMs;
  }

  /** Instructions times characters that may be matched at once in this check. Throws NeedsSteps when quick. */
  beforeMatch(work: number): void {
    if (this.#pace === 'quick' && this.#matchWork + work > MATCH_WORK_PER_LOOK) throw new NeedsSteps();
  }

  /** `work`: instructions of a pattern times characters of the text that it was matched with. Throws BudgetUsedUp. */
  matched(work: number): void {
    this.#matchWork += work;
    this.#untilClock -= work / MATCH_WORK_PER_STEP_OF_CLOCK;
    if (this.#matchWork < MATCH_WORK_PER_LOOK) return;
    this.#matchWork = 0;
    const nowMs = threadCpuMs();
    if (this.#lookMs !== null) this.#matchCpuMs += nowMs - this.#lookMs;
    this.#lookMs = nowMs;
    if (this.#matchCpuMs > MATCH_CPU_MS_MAX) throw new BudgetUsedUp(PATTERNS_COST);
  }

  /** CPU time of matches in the pattern thread. Throws BudgetUsedUp. */
  matchedInThread(cpuMs: number): void {
    this.#threadMs += cpuMs;
    if (this.#threadMs > MATCH_THREAD_MS_MAX) throw new BudgetUsedUp(PATTERNS_COST);
  }

  /** True: a check in steps pauses now. Throws BudgetUsedUp, or NeedsSteps when quick. */
  spend(steps: number): boolean {
    this.#left -= steps;
    if (this.#left < 0) this.#extend();
    return this.#pace === 'steps' && this.#pauses(steps);
  }

  #pauses(steps: number): boolean {
    this.#untilClock -= steps;
    if (this.#untilClock > 0) return false;
    if (this.isSliceOver) return true;
    this.#untilClock = STEPS_PER_CLOCK;
    return false;
  }

  /** A small value never pays for counting its parts. */
  #extend(): void {
    if (!this.#extended) {
      if (this.#pace === 'quick') throw new NeedsSteps();
      this.#extended = true;
      this.#left += STEPS_PER_PART * countParts(this.#value, PARTS_MAX);
      if (this.#left >= 0) return;
    }
    throw new BudgetUsedUp('takes too long to check: the schema tries too many alternatives for it');
  }
}

const PATTERNS_COST = 'takes too long to check: its texts cost the patterns of the schema too much';

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
