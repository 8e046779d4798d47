import { isApiError } from './problem.ts';
import { ruleText } from './rule-text.ts';

/**
 * The server's error for the field with that path, in the language of the UI; null: none. Parts of a list belong to its
 * field.
 */
export function fieldFault(error: unknown, path: string): string | null {
  if (!isApiError(error)) return null;
  const found = error.errors.find((one) => one.path === path || one.path.startsWith(`${path}.`));
  return found === undefined ? null : ruleText(found).text;
}

/** The error, unless it is shown completely by the fields with those paths. */
export function errorBesides(error: unknown, paths: readonly string[]): unknown {
  if (!isApiError(error) || error.errors.length === 0) return error;
  const isCovered = (path: string) => paths.some((one) => path === one || path.startsWith(`${one}.`));
  return error.errors.every(({ path }) => isCovered(path)) ? null : error;
}
