import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { NodeError } from '../kind.ts';
import { linearPattern } from '../linear-pattern.ts';
import { boundedFormats, FORMAT_NAMES } from './formats.ts';
import { ALL_ERRORS_VALUES_MAX, boundSchema, CHECK_MS_MAX } from './schema-limits.ts';
import { uniqueItems } from './unique-items.ts';

/**
 * JSON Schema 2020-12 by ajv, made safe for schemas of an author and values of a stranger:
 * - patterns run in a linear-time engine;
 * - time is bounded: nested `anyOf` and `$ref` can make even a short value cost 2^n, so every schema function and every
 *   pattern looks at the clock now and then;
 * - memory is bounded: the list of all errors is only made for values with few parts (each part can fail), other
 *   values get the first error;
 * - nothing remote, no asynchronous schemas, no unknown keywords or formats: a typing error must not pass everything.
 */
export interface SchemaCheck {
  /** Null when the value fits. Throws NodeError `check_too_long`, `value_too_deep`, `pattern_too_costly`. */
  (value: unknown): readonly ErrorObject[] | null;
}

/** A schema that can be used, compiled as far as it takes to know that. */
export interface ReadSchema {
  readonly schema: object | boolean;
  readonly clock: CheckClock;
  /** Stops at the first error. */
  readonly first: ValidateFunction;
}

/** Throws RangeError with a plain sentence when the schema cannot be used. */
export function readSchema(schema: unknown): ReadSchema {
  boundSchema(schema);
  checkAgainstDialect(schema);
  const clock = new CheckClock();
  return { schema, clock, first: compileWith(schema, clock, false) };
}

export function schemaCheck({ schema, clock, first }: ReadSchema): SchemaCheck {
  const all = compileWith(schema, clock, true);
  return (value) => {
    clock.start();
    try {
      if (first(value)) return null;
      return errorsOf(hasFewParts(value) ? all : first, value, clock);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new NodeError('value_too_deep', 'the value is nested too deeply to be checked', { cause: error });
    }
  };
}

function errorsOf(validate: ValidateFunction, value: unknown, clock: CheckClock): readonly ErrorObject[] {
  clock.start();
  validate(value);
  return validate.errors ?? [];
}

/** Ends a check that takes too long. Looking at the time costs more than a step, so not every step does. */
class CheckClock {
  #endMs = 0;
  #steps = 0;

  start(): void {
    this.#endMs = performance.now() + CHECK_MS_MAX;
    this.#steps = 0;
  }

  tick(): void {
    if ((++this.#steps & 63) === 0) this.look();
  }

  look(): void {
    if (performance.now() < this.#endMs) return;
    throw new NodeError(
      'check_too_long',
      `the check was given up after ${CHECK_MS_MAX} ms; the schema costs too much for this value`,
    );
  }
}

class BoundedAjv extends Ajv2020 {
  /** Called by the code that ajv makes (`withTick`). */
  readonly checkClock: CheckClock;

  constructor(clock: CheckClock, allErrors: boolean) {
    super({
      ...OPTIONS,
      allErrors,
      formats: boundedFormats(),
      code: { optimize: false, regExp: linearEngine(clock), process: withTick },
    });
    this.checkClock = clock;
    this.removeKeyword('uniqueItems');
    this.addKeyword(uniqueItems);
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

/** Where the code of a schema function begins; ajv is pinned, and a version that begins otherwise fails to compile. */
const FUNCTION_START = 'let vErrors = null;';

function withTick(code: string): string {
  if (code.includes(FUNCTION_START)) return code.replace(FUNCTION_START, `self.checkClock.tick();${FUNCTION_START}`);
  if (code.includes('vErrors = ')) throw new Error('the code that ajv makes has another form than expected');
  return code;
}

/** A match on a shorter text costs less than looking at the clock is worth. */
const SHORT_TEXT_CHARS = 256;

function linearEngine(clock: CheckClock) {
  const engine = (source: string) => {
    const pattern = linearPattern(source);
    return {
      test(text: string): boolean {
        if (text.length > SHORT_TEXT_CHARS) clock.look();
        else clock.tick();
        return pattern.test(text);
      },
    };
  };
  return Object.assign(engine, { code: 'linearEngine' });
}

function compileWith(schema: object | boolean, clock: CheckClock, allErrors: boolean): ValidateFunction {
  try {
    return new BoundedAjv(clock, allErrors).compile(schema);
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

/** Made once, when the first schema comes: compiling the dialect's own schema takes some 50 ms. */
function checkAgainstDialect(schema: object | boolean): void {
  dialect ??= new Ajv2020({ strict: false, allErrors: false, logger: false });
  if (dialect.validateSchema(schema) === true) return;
  const [fault] = dialect.errors ?? [];
  const at =
    fault === undefined || fault.instancePath === '' ? 'the schema' : `${clip(fault.instancePath)} in the schema`;
  throw new RangeError(`${at} ${fault?.message ?? 'is not valid'}`);
}

function hasFewParts(value: unknown): boolean {
  return countParts(value, ALL_ERRORS_VALUES_MAX) > 0;
}

/** What is left of `left` after counting every part of the value; not above 0 when there are too many. */
function countParts(value: unknown, left: number): number {
  let rest = left - 1;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return rest;
  for (const name in value) {
    if (rest <= 0) return rest;
    rest = countParts((value as Record<string, unknown>)[name], rest);
  }
  return rest;
}

function clip(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
