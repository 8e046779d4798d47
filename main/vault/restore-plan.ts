import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ANCHORS_FILE, ANCHORS_PURPOSE, type AnchorsRead, readAnchors } from '../audit/anchors.ts';
import { GENERATION_FILE } from '../keychain/credential-store.ts';
import { SECRET_FILE } from '../keychain/file-store.ts';
import * as parts from './backup-parts.ts';
import { PREVIOUS_FILE, VAULT_FILE } from './recovery-hint.ts';
import type { ReplacedVault } from './replaced-vault.ts';
import type { RestoreNote } from './restore-notes.ts';
import { deriveKey } from './sealed-image.ts';
import type { Swap } from './swap.ts';
import type { Unpacked } from './unpack.ts';

/** Which files of a data folder a restore replaces, and what happens to its journal. Reads only. */
export interface Plan {
  /** Without the vault's own files, which are not made yet. */
  swap: Swap;
  journal: RestoreNote['journal'];
  /** Null: the restored vault begins a journal of its own. */
  journalLine: string | null;
  /** The folder shows that this installation, or one that cannot be distinguished from it, has been in use there. */
  overOld: boolean;
}

export function planned(
  dataDir: string,
  staging: string,
  unpacked: Unpacked,
  old: ReplacedVault | null,
  time: number,
): Plan {
  const present = readdirSync(dataDir);
  const hasVault = present.some((name) => name === VAULT_FILE || name === PREVIOUS_FILE);
  const root = Buffer.from(unpacked.manifest.derivationRoot, 'base64url');
  const anchors = readAnchors(join(dataDir, ANCHORS_FILE), deriveKey(root, ANCHORS_PURPOSE)).kind;
  // A vault whose secret is sealed for the service cannot be asked; the anchors beside it tell the same.
  const foreign = old === null ? hasVault && anchors === 'unreadable' : !old.derivationRoot.equals(root);
  const brought = old?.neverOpened === true && isOfBackup(old.notes.at(-1)?.journal);
  const replacesBrought = brought && unpacked.names.includes('journal');
  const stays = present.includes('journal') && !replacesBrought ? recordsThatStay(foreign, anchors) : [];
  const arriving = unpacked.names.filter((name) => !stays.includes(bare(name)));
  const backupLine = unpacked.manifest.journalLine;
  // Anchors have proven a foreign vault's journal to be the backup's own; an unreadable vault cannot say.
  const line = foreign || old === null ? backupLine : old.journalLine;
  const isOther = backupLine !== undefined && line !== backupLine;
  const kept = brought ? 'earlier' : isOther ? 'other' : 'kept';
  const journal = stays.length > 0 ? kept : arriving.includes('journal') ? 'restored' : 'none';
  const servedBefore = !foreign && hasVault && old?.neverOpened !== true;
  return {
    swap: {
      staging: basename(staging),
      replaced: `replaced-${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}`,
      outgoing: present.filter((name) => isOurs(name) && !stays.includes(bare(name))),
      incoming: arriving,
    },
    journal,
    journalLine: journal === 'kept' || journal === 'other' ? (line ?? null) : null,
    overOld: stays.length > 0 || servedBefore || (!foreign && old?.rolledBack === true && old.neverOpened),
  };
}

function isOfBackup(journal: RestoreNote['journal'] | undefined): boolean {
  return journal === 'restored' || journal === 'earlier';
}

/** Anchors open only with the secret of their own installation. Nothing proves whose history this is. */
function recordsThatStay(foreign: boolean, anchors: AnchorsRead['kind']): readonly string[] {
  if (!foreign) return parts.RECORDS;
  return anchors === 'read' ? ['journal', ANCHORS_FILE] : [];
}

/** A file that SQLite keeps beside a database goes where the database goes. */
function isOurs(name: string): boolean {
  const own: readonly string[] = [VAULT_FILE, PREVIOUS_FILE, SECRET_FILE, GENERATION_FILE, 'setup-token'];
  const named: readonly string[] = [...parts.DATABASES, ...parts.FOLDERS, ...parts.RECORDS, ...own];
  return named.includes(bare(name));
}

/** The database's name for a file that SQLite keeps beside it. */
function bare(name: string): string {
  return name.replace(parts.SIDE_FILES, '.sqlite');
}
