import { type LinearPattern, MATCH_WORK_AT_ONCE_MAX } from '../linear-pattern.ts';
import { CheckBudget, type CheckPace, PARTS_MAX } from './check-budget.ts';
import { countInSteps } from './count-parts.ts';
import { PartNumbers } from './part-numbers.ts';

/** A match that a check in steps requests from the pattern thread. */
export interface WantedMatch {
  readonly pattern: LinearPattern;
  readonly text: string;
}

/**
 * Yields nothing to pause, or a match, whose result is passed to `next`. Only a check in steps yields
 * (`CheckPace` in check-budget.ts).
 */
export type CheckSteps<T> = Generator<WantedMatch | undefined, T, boolean | undefined>;

/** The work of the running check; for a check in steps, only until its next pause. */
export interface WorkSlot {
  work: CheckWork;
}

/** Product of text characters and pattern instructions that counts as one step. */
const MATCH_WORK_PER_STEP = 400;
/** Text is counted in blocks of this many characters; 2^5 characters are one step. */
const PIECE_CHARS = 256 * 1024;
const CHARS_PER_STEP_BITS = 5;

/** Counters and state of one check. The code that ajv generates calls it (metered-code.ts, stepped-code.ts). */
export class CheckWork {
  readonly budget: CheckBudget;
  readonly numbers: PartNumbers;

  constructor(pace: CheckPace) {
    this.budget = new CheckBudget(pace);
    this.numbers = new PartNumbers(this.budget);
  }

  *countParts(value: unknown): CheckSteps<number> {
    const steps = countInSteps(value, PARTS_MAX);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.budget.isSliceOver) yield;
    }
  }

  matches(pattern: LinearPattern, text: string): boolean {
    const work = text.length * pattern.size;
    this.budget.beforeMatch(work);
    const matches = pattern.test(text);
    this.budget.matched(work);
    this.budget.spend(1 + Math.ceil(work / MATCH_WORK_PER_STEP));
    return matches;
  }

  *matchesInSteps(pattern: LinearPattern, text: string): CheckSteps<boolean> {
    const work = text.length * pattern.size;
    if (work <= MATCH_WORK_AT_ONCE_MAX) return this.matches(pattern, text);
    pattern.checkLength(text);
    this.budget.spend(1 + Math.ceil(work / MATCH_WORK_PER_STEP));
    return (yield { pattern, text }) === true;
  }

  areUnique(list: readonly unknown[]): boolean {
    return this.numbers.areUnique(list).next().value === true;
  }

  areUniqueInSteps(list: readonly unknown[]): CheckSteps<boolean> {
    return this.numbers.areUnique(list);
  }

  /** Characters as JSON Schema counts them: a surrogate pair is one. */
  charsOf(text: string): number {
    this.budget.spend(stepsFor(text.length));
    return text.length - pairsIn(text, 0, text.length);
  }

  *charsOfInSteps(text: string): CheckSteps<number> {
    let pairs = 0;
    for (let from = 0; from < text.length; from += PIECE_CHARS) {
      const to = Math.min(text.length, from + PIECE_CHARS);
      pairs += pairsIn(text, from, to);
      if (this.budget.spend(stepsFor(to - from))) yield;
    }
    return text.length - pairs;
  }
}

function stepsFor(chars: number): number {
  return chars >> CHARS_PER_STEP_BITS;
}

function pairsIn(text: string, from: number, to: number): number {
  let pairs = 0;
  for (let at = from; at < to; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return pairs;
}
