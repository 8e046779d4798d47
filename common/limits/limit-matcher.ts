/**
 * The patterns of one limit (docs/spec/keys.md#limits), compiled once. In a pattern, `*` matches any characters of one
 * name, and `**` as the last name everything below. `covers` takes a name or a pattern: a pattern is covered if one
 * entry covers all that it can match.
 *
 * Speed: whole names, `folder/*` and `folder/**` are found by a look-up, whatever the number of entries. Other patterns
 * are in a tree by name; a check visits each of its levels at most once. No regular expressions.
 */
export class LimitMatcher {
  readonly #names = new Set<string>();
  /** `folder` of `folder/*`; '' is the root. */
  readonly #folders = new Set<string>();
  /** `folder` of `folder/**`. */
  readonly #trees = new Set<string>();
  #others: Level | null = null;

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) this.#add(pattern);
  }

  covers(thing: string): boolean {
    if (this.#names.has(thing)) return true;
    let folder = folderOf(thing);
    const last = thing.slice(thing.lastIndexOf('/') + 1);
    if (last !== '**' && this.#folders.has(folder)) return true;
    for (;;) {
      if (this.#trees.has(folder)) return true;
      if (folder === '') break;
      folder = folderOf(folder);
    }
    return this.#others !== null && isBelow(this.#others, thing, 0);
  }

  #add(pattern: string): void {
    const folder = folderOf(pattern);
    const last = pattern.slice(pattern.lastIndexOf('/') + 1);
    if (!pattern.includes('*')) this.#names.add(pattern);
    else if (!folder.includes('*') && last === '*') this.#folders.add(folder);
    else if (!folder.includes('*') && last === '**') this.#trees.add(folder);
    else put((this.#others ??= newLevel()), pattern.split('/'));
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** A name with stars: it starts with `start`, ends with `end` and has the other parts in this order between them. */
interface StarName {
  readonly start: string;
  readonly middle: readonly string[];
  readonly end: string;
  readonly next: Level;
}

interface Level {
  readonly names: Map<string, Level>;
  /** By the length of `start`, then by `start`. */
  readonly starred: Map<number, Map<string, StarName[]>>;
  /** An entry ends here. */
  ends: boolean;
  /** An entry covers everything below. */
  below: boolean;
}

function newLevel(): Level {
  return { names: new Map(), starred: new Map(), ends: false, below: false };
}

function put(root: Level, names: readonly string[]): void {
  let level = root;
  for (const [index, name] of names.entries()) {
    if (name === '**' && index === names.length - 1) {
      level.below = true;
      return;
    }
    level = name.includes('*') ? starredNext(level, name) : namedNext(level, name);
  }
  level.ends = true;
}

function namedNext(level: Level, name: string): Level {
  const next = level.names.get(name) ?? newLevel();
  level.names.set(name, next);
  return next;
}

function starredNext(level: Level, name: string): Level {
  const parts = name.split('*');
  const start = parts[0] ?? '';
  const end = parts.at(-1) ?? '';
  const byStart = level.starred.get(start.length) ?? new Map<string, StarName[]>();
  level.starred.set(start.length, byStart);
  const list = byStart.get(start) ?? [];
  byStart.set(start, list);
  const next = newLevel();
  list.push({ start, middle: parts.slice(1, -1).filter((part) => part !== ''), end, next });
  return next;
}

/** True if the rest of `thing`, from the index `from` on, is covered below `level`. */
function isBelow(level: Level, thing: string, from: number): boolean {
  if (level.below) return true;
  const slash = thing.indexOf('/', from);
  const name = slash === -1 ? thing.slice(from) : thing.slice(from, slash);
  if (slash === -1 && name === '**') return false;
  const reaches = (next: Level): boolean => (slash === -1 ? next.ends : isBelow(next, thing, slash + 1));
  const named = level.names.get(name);
  if (named !== undefined && reaches(named)) return true;
  for (const [length, byStart] of level.starred) {
    for (const star of byStart.get(name.slice(0, length)) ?? [])
      if (fits(star, name) && reaches(star.next)) return true;
  }
  return false;
}

/** A star in `name` is a character like any other, which only a star covers. */
function fits({ start, middle, end }: StarName, name: string): boolean {
  const endsAt = name.length - end.length;
  let at = start.length;
  if (endsAt < at || !name.startsWith(start) || !name.endsWith(end)) return false;
  for (const part of middle) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > endsAt) return false;
    at = found + part.length;
  }
  return true;
}
