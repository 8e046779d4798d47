import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { withGeneratedCode } from '#common/node/generated-code.ts';
import { NodeError } from '../kind.ts';
import { linearPattern } from '../linear-pattern.ts';
import { BudgetUsedUp, CheckBudget } from './check-budget.ts';
import { countParts } from './count-parts.ts';
import { boundedFormats, FORMAT_NAMES } from './formats.ts';

import { meteredCode } from './metered-code.ts';
import { multipleOf } from './multiple-of.ts';
import { PartNumbers } from './part-numbers.ts';
import { ALL_ERRORS_VALUES_MAX, boundSchema } from './schema-limits.ts';
import { uniqueItems } from './unique-items.ts';
import { weighKeywords } from './weighed-keywords.ts';

/**
 * JSON Schema 2020-12 by ajv, made safe for schemas of an author and values of a stranger:
 * - patterns run in a linear-time engine;
 * - work is bounded: nested `anyOf` and `$ref` can make even a short value cost 2^n, so every schema function, every
 *   turn of a loop, every pattern, every part that `uniqueItems` reads and every character, property and part that a
 *   limit or `const` looks at counts against a budget (check-budget.ts);
 * - memory is bounded: the list of all errors is only made for values with few parts (each part can fail), and within
 *   a budget of its own; other values get the first error;
 * - nothing remote, no asynchronous schemas, no unknown keywords or formats: a typing error must not pass everything.
 */
export interface SchemaCheck {
  /**
   * Null if the value fits. A value that costs too much to check does not fit: its caller is refused with that reason.
   */
  (value: unknown): readonly CheckError[] | null;
}

export type CheckError = Pick<ErrorObject, 'instancePath' | 'params' | 'message'>;

/** A schema that can be used, compiled as far as it takes to know that. */
export interface ReadSchema {
  readonly schema: object | boolean;
  readonly work: CheckWork;
  /** Stops at the first error. */
  readonly first: ValidateFunction;
}

/** Kept by the compiled functions of one schema during one check. */
interface CheckWork {
  readonly budget: CheckBudget;
  readonly numbers: PartNumbers;
}

/** Throws RangeError with a plain sentence when the schema cannot be used. */
export function readSchema(schema: unknown): ReadSchema {
  boundSchema(schema);
  checkAgainstDialect(schema);
  const budget = new CheckBudget();
  const work = { budget, numbers: new PartNumbers(budget) };
  return { schema, work, first: compileWith(schema, work, false) };
}

export function schemaCheck({ schema, work, first }: ReadSchema): SchemaCheck {
  const all = compileWith(schema, work, true);
  const check: SchemaCheck = (value) => {
    work.budget.start(value);
    try {
      if (first(value)) return null;
    } catch (error) {
      return [costError(error)];
    }
    return allErrors(all, value, work.budget) ?? first.errors ?? [];
  };
  return (value) => {
    work.numbers.reset();
    return check(value);
  };
}

/** Null when the list would be too long, or costs more than it is worth. */
function allErrors(all: ValidateFunction, value: unknown, budget: CheckBudget): readonly CheckError[] | null {
  if (countParts(value, ALL_ERRORS_VALUES_MAX) >= ALL_ERRORS_VALUES_MAX) return null;
  budget.startShort();
  try {
    all(value);
    return all.errors ?? null;
  } catch (error) {
    costError(error);
    return null;
  }
}

/** Rethrows every error other than a used-up budget. */
function costError(error: unknown): CheckError {
  if (error instanceof RangeError)
    return { instancePath: '', params: {}, message: 'is nested too deeply to be checked' };
  if (error instanceof NodeError || error instanceof BudgetUsedUp)
    return { instancePath: '', params: {}, message: error.message };
  throw error;
}

class BoundedAjv extends Ajv2020 {
  /** Named by the code that ajv makes (metered-code.ts). */
  readonly budget: CheckBudget;

  constructor({ budget, numbers }: CheckWork, allErrors: boolean) {
    super({
      ...OPTIONS,
      allErrors,
      formats: boundedFormats(),
      code: { optimize: false, regExp: linearEngine(budget), process: meteredCode },
    });
    this.budget = budget;
    this.removeKeyword('uniqueItems');
    this.addKeyword(uniqueItems(numbers));
    const decimal = multipleOf(this, budget);
    this.removeKeyword('multipleOf');
    this.addKeyword(decimal);
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

/** Characters of a text times instructions of a pattern that count as one step. */
const MATCH_WORK_PER_STEP = 400;

function linearEngine(budget: CheckBudget) {
  const engine = (source: string) => {
    const pattern = linearPattern(source);
    return {
      test(text: string): boolean {
        const matches = pattern.test(text);
        const work = text.length * pattern.size;
        budget.matched(work);
        budget.spend(1 + Math.ceil(work / MATCH_WORK_PER_STEP));
        return matches;
      },
    };
  };
  return Object.assign(engine, { code: 'linearEngine' });
}

function compileWith(schema: object | boolean, work: CheckWork, allErrors: boolean): ValidateFunction {
  try {
    return withGeneratedCode(() => new BoundedAjv(work, allErrors).compile(schema));
  } catch (error) {
    throw new RangeError(compileFault(error), { cause: error });
  }
}

function compileFault(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it cannot be compiled';
  if (text.startsWith("can't resolve reference"))
    return `the schema refers to something that is not in it (${clip(text)}); remote references are not available`;
  if (text.startsWith('unknown format')) return `${clip(text)}; expected one of ${FORMAT_NAMES.join(', ')}`;
  if (error instanceof RangeError && !text.startsWith('Maximum call')) return text;
  return `the schema is not valid: ${clip(text.replace('strict mode: ', ''))}`;
}

let dialect: Ajv2020 | undefined;

/** Created once, with the first schema: compiling the dialect's own schema takes about 50 ms. */
function checkAgainstDialect(schema: object | boolean): void {
  const ajv = (dialect ??= new Ajv2020({ strict: false, allErrors: false, logger: false }));
  if (withGeneratedCode(() => ajv.validateSchema(schema)) === true) return;
  const [fault] = ajv.errors ?? [];
  const at =
    fault === undefined || fault.instancePath === '' ? 'the schema' : `${clip(fault.instancePath)} in the schema`;
  throw new RangeError(`${at} ${fault?.message ?? 'is not valid'}`);
}

function clip(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
