import type { KeyRecord } from '#common/model/records.ts';
import { isUnused } from './key-view.ts';

export const KEY_FILTERS = ['valid', 'unused', 'revoked', 'all'] as const;
export type KeyFilter = (typeof KEY_FILTERS)[number];

export interface KeyWish {
  /** Part of a name, of an ID or of a project, or a whole key. */
  find: string;
  filter: KeyFilter;
  /** The ID of a project; empty: every project. */
  project: string;
}

export function keysOf(
  keys: readonly KeyRecord[],
  { find, filter, project }: KeyWish,
  projectName: (id: string) => string,
  now: Date,
): KeyRecord[] {
  return keys.filter(
    (key) =>
      (project === '' || key.project === project) &&
      isWanted(key, filter, now) &&
      isFound(key, find.trim(), projectName(key.project)),
  );
}

function isWanted(key: KeyRecord, filter: KeyFilter, now: Date): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'revoked':
      return key.revokedAt !== null;
    case 'valid':
      return key.revokedAt === null;
    case 'unused':
      return key.revokedAt === null && isUnused(key, now);
  }
}

/** Only the ID of a pasted key is compared: its secret must not be searched for. */
const KEY_TEXT = /^slc_([0-9A-Za-z]*)/;

function isFound({ id, name }: KeyRecord, find: string, projectName: string): boolean {
  const idOfKey = KEY_TEXT.exec(find)?.[1];
  if (idOfKey !== undefined) return id.startsWith(idOfKey);
  const wanted = find.toLowerCase();
  return id.startsWith(find) || [name, projectName].some((text) => text.toLowerCase().includes(wanted));
}
