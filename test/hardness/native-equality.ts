import { loadEngineWasm } from '../../gateway/sandbox/engine-wasm.ts';
import type { Guest } from '../../gateway/sandbox/guest.ts';
import { decodeResult, encodeInput } from '../../gateway/sandbox/message-text.ts';
import { compileNative, LEFT } from '../../gateway/sandbox/native/native-script.ts';
import { Outside } from '../../gateway/sandbox/native/outside.ts';
import { bareGuest } from '../../gateway/sandbox/sandbox-fixture.ts';
import { Dice, message, program } from './native-programs.ts';

/** Counts of programs and of runs: each run is a program with a message. */
export interface Equality {
  programs: number;
  /** Programs that the native part does not have, or that the engine refuses. */
  outside: number;
  refused: number;
  runs: number;
  /** Runs whose outcome was left to the sandbox. */
  left: number;
  readonly differences: string[];
}

export const RUNS_PER_PROGRAM = 100;
/** A program without a result by then has none, mostly. */
const RUNS_WITHOUT_RESULT = 8;
const DIFFERENCES_MAX = 20;

export function noEquality(): Equality {
  return { programs: 0, outside: 0, refused: 0, runs: 0, left: 0, differences: [] };
}

/** Runs the programs of these numbers natively and in the engine itself, and counts the differences. */
export class EqualityRun {
  readonly #wasm: WebAssembly.Module;
  readonly #seed: number;

  constructor(wasm: WebAssembly.Module, seed: number) {
    this.#wasm = wasm;
    this.#seed = seed;
  }

  static async open(seed: number): Promise<EqualityRun> {
    return new EqualityRun(await loadEngineWasm(), seed);
  }

  /** The program of a number: always the same for a seed. */
  async compare(number: number, counts: Equality): Promise<void> {
    const dice = new Dice(this.#seed, number);
    const code = program(dice);
    counts.programs += 1;
    const native = nativeOf(code);
    if (native === null) {
      counts.outside += 1;
      return;
    }
    const guest = await this.guest(code);
    if (guest === null) {
      counts.refused += 1;
      return;
    }
    let hasResult = false;
    for (let run = 0; run < RUNS_PER_PROGRAM; run++) {
      const given = message(dice);
      counts.runs += 1;
      const before = JSON.stringify(given);
      const result = native.run(given);
      if (JSON.stringify(given) !== before)
        counts.differences.push(`program ${number} changed its message:\n${code}\nmessage ${before}`);
      if (result === LEFT) counts.left += 1;
      else {
        hasResult = true;
        const found = JSON.stringify(result);
        const expected = outcomeOf(guest, given);
        if (found !== expected && counts.differences.length < DIFFERENCES_MAX)
          counts.differences.push(
            `program ${number}:\n${code}\nmessage ${JSON.stringify(given)}\nnative  ${found}\nsandbox ${expected}`,
          );
      }
      if (guest.spent || (!hasResult && run >= RUNS_WITHOUT_RESULT)) return;
    }
  }

  async guest(code: string): Promise<Guest | null> {
    const loaded = await bareGuest(code, { wasm: this.#wasm });
    return 'guest' in loaded ? loaded.guest : null;
  }
}

function nativeOf(code: string): ReturnType<typeof compileNative> | null {
  try {
    return compileNative(code);
  } catch (error) {
    if (error instanceof Outside) return null;
    throw error;
  }
}

export function outcomeOf(guest: Guest, given: unknown): string {
  const { text, chunks } = encodeInput(given);
  const result = guest.run(text, chunks);
  return result.code === '' ? JSON.stringify(decodeResult(result)) : `${result.code}: ${result.text}`;
}
