/**
 * Paths into messages (docs/spec/pipelines.md#paths-and-templates): `payload.body.lines.0.id`; own properties only;
 * `\.` is a dot in a name.
 */
export type Path = readonly string[];

const NAMES_MAX = 64;

/** Splits a path into names; throws a RangeError with a plain sentence if it is not a path. */
export function parsePath(text: string): Path {
  const names = text.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
  if (names.some((name) => name === ''))
    throw new RangeError(`expected a path such as payload.body.id; it is "${text.slice(0, 60)}"`);
  if (names.length > NAMES_MAX) throw new RangeError(`expected a path of at most ${NAMES_MAX} names`);
  return names;
}

/** The value at a path, or undefined. Never follows the prototype chain. */
export function readPath(root: unknown, path: Path): unknown {
  let value: unknown = root;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
