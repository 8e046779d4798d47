import type { KnownPath } from './mapping.ts';

const DEPTH_MAX = 6;
/** The limit per value. */
const PATHS_MAX = 300;

/**
 * The paths into a value with their values, in the order of the value. Of a list only the first entry is used, because
 * entries are similar.
 */
export function pathsOf(value: unknown, path: string): KnownPath[] {
  const found: KnownPath[] = [];
  walk(value, path, 0, found);
  return found;
}

function walk(value: unknown, path: string, depth: number, found: KnownPath[]): void {
  if (found.length >= PATHS_MAX) return;
  found.push({ path, value });
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return;
  const inner = Object.entries(value).slice(0, Array.isArray(value) ? 1 : PATHS_MAX);
  for (const [name, next] of inner) if (name !== '') walk(next, `${path}.${escaped(name)}`, depth + 1, found);
}

/** A dot in a name is not one between names (docs/spec/pipelines.md#paths-and-templates). */
function escaped(name: string): string {
  return name.replaceAll('.', String.raw`\.`);
}

/** Each path once: with its value if one list knows it, in the order of the first list that contains it. */
export function joined(...lists: readonly (readonly KnownPath[])[]): KnownPath[] {
  const paths = new Map<string, KnownPath>();
  for (const known of lists.flat()) if (paths.get(known.path)?.value === undefined) paths.set(known.path, known);
  return [...paths.values()];
}
