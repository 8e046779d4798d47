import { constants, mkdtempSync, readdirSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { SluiceError } from '#common/errors/catalogue.ts';
import { errorCode } from '#common/node/atomic-file.ts';
import { VERSION } from '#common/version.ts';
import { writeArchive, type ArchiveEntry } from './archive.ts';
import { encrypt, expectPassphrase } from './backup-cipher.ts';
import * as parts from './backup-parts.ts';
import type { OpenedVault } from './live-vault.ts';
import { PROJECTS_FILE } from './recovery-hint.ts';

export { restoreBackup } from './restore.ts';

/**
 * Writes a backup (docs/spec/storage.md#backup): one file, everything except journal and history unless requested,
 * encrypted with a key that is derived from the passphrase alone. It contains the secret with which keys are hashed, so
 * that a spare PC accepts every existing key. Databases are copied by SQLite's own backup, in one step and so each
 * consistent in itself, while host and gateway write to them; the copies are kept in a private folder until the stream
 * is closed. The vault and the project store, which refers to its secrets, are of the same moment.
 *
 * Limits: `BACKUPS_MAX` at a time, since each lays copies of the databases on the disk and takes 128 MiB for its
 * passphrase; `PAIR_TRIES_MAX` attempts at that moment. Known weaknesses: other databases and files are copied one
 * after another, so a change in between may be in one and not in the other; a damaged database of a project is included
 * as it is; anyone with the file and the passphrase can read everything in it.
 */
export interface BackupOptions {
  vault: OpenedVault;
  dataDir: string;
  /** At least 12 characters. */
  passphrase: string;
  includeJournal?: boolean;
  /** Milliseconds since 1970. */
  now?: () => number;
}

const STAGING_PREFIX = '.backup-';
const BACKUPS_MAX = 2;
/** More than any database has. */
const PAGES_MAX = 2 ** 31 - 1;
const PAIR_TRIES_MAX = 100;

/**
 * Throws VaultError `passphrase` before anything is read, SluiceError `conflict` beyond `BACKUPS_MAX`. A stream that is
 * not read to its end must be destroyed.
 */
export async function writeBackup(options: BackupOptions): Promise<Readable> {
  expectPassphrase(options.passphrase);
  const staging = stagingFolder(options.dataDir);
  const clean = (): Promise<void> => rm(staging, { recursive: true, force: true });
  try {
    const plan = await planned(options, staging);
    const stream = Readable.from(encrypt(options.passphrase, writeArchive(entriesOf(plan, clean))), {
      objectMode: false,
    });
    // A stream that is abandoned before its first byte never enters the generator that cleans up.
    stream.once('close', () => void clean());
    return stream;
  } catch (error) {
    await clean();
    throw error;
  }
}

/** Counts and creates synchronously: of two simultaneous requests, only one may get the last place. */
function stagingFolder(dataDir: string): string {
  const underWay = readdirSync(dataDir).filter((name) => name.startsWith(STAGING_PREFIX)).length;
  if (underWay >= BACKUPS_MAX)
    throw new SluiceError('conflict', `At most ${BACKUPS_MAX} backups are made at a time; try again.`);
  return mkdtempSync(join(dataDir, STAGING_PREFIX));
}

/** Content of an entry: bytes in memory, or a file that will still exist. */
type Planned = { name: string; bytes: Uint8Array } | { name: string; file: string };

async function planned(options: BackupOptions, staging: string): Promise<Planned[]> {
  const { dataDir, includeJournal = false } = options;
  const records = includeJournal ? parts : null;
  const plan = await vaultAndStore(options, staging);
  const others = parts.DATABASES.filter((name) => name !== PROJECTS_FILE);
  for (const name of [...others, ...(records?.RECORD_DATABASES ?? [])]) {
    plan.push(...(await databaseCopy(join(dataDir, name), join(staging, name), name)));
  }
  for (const name of [...parts.FOLDERS, ...(records?.RECORD_FOLDERS ?? []), ...(records?.RECORD_FILES ?? [])]) {
    plan.push(...(await filesUnder(join(dataDir, name), name, staging)));
  }
  return plan;
}

/**
 * A secret is written to the vault before the store refers to it and removed afterwards: if the generation of the vault
 * is the same before and after the copy of the store, the copy refers to nothing that this generation lacks. The time
 * of the backup is read after the copy: the outcomes of all actions that this generation contains are earlier, so a
 * restore repeats none of them (main/host/settle-rollback.ts).
 */
async function vaultAndStore(options: BackupOptions, staging: string): Promise<Planned[]> {
  for (let tries = 1; ; tries++) {
    await options.vault.settled();
    const { generation } = options.vault;
    const copy = join(staging, PROJECTS_FILE);
    await rm(copy, { force: true });
    const store = await databaseCopy(join(options.dataDir, PROJECTS_FILE), copy, PROJECTS_FILE);
    if (options.vault.generation === generation || tries === PAIR_TRIES_MAX) return [...vaultParts(options), ...store];
  }
}

function vaultParts({ vault, now = Date.now }: BackupOptions): Planned[] {
  const { image, derivationRoot, generation, journalLine } = vault.backupContents();
  const createdAt = new Date(now()).toISOString();
  const manifest: parts.Manifest = {
    format: 1,
    createdAt,
    generation,
    derivationRoot: derivationRoot.toString('base64url'),
    journalLine,
    machine: hostname(),
    version: VERSION,
  };
  return [
    { name: parts.MANIFEST_ENTRY, bytes: Buffer.from(JSON.stringify(manifest)) },
    { name: parts.IMAGE_ENTRY, bytes: image },
  ];
}

async function databaseCopy(from: string, to: string, name: string): Promise<Planned[]> {
  if ((await kindOf(from)) !== 'file') return [];
  // Read-only: a file that is being removed must not be created again.
  const source = new DatabaseSync(from, { timeout: 5_000, readOnly: true });
  try {
    // All pages in one step, on a separate thread: between two steps a writer would make it start over, indefinitely.
    await copyDatabase(source, to, { rate: PAGES_MAX });
  } finally {
    source.close();
  }
  return [{ name, file: to }];
}

/** An unreadable database of one project must not prevent the backup of everything else. */
async function innerCopy(from: string, to: string, name: string): Promise<Planned[]> {
  try {
    return await databaseCopy(from, to, name);
  } catch (error) {
    if ((await kindOf(from)) === 'none') return [];
    if (!isDamaged(error)) throw error;
    await rm(to, { force: true });
    return [{ name, file: from }];
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function isDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Only files and folders: a link could lead anywhere, and a socket has no content. */
async function filesUnder(path: string, name: string, staging: string): Promise<Planned[]> {
  const kind = await kindOf(path);
  if (kind === 'file' && parts.INNER_DATABASE.test(name)) {
    return innerCopy(path, join(staging, name.replaceAll('/', '~')), name);
  }
  if (kind === 'file') return parts.isSideFile(name) ? [] : [{ name, file: path }];
  if (kind !== 'folder') return [];
  const found: Planned[] = [];
  for (const child of await childrenOf(path)) {
    found.push(...(await filesUnder(join(path, child), `${name}/${basename(child)}`, staging)));
  }
  return found;
}

async function childrenOf(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).toSorted();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    const found = await lstat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'none';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'none';
    throw error;
  }
}

async function* entriesOf(plan: readonly Planned[], clean: () => Promise<void>): AsyncGenerator<ArchiveEntry> {
  try {
    for (const part of plan) {
      if ('bytes' in part) yield { name: part.name, size: part.bytes.length, content: Readable.from([part.bytes]) };
      else yield* fileEntry(part);
    }
  } finally {
    await clean();
  }
}

/**
 * The file that currently has the name, with its current length: a growing journal is cut at this length, and a
 * workspace file that is replaced or removed meanwhile is included completely, in its old or new state, or not at all.
 */
async function* fileEntry({ name, file }: { name: string; file: string }): AsyncGenerator<ArchiveEntry> {
  const handle = await opened(file);
  if (handle === null) return;
  try {
    const found = await handle.stat();
    if (!found.isFile()) return;
    const { size } = found;
    const content = size === 0 ? Readable.from([]) : handle.createReadStream({ end: size - 1, autoClose: false });
    yield { name, size, content };
  } finally {
    await handle.close();
  }
}

/** Null if it no longer exists, or was replaced by a link. */
async function opened(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw error;
  }
}
