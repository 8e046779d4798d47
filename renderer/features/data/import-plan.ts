import type { TagDefinition } from '#common/model/tag.ts';

/** The effect of a file of tags on the current ones. */
export interface ImportPlan {
  made: string[];
  changed: string[];
  same: string[];
  /** Existing tags that are not in the file. */
  others: string[];
  /** As in the file. */
  items: readonly { path: string }[];
}

export type ReadTags =
  { kind: 'tags'; items: readonly { path: string }[] } | { kind: 'not-json' } | { kind: 'no-list' };

/** A list of tags, or `{ "items": [ … ] }` as in an export. The server checks each tag. */
export function readTagFile(text: string): ReadTags {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return { kind: 'not-json' };
  }
  const items = typeof whole === 'object' && whole !== null && 'items' in whole ? whole.items : whole;
  return isTagList(items) ? { kind: 'tags', items } : { kind: 'no-list' };
}

function isTagList(value: unknown): value is { path: string }[] {
  if (!Array.isArray(value)) return false;
  return value.every(
    (item: unknown) => typeof item === 'object' && item !== null && 'path' in item && typeof item.path === 'string',
  );
}

export function planImport(present: readonly TagDefinition[], items: readonly { path: string }[]): ImportPlan {
  const before = new Map(present.map((tag) => [tag.path, tag]));
  const given = new Set(items.map(({ path }) => path));
  const isSame = (item: { path: string }) => holds(before.get(item.path), item);
  const known = items.filter(({ path }) => before.has(path));
  return {
    made: items.filter(({ path }) => !before.has(path)).map(({ path }) => path),
    changed: known.filter((item) => !isSame(item)).map(({ path }) => path),
    same: known.filter(isSame).map(({ path }) => path),
    others: present.filter(({ path }) => !given.has(path)).map(({ path }) => path),
    items,
  };
}

/** The resulting tags: those of the file, and the others if they are kept. */
export function importedTags(present: readonly TagDefinition[], plan: ImportPlan, keepOthers: boolean): unknown[] {
  const stay = new Set(keepOthers ? plan.others : []);
  return [...plan.items, ...present.filter(({ path }) => stay.has(path))];
}

/** The file contains no changes. */
function holds(whole: unknown, some: unknown): boolean {
  if (typeof some !== 'object' || some === null) return whole === some;
  if (typeof whole !== 'object' || whole === null) return false;
  const fields: Record<string, unknown> = { ...whole };
  return Object.entries(some).every(([name, value]) => holds(fields[name], value));
}
