/** Limits of schemas and of validation. Compiling takes about 0.3 ms per subschema, in the gateway. */
const VALUES_MAX = 2_000;
const DEPTH_MAX = 64;
const PATTERNS_MAX = 100;

/** Values up to which an invalid message is checked again for all errors, instead of only the first. */
export const ALL_ERRORS_VALUES_MAX = 2_000;

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** ajv writes `$id` into a comment of the generated code: an ID that ended the comment would be run as code. */
const SAFE_ID = /^[A-Za-z0-9._~:/?#@!$&'()+,;=%-]{1,256}$/;

/** Throws RangeError with a plain sentence if a schema is too large, of another dialect, or unsafe to compile. */
export function boundSchema(schema: unknown): asserts schema is object | boolean {
  if (typeof schema === 'boolean') return;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new RangeError('expected a JSON Schema: an object, or true or false');
  const counts = { values: 0, patterns: 0 };
  walk(schema, 0, counts);
}

function walk(value: unknown, depth: number, counts: { values: number; patterns: number }): void {
  if (++counts.values > VALUES_MAX) throw new RangeError(`expected a schema of at most ${VALUES_MAX} values`);
  if (depth > DEPTH_MAX) throw new RangeError(`expected a schema nested at most ${DEPTH_MAX} deep`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value)) {
    checkName(name, entry, counts);
    walk(entry, depth + 1, counts);
  }
}

function checkName(name: string, value: unknown, counts: { patterns: number }): void {
  if (name === '$async') throw new RangeError('"$async" is not available in schemas');
  if (name === '$id' && typeof value === 'string' && !SAFE_ID.test(value))
    throw new RangeError('expected "$id" to be a URI of at most 256 characters');
  if (name === '$schema' && typeof value === 'string' && !DIALECT.test(value)) {
    throw new RangeError('expected "$schema" to be https://json-schema.org/draft/2020-12/schema, or to be left out');
  }
  if (name === 'pattern' && typeof value === 'string') countPatterns(1, counts);
  if (name === 'patternProperties' && typeof value === 'object' && value !== null)
    countPatterns(Object.keys(value).length, counts);
}

function countPatterns(more: number, counts: { patterns: number }): void {
  counts.patterns += more;
  if (counts.patterns > PATTERNS_MAX) throw new RangeError(`expected at most ${PATTERNS_MAX} patterns in a schema`);
}
