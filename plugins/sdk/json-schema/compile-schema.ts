import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { clip } from '#common/clip.ts';
import { withGeneratedCode } from '#common/node/generated-code.ts';
import { NodeError } from '../kind.ts';
import { linearPattern } from '../linear-pattern.ts';
import { BudgetUsedUp } from './check-budget.ts';
import { type CheckSteps, CheckWork, type WorkSlot } from './check-work.ts';
import { countParts } from './count-parts.ts';
import { boundedFormats, FORMAT_NAMES } from './formats.ts';
import { meteredCode } from './metered-code.ts';
import { multipleOf } from './multiple-of.ts';
import { ALL_ERRORS_VALUES_MAX, boundSchema } from './schema-limits.ts';
import { steppedCode } from './stepped-code.ts';
import { textLengths } from './text-lengths.ts';
import { uniqueItems } from './unique-items.ts';
import { weighKeywords } from './weighed-keywords.ts';

/** Characters of the validator's own messages about a schema. */
const DETAIL_CHARS_MAX = 160;

/**
 * JSON Schema 2020-12 by ajv, made safe for authors' schemas and untrusted values:
 * - patterns run in a linear-time engine;
 * - work is bounded: nested `anyOf` and `$ref` can make even a short value cost 2^n, so every schema function, every
 *   loop iteration, every pattern, every part that `uniqueItems` reads and every character, property and part that a
 *   limit or `const` looks at counts against a budget (check-budget.ts);
 * - the event loop is not blocked: a check that takes longer than about a millisecond runs in steps (stepped-check.ts);
 * - memory is bounded: the list of all errors is only created for values with few parts (each part can fail), and
 *   within a separate budget; other values get the first error;
 * - nothing remote, no asynchronous schemas, no unknown keywords or formats: with a typing error, a schema must not
 *   accept everything.
 */
export interface SchemaCheck {
  /**
   * Null if the value is valid. A value that is too expensive to check is invalid: its caller is refused with that
   * reason.
   */
  (value: unknown): readonly CheckError[] | null;
}

export type CheckError = Pick<ErrorObject, 'instancePath' | 'params' | 'message'>;

/** A valid schema, compiled as far as needed to determine that. */
export interface ReadSchema {
  readonly schema: object | boolean;
  readonly slot: WorkSlot;
  /** Stops at the first error. */
  readonly first: SteppedFunction;
}

/**
 * The function that ajv compiles from a schema, and the same as a generator (stepped-code.ts). Both set `errors` on the
 * function.
 */
export interface SteppedFunction extends ValidateFunction {
  steps(value: unknown): CheckSteps<boolean>;
}

/** A schema that values are checked against. */
export interface CompiledSchema extends ReadSchema {
  readonly all: SteppedFunction;
}

/** Throws RangeError with a plain sentence if the schema cannot be used. */
export function readSchema(schema: unknown): ReadSchema {
  boundSchema(schema);
  checkAgainstDialect(schema);
  const slot = { work: new CheckWork('full') };
  return { schema, slot, first: compileWith(schema, slot, false) };
}

export function compileSchema(read: ReadSchema): CompiledSchema {
  return { ...read, all: compileWith(read.schema, read.slot, true) };
}

/** Checks in one step, regardless of the time: for settings and examples, not for values of callers. */
export function schemaCheck(read: ReadSchema): SchemaCheck {
  const compiled = compileSchema(read);
  return (value) => checkAtOnce(compiled, value, new CheckWork('full'));
}

/** Throws NeedsSteps when `work` is quick and the check takes too long. */
export function checkAtOnce({ slot, first, all }: CompiledSchema, value: unknown, work: CheckWork) {
  slot.work = work;
  work.numbers.reset();
  work.budget.start(value);
  try {
    if (first(value)) return null;
  } catch (error) {
    return [costError(error)];
  }
  if (!mayListAll(value)) return first.errors ?? [];
  const { errors } = first;
  work.budget.startShort();
  try {
    all(value);
    return all.errors ?? [];
  } catch (error) {
    costError(error);
    return errors ?? [];
  }
}

/** Whether the list of all errors is short enough to be created. */
export function mayListAll(value: unknown): boolean {
  return countParts(value, ALL_ERRORS_VALUES_MAX) < ALL_ERRORS_VALUES_MAX;
}

/**
 * Rethrows every error that is not about the cost of the check: a cancelled run or a lost pattern thread is unrelated
 * to the value.
 */
export function costError(error: unknown): CheckError {
  if (error instanceof RangeError)
    return { instancePath: '', params: {}, message: 'is nested too deeply to be checked' };
  const isCost = error instanceof BudgetUsedUp || (error instanceof NodeError && error.code === 'pattern_too_costly');
  if (isCost) return { instancePath: '', params: {}, message: error.message };
  throw error;
}

class BoundedAjv extends Ajv2020 {
  /** Referenced by the code that ajv generates (metered-code.ts, stepped-code.ts). */
  readonly slot: WorkSlot;

  constructor(slot: WorkSlot, allErrors: boolean) {
    super({
      ...OPTIONS,
      allErrors,
      formats: boundedFormats(),
      code: { optimize: false, regExp: linearEngine(slot), process: (code) => steppedCode(meteredCode(code)) },
    });
    this.slot = slot;
    for (const own of [uniqueItems, multipleOf(this, slot), ...textLengths(this)]) {
      this.removeKeyword(own.keyword as string);
      this.addKeyword(own);
    }
    weighKeywords(this);
    this.addVocabulary(['$anchor']);
  }
}

/** `ownProperties`: a name such as `constructor` must not be found on a prototype. */
const OPTIONS = {
  strict: false,
  strictSchema: true,
  ownProperties: true,
  inlineRefs: false,
  meta: false,
  validateSchema: false,
  logger: false,
} as const;

function linearEngine(slot: WorkSlot) {
  const engine = (source: string) => {
    const pattern = linearPattern(source);
    return { pattern, test: (text: string) => slot.work.matches(pattern, text) };
  };
  return Object.assign(engine, { code: 'linearEngine' });
}

function compileWith(schema: object | boolean, slot: WorkSlot, allErrors: boolean): SteppedFunction {
  try {
    return withGeneratedCode(() => new BoundedAjv(slot, allErrors).compile(schema)) as unknown as SteppedFunction;
  } catch (error) {
    throw new RangeError(compileFault(error), { cause: error });
  }
}

function compileFault(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it cannot be compiled';
  if (text.startsWith("can't resolve reference"))
    return `the schema refers to something that is not in it (${clip(text, DETAIL_CHARS_MAX)}); remote references are not available`;
  if (text.startsWith('unknown format'))
    return `${clip(text, DETAIL_CHARS_MAX)}; expected one of ${FORMAT_NAMES.join(', ')}`;
  if (error instanceof RangeError && !text.startsWith('Maximum call')) return text;
  return `the schema is not valid: ${clip(text.replace('strict mode: ', ''), DETAIL_CHARS_MAX)}`;
}

let dialect: Ajv2020 | undefined;

/** Created once, with the first schema: compiling the dialect's own schema takes about 50 ms. */
function checkAgainstDialect(schema: object | boolean): void {
  const ajv = (dialect ??= new Ajv2020({ strict: false, allErrors: false, logger: false }));
  if (withGeneratedCode(() => ajv.validateSchema(schema)) === true) return;
  const [fault] = ajv.errors ?? [];
  const at =
    fault === undefined || fault.instancePath === ''
      ? 'the schema'
      : `${clip(fault.instancePath, DETAIL_CHARS_MAX)} in the schema`;
  throw new RangeError(`${at} ${fault?.message ?? 'is not valid'}`);
}
