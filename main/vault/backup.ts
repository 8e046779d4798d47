import { createReadStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { errorCode } from '#common/node/atomic-file.ts';
import { writeArchive, type ArchiveEntry } from './archive.ts';
import { encrypt, expectPassphrase } from './backup-cipher.ts';
import * as parts from './backup-parts.ts';
import type { OpenedVault } from './live-vault.ts';

export { restoreBackup } from './restore.ts';

/**
 * Writes a backup (behaviour 8): one file, everything but journal and history unless they are asked for, all of it
 * under a key that the passphrase alone gives. The secret that keys are hashed under is inside, so that a spare PC
 * accepts every existing key. Databases are copied by SQLite's own backup, consistent each in itself, while they are in
 * use; the copies lie in a private folder until the stream is closed.
 *
 * Known weaknesses: databases and files are copied one after another, so what changes meanwhile may be in one and not
 * in the other; the passphrase is the only thing between the file's finder and everything in it.
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

/** Throws VaultError `passphrase` before anything is read. A stream that is not read to its end must be destroyed. */
export async function writeBackup(options: BackupOptions): Promise<Readable> {
  expectPassphrase(options.passphrase);
  const staging = await mkdtemp(join(options.dataDir, STAGING_PREFIX));
  const clean = (): Promise<void> => rm(staging, { recursive: true, force: true });
  try {
    const plan = await planned(options, staging);
    const stream = Readable.from(encrypt(options.passphrase, writeArchive(entriesOf(plan, clean))), {
      objectMode: false,
    });
    // A stream that is given up before its first byte never enters the generator that cleans up.
    stream.once('close', () => void clean());
    return stream;
  } catch (error) {
    await clean();
    throw error;
  }
}

/** What goes in: bytes in memory, or a file that will still be there. */
type Planned = { name: string; bytes: Uint8Array } | { name: string; file: string };

async function planned(options: BackupOptions, staging: string): Promise<Planned[]> {
  const { dataDir, includeJournal = false } = options;
  const records = includeJournal ? parts : null;
  const plan = vaultParts(options);
  for (const name of [...parts.DATABASES, ...(records?.RECORD_DATABASES ?? [])]) {
    plan.push(...(await databaseCopy(join(dataDir, name), join(staging, name), name)));
  }
  for (const name of [...parts.FOLDERS, ...(records?.RECORD_FOLDERS ?? []), ...(records?.RECORD_FILES ?? [])]) {
    plan.push(...(await filesUnder(join(dataDir, name), name, staging)));
  }
  return plan;
}

function vaultParts({ vault, now = Date.now }: BackupOptions): Planned[] {
  const { image, derivationRoot, generation } = vault.backupContents();
  const createdAt = new Date(now()).toISOString();
  const manifest: parts.Manifest = {
    format: 1,
    createdAt,
    generation,
    derivationRoot: derivationRoot.toString('base64url'),
  };
  return [
    { name: parts.MANIFEST_ENTRY, bytes: Buffer.from(JSON.stringify(manifest)) },
    { name: parts.IMAGE_ENTRY, bytes: image },
  ];
}

async function databaseCopy(from: string, to: string, name: string): Promise<Planned[]> {
  if ((await kindOf(from)) !== 'file') return [];
  const source = new DatabaseSync(from, { timeout: 5_000 });
  try {
    await copyDatabase(source, to);
  } finally {
    source.close();
  }
  return [{ name, file: to }];
}

/** Files and folders alone: a link could lead anywhere, and a socket has no content. */
async function filesUnder(path: string, name: string, staging: string): Promise<Planned[]> {
  const kind = await kindOf(path);
  if (kind === 'file' && name.endsWith('.sqlite')) {
    return databaseCopy(path, join(staging, name.replaceAll('/', '~')), name);
  }
  if (kind === 'file') return parts.SIDE_FILES.test(name) ? [] : [{ name, file: path }];
  if (kind !== 'folder') return [];
  const found: Planned[] = [];
  for (const child of (await readdir(path)).toSorted()) {
    found.push(...(await filesUnder(join(path, child), `${name}/${basename(child)}`, staging)));
  }
  return found;
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
      else yield await fileEntry(part);
    }
  } finally {
    await clean();
  }
}

/** As long as it is now: a journal that grows on is cut at this length. */
async function fileEntry({ name, file }: { name: string; file: string }): Promise<ArchiveEntry> {
  const { size } = await lstat(file);
  const content = size === 0 ? Readable.from([]) : createReadStream(file, { end: size - 1 });
  return { name, size, content };
}
