/** Limits of a native run. A run beyond one of them is made in the sandbox instead, with the limits of that. */
export const CODE_CHARS_MAX = 16 * 1024;
export const NODES_MAX = 4_000;
/** Limits of nested syntax, and of functions that call each other. */
export const SYNTAX_DEPTH_MAX = 60;
export const CALL_DEPTH_MAX = 16;
/** Limit of a message and of a result. */
export const DATA_DEPTH_MAX = 30;
/** Parts of expressions that are computed, elements that are visited, 16 characters that are read: about 20 ns each. */
export const STEPS_MAX = 100_000;
/** Characters of all texts that are made. */
export const CHARS_MAX = 256 * 1024;

/** Characters of the texts and names of a result, each place counted; the sandbox refuses more than 16 Mi as JSON. */
export const RESULT_CHARS_MAX = 1024 * 1024;

/** Thrown where a native run ends because only the sandbox knows the outcome: an error, a limit, or a rare case. */
export class LeftToSandbox extends Error {
  static {
    this.prototype.name = 'LeftToSandbox';
  }
}

const LEFT = new LeftToSandbox('left to the sandbox');

/** One object for all: a stack trace would cost more than the run. */
export function leave(): never {
  throw LEFT;
}

/** The rest of the budget of the one run in progress: runs are synchronous and do not nest. */
let steps = 0;
let chars = 0;
let depth = 0;
let resultChars = 0;

export function beginRun(): void {
  steps = STEPS_MAX;
  chars = CHARS_MAX;
  depth = CALL_DEPTH_MAX;
  resultChars = RESULT_CHARS_MAX;
}

export function spend(count: number): void {
  steps -= count;
  if (steps < 0) leave();
}

/** Steps for a listed name, a name that is written to a large object, and a number that is converted to text. */
const STEPS_PER_NAME = 4;
const STEPS_PER_MEMBER = 8;
const STEPS_PER_NUMBER_TEXT = 8;
/** Of a number far from 1, which may need long arithmetic. */
const STEPS_PER_LONG_NUMBER_TEXT = 200;
const LONG_NUMBER_MIN = 2 ** 53;

export function spendNames(count: number): void {
  spend(count * STEPS_PER_NAME);
}

export function spendMembers(count: number): void {
  spend(count * STEPS_PER_MEMBER);
}

export function spendFixedText(): void {
  spend(STEPS_PER_NUMBER_TEXT);
}

export function spendNumberText(value: number): void {
  if (Number.isSafeInteger(value)) return;
  const size = Math.abs(value);
  spend(size >= LONG_NUMBER_MIN || size < 1 / LONG_NUMBER_MIN ? STEPS_PER_LONG_NUMBER_TEXT : STEPS_PER_NUMBER_TEXT);
}

/** Of a text that was read. */
export function spendRead(text: string): void {
  spend(1 + (text.length >>> 4));
}

/** Characters that are compared in the time of a step: in a search, and in a comparison of two texts. */
const SEARCHED_PER_STEP = 16;
const COMPARED_PER_STEP = 64;

/** V8 compares each character of a text with each of a long one that it looks for, in the worst case. */
export function spendSearch(text: string, what: string): void {
  spend(Math.ceil((text.length * what.length) / SEARCHED_PER_STEP));
}

/** Texts of different lengths are different at once. */
export function spendSame(left: string, right: string): void {
  if (left.length === right.length) spend(Math.floor(left.length / COMPARED_PER_STEP));
}

/** For a string that is about to be created. */
export function spendChars(count: number): void {
  chars -= count;
  if (chars < 0) leave();
}

export function spendResult(count: number): void {
  resultChars -= count;
  if (resultChars < 0) leave();
}

export function made(text: string): string {
  spendChars(text.length);
  return text;
}

/** Around the call of a function; not restored when a run is left. */
export function enter(): void {
  if (--depth < 0) leave();
}

export function exit(): void {
  depth += 1;
}
