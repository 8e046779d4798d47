/**
 * Tags by the names of their paths, so that a pattern visits only folders that can match. Immutable: created again when
 * tags are added or removed.
 *
 * Limits: a caller's `Steps` limit the visits of one call; CACHED_PATTERNS_MAX patterns with CACHED_RESULTS_MAX results
 * together are cached, and all are dropped when there are more.
 */
import { isTagPattern, tagMatches } from '#common/model/tag.ts';

export const CACHED_PATTERNS_MAX = 1_000;
export const CACHED_RESULTS_MAX = 200_000;

/** Remaining visits of a search: one for each folder or tag. Below zero, the search ended early. */
export interface Steps {
  left: number;
}

export const ENDLESS = (): Steps => ({ left: Number.MAX_SAFE_INTEGER });

interface Branch<T> {
  tag: T | null;
  readonly below: Map<string, Branch<T>>;
}

export class TagTree<T extends { readonly path: string }> {
  readonly #root: Branch<T> = branch();
  readonly #cache = new Map<string, readonly T[]>();
  #cachedResults = 0;

  constructor(tags: Iterable<T>) {
    for (const tag of tags) this.#put(tag);
  }

  /** The tags that match a path or pattern, in the order of their definition, folder by folder. */
  find(pattern: string, steps: Steps): readonly T[] {
    const known = this.#cache.get(pattern);
    if (known !== undefined) {
      steps.left -= known.length + 1;
      return known;
    }
    const found: T[] = [];
    this.#walk(this.#root, pattern.split('/'), 0, steps, found);
    if (steps.left >= 0 && isTagPattern(pattern)) this.#keep(pattern, found);
    return found;
  }

  #put(tag: T): void {
    let at = this.#root;
    for (const name of tag.path.split('/')) {
      const next = at.below.get(name) ?? branch<T>();
      at.below.set(name, next);
      at = next;
    }
    at.tag = tag;
  }

  #walk(at: Branch<T>, names: readonly string[], depth: number, steps: Steps, found: T[]): void {
    const name = names[depth];
    if (name === undefined) {
      if (at.tag !== null) found.push(at.tag);
      return;
    }
    if (name === '**' && depth === names.length - 1) {
      this.#collect(at, steps, found);
      return;
    }
    for (const next of fitting(at, name, steps)) this.#walk(next, names, depth + 1, steps, found);
  }

  #collect(at: Branch<T>, steps: Steps, found: T[]): void {
    for (const next of at.below.values()) {
      if (--steps.left < 0) return;
      if (next.tag !== null) found.push(next.tag);
      this.#collect(next, steps, found);
    }
  }

  #keep(pattern: string, found: readonly T[]): void {
    if (this.#cache.size >= CACHED_PATTERNS_MAX || this.#cachedResults + found.length > CACHED_RESULTS_MAX) {
      this.#cache.clear();
      this.#cachedResults = 0;
    }
    this.#cache.set(pattern, found);
    this.#cachedResults += found.length;
  }
}

function branch<T>(): Branch<T> {
  return { tag: null, below: new Map() };
}

function* fitting<T>(at: Branch<T>, pattern: string, steps: Steps): Generator<Branch<T>> {
  if (!isTagPattern(pattern)) {
    steps.left -= 1;
    const next = at.below.get(pattern);
    if (next !== undefined && steps.left >= 0) yield next;
    return;
  }
  for (const [name, next] of at.below) {
    if (--steps.left < 0) return;
    if (tagMatches(pattern, name)) yield next;
  }
}
