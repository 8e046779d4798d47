import { foundBy } from '#ui/found-by.ts';

/** In the order in which they are shown. */
export const GROUPS = [
  'request',
  'pages',
  'pipelines',
  'routes',
  'keys',
  'tags',
  'queries',
  'connections',
  'guides',
] as const;
export type Group = (typeof GROUPS)[number];

/** Something to open. */
export interface Entry {
  /** Unique in its group. */
  id: string;
  label: string;
  /** Where it belongs, such as its project. */
  note: string;
  /** Other words that find it. */
  words?: string;
  href: string;
  /** A page of its own, outside of the UI. */
  outside?: boolean;
}

export interface FoundGroup {
  group: Group;
  entries: Entry[];
  /** Found and not shown. */
  more: number;
}

const SHOWN_MAX = 6;

/** The best of each group. Without a query, pages only. */
export function foundIn(entries: Readonly<Record<Group, readonly Entry[]>>, query: string): FoundGroup[] {
  const groups = query.trim() === '' ? (['pages'] as const) : GROUPS;
  return groups.flatMap((group) => {
    const all = entries[group];
    // The entry of a request is made from the query itself, so it always matches.
    const found =
      group === 'request' ? [...all] : foundBy(all, query, ({ label, note, words = '' }) => ({ label, note, words }));
    const shown = query.trim() === '' ? found : found.slice(0, SHOWN_MAX);
    return found.length === 0 ? [] : [{ group, entries: shown, more: found.length - shown.length }];
  });
}
