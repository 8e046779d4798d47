/**
 * The patterns of one limit (docs/spec/keys.md#limits), compiled once. In a pattern, `*` matches any characters of one
 * name, and `**` as the last name everything below. `covers` takes a name or a pattern: a pattern is covered if one
 * entry covers all that it can match.
 *
 * Speed: whole names, `folder/*` and `folder/**` are in one hash table. A check hashes the thing once, from its start, and
 * looks up each folder on the way: one cache line each, also if thousands of keys share the cache. Other patterns are in
 * a tree by name; a check visits each of its levels at most once. No regular expressions.
 */
export class LimitMatcher {
  /** By the text of a whole name or of a folder; '' is the root. */
  readonly #texts: string[] = [''];
  readonly #kinds: number[] = [0];
  /** Pairs of a hash and an index into `#texts`; 0 = free. */
  #table: Int32Array = FREE;
  #others: Level | null = null;

  constructor(patterns: readonly string[]) {
    const kinds = new Map<string, number>();
    for (const pattern of patterns) this.#add(pattern, kinds);
    this.#fill(kinds);
  }

  covers(thing: string): boolean {
    const [rootKind = 0] = this.#kinds;
    if ((rootKind & TREE) !== 0) return true;
    let hash = SEED;
    let kind = rootKind;
    for (let at = 0; at < thing.length; at += 1) {
      const char = thing.charCodeAt(at);
      if (char === SLASH) {
        kind = this.#kindOf(thing, at, hash);
        if ((kind & TREE) !== 0) return true;
      }
      hash = Math.imul(hash ^ char, PRIME);
    }
    // All things in a folder, or all below it, for the pattern `folder/**`.
    if ((kind & FOLDER) !== 0 && !isWhole(thing)) return true;
    if ((this.#kindOf(thing, thing.length, hash) & NAME) !== 0) return true;
    return this.#others !== null && isBelow(this.#others, thing, 0);
  }

  /** The kinds of the first `length` characters, whose hash is given. */
  #kindOf(thing: string, length: number, hash: number): number {
    const mask = this.#table.length - 1;
    for (let slot = slotOf(hash) & mask; ; slot = (slot + 2) & mask) {
      const index = this.#table[slot + 1] ?? 0;
      if (index === 0) return 0;
      if (this.#table[slot] !== hash) continue;
      const text = this.#texts[index] ?? '';
      if (text.length === length && thing.startsWith(text)) return this.#kinds[index] ?? 0;
    }
  }

  #add(pattern: string, kinds: Map<string, number>): void {
    const folder = folderOf(pattern);
    const last = pattern.slice(pattern.lastIndexOf('/') + 1);
    const put = (text: string, kind: number): void => void kinds.set(text, (kinds.get(text) ?? 0) | kind);
    if (!pattern.includes('*')) put(pattern, NAME);
    else if (!folder.includes('*') && last === '*') put(folder, FOLDER);
    else if (!folder.includes('*') && last === '**') put(folder, TREE);
    else putOther((this.#others ??= newLevel()), pattern.split('/'));
  }

  #fill(kinds: Map<string, number>): void {
    this.#kinds[0] = kinds.get('') ?? 0;
    kinds.delete('');
    // At most half full, so that most look-ups end at their first slot.
    let slots = 2;
    while (slots < 2 * kinds.size) slots *= 2;
    this.#table = new Int32Array(2 * slots);
    for (const [text, kind] of kinds) {
      const hash = hashOf(text);
      let slot = slotOf(hash) & (this.#table.length - 1);
      while (this.#table[slot + 1] !== 0) slot = (slot + 2) & (this.#table.length - 1);
      this.#table[slot] = hash;
      this.#table[slot + 1] = this.#texts.push(text) - 1;
      this.#kinds.push(kind);
    }
  }
}

/** Kinds of entries. */
const NAME = 1;
const FOLDER = 2;
const TREE = 4;

const FREE = new Int32Array(4);
const SLASH = 47;
/** FNV-1a, over UTF-16 code units. */
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

function hashOf(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}

/** Even: a slot has two numbers. The high bits are mixed in, because those of FNV-1a are the better ones. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}

/** A pattern of everything below a folder. */
function isWhole(thing: string): boolean {
  return thing === '**' || thing.endsWith('/**');
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

function putOther(root: Level, names: readonly string[]): void {
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
