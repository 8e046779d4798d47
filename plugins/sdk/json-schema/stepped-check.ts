import { NodeError, type Run } from '../kind.ts';
import { NeedsSteps } from './check-budget.ts';
import { type CheckSteps, CheckWork, type WantedMatch, type WorkSlot } from './check-work.ts';
import {
  checkAtOnce,
  type CheckError,
  type CompiledSchema,
  compileSchema,
  costError,
  mayListAll,
  type ReadSchema,
  type SteppedFunction,
} from './compile-schema.ts';

/** The parts of the current run that a check needs. */
type Turns = Pick<Run, 'signal' | 'nextTurn' | 'matches'>;
type Errors = readonly CheckError[] | null;

/**
 * Checks values of callers. Null if the value is valid; one that is too expensive is invalid. A short check is done
 * immediately. A longer one is started again in steps: it pauses every SLICE_MS for other runs, and expensive matches
 * are made in the pattern thread. The value must not change meanwhile.
 */
export function steppedCheck(read: ReadSchema): (value: unknown, turns: Turns) => Errors | Promise<Errors> {
  const compiled = compileSchema(read);
  const quick = new CheckWork('quick');
  return (value, turns) => {
    try {
      return checkAtOnce(compiled, value, quick);
    } catch (error) {
      if (error instanceof NeedsSteps) return checkInSteps(compiled, value, turns);
      throw error;
    }
  };
}

async function checkInSteps({ slot, first, all }: CompiledSchema, value: unknown, turns: Turns): Promise<Errors> {
  const steps = new StepRunner(slot, turns);
  await steps.start(value);
  let errors: Errors;
  try {
    errors = await steps.errorsOf(first, value);
  } catch (error) {
    return [costError(error)];
  }
  if (errors === null || !mayListAll(value)) return errors;
  steps.work.budget.startShort();
  try {
    return await steps.errorsOf(all, value);
  } catch (error) {
    // It is already known that the value is invalid.
    if (!(error instanceof NodeError && error.code === 'patterns_unavailable')) costError(error);
    return errors;
  }
}

class StepRunner {
  readonly work = new CheckWork('steps');
  readonly #slot: WorkSlot;
  readonly #turns: Turns;

  constructor(slot: WorkSlot, turns: Turns) {
    this.#slot = slot;
    this.#turns = turns;
  }

  /** Counts the parts of the value. */
  async start(value: unknown): Promise<void> {
    const count = await this.#run(this.work.countParts(value), (parts) => parts);
    this.work.budget.startCounted(count);
  }

  /** Rejects with the error of the check, and when the run is cancelled. */
  errorsOf(check: SteppedFunction, value: unknown): Promise<Errors> {
    return this.#run(check.steps(value), (fits) => (fits ? null : (check.errors ?? [])));
  }

  /** `end` is called in the turn in which the steps end: `errors` are those of the last check of the schema. */
  async #run<T, R>(steps: CheckSteps<T>, end: (value: T) => R): Promise<R> {
    let matches: boolean | undefined;
    for (;;) {
      this.#slot.work = this.work;
      this.work.budget.startSlice();
      const step = steps.next(matches);
      if (step.done === true) return end(step.value);
      matches = await this.#wait(step.value);
      this.#turns.signal.throwIfAborted();
    }
  }

  async #wait(wanted: WantedMatch | undefined): Promise<boolean | undefined> {
    if (wanted === undefined) {
      await this.#turns.nextTurn();
      return undefined;
    }
    const { matches, cpuMs } = await this.#turns.matches(wanted.pattern.source, wanted.text);
    this.work.budget.matchedInThread(cpuMs);
    return matches;
  }
}
