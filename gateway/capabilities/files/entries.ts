import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { NodeError } from '#sdk';
import { type FolderHandle, statOf } from './folder-handle.ts';
import { OWN_PREFIX } from './workspace-path.ts';

/** A file that is being written, or whose write was interrupted by a crash. */
const OWN = /^\.sluice-[0-9a-f]{24}\.tmp$/;

/** Entries of one folder: those that a list shows, and those that a write can create. */
export const FOLDER_ENTRIES_MAX = 10_000;
const STATS_AT_ONCE = 32;

export interface Entry {
  readonly name: string;
  /** Describes the entry itself; links are not followed. */
  readonly stats: BigIntStats;
}

/** Names in a folder, including internal ones of the gateway. Throws NodeError `files_full` beyond `max`. */
export async function namesIn(anchor: FolderHandle, max: number): Promise<string[]> {
  const names: string[] = [];
  const folder = await opendir(anchor.at('.'), { bufferSize: 256 });
  for await (const { name } of folder) {
    if (names.push(name) > max) throw new NodeError('files_full', `the folder has more than ${max} entries`);
  }
  return names;
}

/** With the type of each entry; entries that were deleted in the meantime are left out. */
export async function entriesOf(anchor: FolderHandle, names: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let at = 0; at < names.length; at += STATS_AT_ONCE) {
    const slice = names.slice(at, at + STATS_AT_ONCE);
    const stats = await Promise.all(slice.map((name) => statOf(anchor.at(name))));
    for (const [index, name] of slice.entries()) {
      const found = stats[index];
      if (found !== undefined && found !== null) entries.push({ name, stats: found });
    }
  }
  return entries;
}

export function ownName(): string {
  return `${OWN_PREFIX}${randomBytes(12).toString('hex')}.tmp`;
}

export function isOwn(name: string): boolean {
  return OWN.test(name);
}
