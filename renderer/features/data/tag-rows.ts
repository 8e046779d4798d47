import { NO_VALUE_YET, type TagDefinition, type TagValue } from '#common/model/tag.ts';

/** A row of the list of tags: a folder's name, then its tags. */
export type TagRow =
  { kind: 'folder'; folder: string; count: number; open: boolean } | { kind: 'tag'; tag: TagDefinition; name: string };

/** The part before the last `/` of a path; empty for a tag without a folder. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Tags whose path or title has each word of the text. */
export function foundTags(tags: readonly TagDefinition[], text: string): TagDefinition[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tags.filter(({ path, title }) => {
    const whole = `${path} ${title}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

/** By folder, each with its tags unless it is closed. */
export function rowsOf(tags: readonly TagDefinition[], closed: ReadonlySet<string>): TagRow[] {
  const folders = Map.groupBy(tags, ({ path }) => folderOf(path));
  const names = [...folders.keys()].toSorted((a, b) => a.localeCompare(b));
  return names.flatMap((folder): TagRow[] => {
    const inside = (folders.get(folder) ?? []).toSorted((a, b) => a.path.localeCompare(b.path));
    const open = !closed.has(folder);
    const head: TagRow = { kind: 'folder', folder, count: inside.length, open };
    const rows = open ? inside.map((tag): TagRow => ({ kind: 'tag', tag, name: nameOf(tag.path) })) : [];
    return folder === '' ? rows : [head, ...rows];
  });
}

/** Paths of the tags among these rows. */
export function pathsIn(rows: readonly TagRow[]): string[] {
  return rows.flatMap((row) => (row.kind === 'tag' ? [row.tag.path] : []));
}

/** Nothing has written it yet, and nothing is wrong with it. */
export function isUnset({ reason }: TagValue): boolean {
  return reason === NO_VALUE_YET;
}

export function isBad(value: TagValue): boolean {
  return value.quality === 'bad' && !isUnset(value);
}

export function badPaths(values: ReadonlyMap<string, TagValue> | undefined): string[] {
  return [...(values?.values() ?? [])].filter(isBad).map(({ path }) => path);
}
