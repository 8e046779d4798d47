import type { Scope } from '../scopes.ts';
import { keyLimits, LIMIT_ENTRIES_MAX, type PipelineLimits, type ThingList } from './key-limits.ts';

/** Things of one list that a key used. `more`: further things are not known. */
interface Used {
  readonly things: readonly string[];
  readonly more: boolean;
}

interface ProposedLimits {
  limits: PipelineLimits;
  /** Lists that cannot be narrowed: too many things, or a name that is no entry. */
  open: ThingList[];
}

/**
 * The narrowest limits that allow what a key used (docs/spec/keys.md#proposed-limits). Where the names are more than
 * a limit has entries, the fullest folders are proposed as a whole.
 */
export function proposedLimits(scopes: readonly Scope[], used: Partial<Record<ThingList, Used>>): ProposedLimits {
  const proposed: ProposedLimits = { limits: {}, open: [] };
  for (const list of [...scopes, 'targets'] as const) {
    const { things, more } = used[list] ?? { things: [], more: false };
    const entries = more ? null : entriesFor(list, things);
    if (entries === null) proposed.open.push(list);
    else proposed.limits[list] = entries;
  }
  return proposed;
}

function entriesFor(list: ThingList, things: readonly string[]): string[] | null {
  let entries = [...new Set(things)].toSorted();
  while (entries.length > LIMIT_ENTRIES_MAX) {
    const folded = withFullestFolder(entries);
    if (folded === null) return null;
    entries = folded;
  }
  return keyLimits.safeParse({ [list]: entries }).success ? entries : null;
}

/** The names of the folder with the most of them become one entry; null: each folder has one. */
function withFullestFolder(entries: readonly string[]): string[] | null {
  const folders = Map.groupBy(entries, folderOf);
  const [folder, names] = [...folders].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ['', []];
  if (names.length < 2) return null;
  const whole = names.some((name) => WHOLE.test(name)) ? '**' : '*';
  const others = entries.filter((entry) => folderOf(entry) !== folder);
  return [...new Set([...others, folder === '' ? whole : `${folder}/${whole}`])].toSorted();
}

/** An entry for a folder. */
const WHOLE = /(?:^|\/)\*\*?$/;

/** The folder that holds the name, or the folder that the entry is for. */
function folderOf(entry: string): string {
  const name = entry.replace(/\/\*\*?$/, '');
  const slash = name.lastIndexOf('/');
  return slash === -1 ? '' : name.slice(0, slash);
}
