import type { UrlPattern } from '#common/pattern.ts';

/**
 * Routes by path, segment by segment (docs/spec/routes.md#matching). A search visits no trie node twice, so its work is
 * bounded by the number of routes.
 */
interface TrieNode<R> {
  literals: Map<string, TrieNode<R>>;
  param: TrieNode<R> | null;
  /** Routes that end here, by method; `*` accepts any. */
  leaf: Map<string, R> | null;
}

export interface Match<R> {
  readonly route: R;
  /** Raw texts of the `:name` segments, in order. */
  readonly values: readonly string[];
}

export interface Routable {
  readonly method: string;
  readonly pattern: UrlPattern;
}

const NO_VALUES: readonly string[] = [];

export class RouteTrie<R extends Routable> {
  readonly #root: TrieNode<R> = emptyNode();
  /** Paths of patterns without parameters: such a match takes precedence over every other. */
  readonly #statics = new Map<string, Map<string, R>>();

  constructor(routes: Iterable<R> = []) {
    for (const route of routes) this.add(route);
  }

  find(method: string, path: string): Match<R> | null {
    const leaf = this.#statics.get(path);
    const exact = leaf && accept(leaf, method);
    if (exact) return { route: exact, values: NO_VALUES };
    return search(this.#root, path.slice(1).split('/'), 0, method, []);
  }

  /** Replaces a route with the same method and shape. */
  add(route: R): void {
    let node = this.#root;
    for (const segment of route.pattern.segments)
      node = 'literal' in segment ? literalChild(node, segment.literal) : (node.param ??= emptyNode());
    node.leaf ??= new Map();
    node.leaf.set(route.method, route);
    if (isStatic(route.pattern)) this.#statics.set(route.pattern.source, node.leaf);
  }

  /** A route that has replaced it in the meantime is kept. */
  remove(route: R): void {
    prune(this.#root, route, 0);
    if (this.#statics.get(route.pattern.source)?.size === 0) this.#statics.delete(route.pattern.source);
  }
}

const isStatic = ({ segments }: UrlPattern): boolean => segments.every((segment) => 'literal' in segment);

/** Removes a route below `node`, with all nodes that become empty. Returns whether `node` is one of them. */
function prune<R extends Routable>(node: TrieNode<R>, route: R, at: number): boolean {
  const segment = route.pattern.segments[at];
  if (segment === undefined) {
    if (node.leaf?.get(route.method) === route) node.leaf.delete(route.method);
    if (node.leaf?.size === 0) node.leaf = null;
  } else if ('literal' in segment) {
    const child = node.literals.get(segment.literal);
    if (child && prune(child, route, at + 1)) node.literals.delete(segment.literal);
  } else if (node.param && prune(node.param, route, at + 1)) {
    node.param = null;
  }
  return node.leaf === null && node.param === null && node.literals.size === 0;
}

function emptyNode<R>(): TrieNode<R> {
  return { literals: new Map(), param: null, leaf: null };
}

function literalChild<R>(node: TrieNode<R>, literal: string): TrieNode<R> {
  const known = node.literals.get(literal);
  if (known) return known;
  const child = emptyNode<R>();
  node.literals.set(literal, child);
  return child;
}

/** An exact method takes precedence over `*`; HEAD is served by GET. */
function accept<R>(leaf: Map<string, R>, method: string): R | undefined {
  return leaf.get(method === 'HEAD' ? 'GET' : method) ?? leaf.get('*');
}

function search<R>(
  node: TrieNode<R>,
  parts: readonly string[],
  at: number,
  method: string,
  values: string[],
): Match<R> | null {
  if (at === parts.length) {
    const route = node.leaf && accept(node.leaf, method);
    return route ? { route, values: [...values] } : null;
  }
  const part = parts[at] as string;
  const literal = node.literals.get(part);
  const found = literal ? search(literal, parts, at + 1, method, values) : null;
  if (found || !node.param || part === '') return found;
  values.push(part);
  const byParam = search(node.param, parts, at + 1, method, values);
  values.pop();
  return byParam;
}
