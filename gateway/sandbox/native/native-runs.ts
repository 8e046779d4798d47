import { compileNative, LEFT, type NativeScript } from './native-script.ts';
import { Outside } from './outside.ts';

/** A script may leave one of nine runs to the sandbox; one that leaves more would be computed twice too often. */
const CREDIT_MAX = 64;
const COST_OF_LEFT = 8;
/** Regained by each run that is not tried. */
const REGAINED = 1 / 128;

/** The native runs of one script. */
export class NativeRuns {
  readonly #script: NativeScript | null;
  #credit = CREDIT_MAX;

  constructor(code: string) {
    this.#script = scriptOf(code);
  }

  /** The result, or LEFT for what the sandbox is to run. */
  run(message: unknown): unknown {
    if (this.#script === null) return LEFT;
    if (this.#credit < COST_OF_LEFT) {
      this.#credit += REGAINED;
      return LEFT;
    }
    const result = this.#script.run(message);
    this.#credit = result === LEFT ? this.#credit - COST_OF_LEFT : Math.min(CREDIT_MAX, this.#credit + 1);
    return result;
  }
}

function scriptOf(code: string): NativeScript | null {
  try {
    return compileNative(code);
  } catch (error) {
    if (error instanceof Outside) return null;
    throw error;
  }
}
