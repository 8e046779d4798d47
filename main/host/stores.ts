import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from 'sql.js';
import { z } from 'zod';
import { errorCode } from '#common/node/atomic-file.ts';
import { needsRoom } from '#common/node/needs-room.ts';
import { compareStamps, readStamp } from '#common/node/store-stamp.ts';
import { dropMeta, putMeta, readMeta } from '../vault/meta.ts';
import { HELD_FILE, heldNumber } from './held-file.ts';

/**
 * The vault's record of the other stores of the data folder, so that a missing, emptied, replaced or older one is
 * detected at the start. Recorded with each write of the vault, hourly and at the stop.
 *
 * A store that does not match remains lost, across restarts, until the right file is restored or a user accepts the
 * loss.
 *
 * Known weaknesses: a copy that was created since the last start counts as the newest; changes between the vault's last
 * write and a crash are not known.
 */
const DATABASES = ['projects.sqlite', 'outbox.sqlite', 'history.sqlite'] as const;
const FOLDERS = ['journal/host', 'journal/gateway'] as const;
const FILES = ['anchors', HELD_FILE] as const;
const NAMES = [...DATABASES, ...FOLDERS, ...FILES] as const;
export type StoreName = (typeof NAMES)[number];
const FAULTS = ['missing', 'empty', 'other', 'older', 'damaged'] as const;
export type StoreFault = (typeof FAULTS)[number];
/** A larger database is not read completely at the start: damage is detected when it is read. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024;

export interface LostStore {
  store: StoreName;
  fault: StoreFault;
}

/** The stamp of a database, the number of the held changes; for the others 1, once they have any content. */
const marksSchema = z.partialRecord(z.enum(NAMES), z.int());
const lostSchema = z.array(z.object({ store: z.enum(NAMES), fault: z.enum(FAULTS) }));
type Marks = z.infer<typeof marksSchema>;

export interface StoresOptions {
  readonly dataDir: string;
  /** The key of the MACs in the file of held changes. */
  readonly heldKey: Buffer;
}

export interface KnownStores {
  marks: Marks;
  lost: LostStore[];
}

export function knownStores(db: Database): KnownStores {
  return {
    marks: marksSchema.parse(JSON.parse(readMeta(db, 'stores') ?? '{}')),
    lost: lostSchema.parse(JSON.parse(readMeta(db, 'stores_lost') ?? '[]')),
  };
}

/** Evaluated before anything except the vault is opened, because opening creates missing files. */
export function lostStores({ dataDir, heldKey }: StoresOptions, { marks, lost }: KnownStores): LostStore[] {
  return NAMES.flatMap((store) => {
    const known = marks[store];
    const fault = isDatabase(store)
      ? databaseFault(join(dataDir, store), known)
      : (recordFault(join(dataDir, store), known) ?? heldFault(store, known, () => heldNumber(dataDir, heldKey)));
    const before = lost.find((one) => one.store === store);
    // A store that was started again looks correct: only a user can end this state.
    if (before !== undefined && (!isDatabase(store) || (before.fault === 'missing' && fault === 'other')))
      return [before];
    return fault === null ? [] : [{ store, fault }];
  });
}

function databaseFault(file: string, known: number | undefined): StoreFault | null {
  const found = readStamp(file);
  if (found.kind === 'no_database') return 'damaged';
  if (found.kind !== 'stamp') return known === undefined ? null : found.kind;
  if (isDamaged(file)) return 'damaged';
  const compared = known === undefined ? 'same' : compareStamps(known, found.stamp);
  return compared === 'same' ? null : compared;
}

function isDamaged(file: string): boolean {
  if (statSync(file).size > CHECKED_BYTES_MAX) return false;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok';
  } catch (error) {
    return !needsRoom(error);
  } finally {
    db.close();
  }
}

function heldFault(store: StoreName, known: number | undefined, numberNow: () => number | null): StoreFault | null {
  if (store !== HELD_FILE || known === undefined) return null;
  const number = numberNow();
  if (number === null) return 'damaged';
  return number < known ? 'older' : null;
}

function recordFault(path: string, known: number | undefined): StoreFault | null {
  return known === undefined ? null : contentOf(path);
}

function contentOf(path: string): 'missing' | 'empty' | null {
  try {
    const found = statSync(path);
    if (!found.isDirectory()) return found.size === 0 ? 'empty' : null;
    const segments = readdirSync(path).filter((name) => name.endsWith('.jsonl'));
    return segments.length === 0 ? 'missing' : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
}

/** The current state; for lost stores, the last known one. */
export function presentMarks(options: StoresOptions, { marks }: KnownStores, lost: readonly LostStore[]): Marks {
  const found = NAMES.map((store): [StoreName, number | undefined] => {
    const kept = lost.some((one) => one.store === store);
    return [store, kept ? marks[store] : (markOf(options, store) ?? marks[store])];
  });
  return Object.fromEntries(found.filter(([, mark]) => mark !== undefined));
}

function markOf({ dataDir, heldKey }: StoresOptions, store: StoreName): number | undefined {
  if (store === HELD_FILE) return heldNumber(dataDir, heldKey) ?? undefined;
  if (!isDatabase(store)) return contentOf(join(dataDir, store)) === null ? 1 : undefined;
  const found = readStamp(join(dataDir, store));
  return found.kind === 'stamp' && found.stamp !== 0 ? found.stamp : undefined;
}

export function putLost(db: Database, lost: readonly LostStore[]): void {
  if (lost.length === 0) dropMeta(db, 'stores_lost');
  else putMeta(db, 'stores_lost', JSON.stringify(lost));
}

function isDatabase(store: StoreName): boolean {
  return DATABASES.some((name) => name === store);
}

const IN_WORDS = {
  missing: 'is missing',
  empty: 'is empty',
  other: 'is not the one that was used last',
  older: 'is older than the one that was used last',
  damaged: 'is damaged',
} satisfies Record<StoreFault, string>;

/** "outbox.sqlite is missing, anchors is empty" */
export function inWords(lost: readonly LostStore[]): string {
  return lost.map(({ store, fault }) => `${store} ${IN_WORDS[fault]}`).join(', ');
}
