import { join } from 'node:path';
import type { Logger } from '#common/node/log.ts';
import { readStamp } from '#common/node/store-stamp.ts';
import { ANCHORS_FILE, ANCHORS_PURPOSE, readAnchors } from '../audit/anchors.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { one } from '../vault/rows.ts';
import { projectsLost, PROJECTS_FILE } from '../vault/recovery-hint.ts';
import { HELD_PURPOSE } from './held-file.ts';
import { inWords, knownStores, lostStores, type LostStore, presentMarks, putLost, type StoreName } from './stores.ts';

/** The other stores of an opened vault, compared with what it knows of them. */
export interface WatchedStores {
  lost(): readonly LostStore[];
  isLost(store: StoreName): boolean;
  /** Writes the findings to the vault, so that they survive the next start; call it once the stores are open. */
  keep(): Promise<void>;
  /** For the vault's writes. */
  marks(): string | null;
  /** A user continues with the current stores. */
  accept(): Promise<void>;
}

interface WatchOptions {
  dataDir: string;
  withoutProjects?: boolean;
  log: Logger;
}

/**
 * Call it before anything except the vault is opened. Throws VaultError if the project store is missing or empty
 * although the vault is in use: without its projects the appliance would look new.
 */
export function watchStores(vault: OpenedVault, { dataDir, withoutProjects, log }: WatchOptions): WatchedStores {
  const known = vault.read(knownStores);
  const options = { dataDir, heldKey: vault.derive(HELD_PURPOSE) };
  let lost = withAnchors(vault, dataDir, lostStores(options, known));
  const projects = lostProjects(vault, dataDir, lost);
  if (projects !== null && withoutProjects !== true) throw projectsLost(dataDir, projects);
  if (projects !== null)
    lost = [...lost.filter(({ store }) => store !== PROJECTS_FILE), { store: PROJECTS_FILE, fault: projects }];
  if (lost.length > 0) log.error('stores differ from the records of the vault', { stores: inWords(lost) });
  const isLost = (name: StoreName): boolean => lost.some(({ store }) => store === name);
  let last: string | null = null;
  return {
    lost: () => lost,
    isLost,
    async keep() {
      if (JSON.stringify(known.lost) === JSON.stringify(lost)) return;
      await vault.mutate((db) => putLost(db, lost));
    },
    marks() {
      try {
        last = JSON.stringify(presentMarks(options, known, lost));
      } catch (error) {
        log.warn('the stores could not be checked', { error });
      }
      return last;
    },
    async accept() {
      if (lost.length === 0) return;
      const before = lost;
      lost = [];
      await vault
        .mutate((db) => putLost(db, []))
        .catch((error: unknown) => {
          lost = before;
          throw error;
        });
    },
  };
}

/** Missing or empty although the vault is in use; null: neither. */
function lostProjects(vault: OpenedVault, dataDir: string, lost: readonly LostStore[]): 'missing' | 'empty' | null {
  const { kind } = readStamp(join(dataDir, PROJECTS_FILE));
  if (kind !== 'missing' && kind !== 'empty') return null;
  // A vault of a release without stamps has been in use if it has keys or secrets of projects.
  const wasInUse = lost.some(({ store }) => store === PROJECTS_FILE) || vault.read(hasProjectParts);
  return wasInUse ? kind : null;
}

function hasProjectParts(db: Parameters<typeof one>[0]): boolean {
  return one(db, 'SELECT 1 FROM keys UNION ALL SELECT 1 FROM secrets LIMIT 1') !== null;
}

function withAnchors(vault: OpenedVault, dataDir: string, lost: LostStore[]): LostStore[] {
  if (lost.some(({ store }) => store === ANCHORS_FILE)) return lost;
  const { kind } = readAnchors(join(dataDir, ANCHORS_FILE), vault.derive(ANCHORS_PURPOSE));
  return kind === 'unreadable' ? [...lost, { store: ANCHORS_FILE, fault: 'damaged' }] : lost;
}
