import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskEdge, errorCode } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { readArchive, type ArchiveEntry } from './archive.ts';
import { decrypt } from './backup-cipher.ts';
import * as parts from './backup-parts.ts';
import { VaultError } from './errors.ts';
import { IMAGE_BYTES_MAX } from './sealed-image.ts';

/** A backup that was read completely: every byte of it is verified. */
export interface Unpacked {
  manifest: parts.Manifest;
  /** The unencrypted image of the vault; it is never written to disk. */
  image: Buffer;
  /** Top-level names in the staging folder, flushed to disk. */
  names: string[];
}

interface BackupFile {
  file: string;
  /** Read instead of the path, which this user may not be able to open. */
  opened?: FileHandle;
}

const MANIFEST_BYTES_MAX = 65_536;
const ALLOWED: readonly string[] = [...parts.DATABASES, ...parts.FOLDERS, ...parts.RECORDS];

/** Unpacks into `staging`. Throws VaultError `passphrase` or `backup`; the caller then removes the folder. */
export async function unpack(backup: BackupFile, passphrase: string, staging: string): Promise<Unpacked> {
  let manifest: parts.Manifest | null = null;
  let image: Buffer | null = null;
  const names = new Set<string>();
  for await (const entry of readArchive(decrypt(passphrase, sourceOf(backup)))) {
    const [top = ''] = entry.name.split('/');
    if (entry.name === parts.MANIFEST_ENTRY) manifest = await readManifest(entry);
    else if (entry.name === parts.IMAGE_ENTRY) image = await inMemory(entry, IMAGE_BYTES_MAX);
    else if (!ALLOWED.includes(top))
      throw new VaultError('backup', `The backup contains ${entry.name}, which this version of Sluice does not know.`);
    else {
      await onDisk(entry, join(staging, entry.name));
      names.add(top);
    }
  }
  if (manifest === null || image === null) throw new VaultError('backup', 'The backup has no vault in it.');
  for (const name of names) if (name.endsWith('.sqlite')) expectSound(join(staging, name));
  return { manifest, image, names: [...names] };
}

async function* sourceOf({ file, opened }: BackupFile): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, {
      highWaterMark: 1024 ** 2,
      ...(opened && { fd: opened, start: 0, autoClose: false }),
    });
  } catch (error) {
    if (errorCode(error) === '') throw error;
    throw new VaultError('backup', `The backup ${file} cannot be read (${errorCode(error)}).`, { cause: error });
  }
}

async function readManifest(entry: ArchiveEntry): Promise<parts.Manifest> {
  const bytes = await inMemory(entry, MANIFEST_BYTES_MAX);
  try {
    return parts.manifestSchema.parse(JSON.parse(bytes.toString()));
  } catch (error) {
    throw new VaultError('backup', 'The backup was made by a version of Sluice that this version cannot read.', {
      cause: error,
    });
  }
}

async function inMemory({ name, size, content }: ArchiveEntry, bytesMax: number): Promise<Buffer> {
  if (size > bytesMax) throw new VaultError('backup', `The backup's ${name} is larger than any that Sluice writes.`);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function onDisk({ content }: ArchiveEntry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    for await (const piece of content) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
  await diskEdge.syncFolder(dirname(path));
}

function expectSound(file: string): void {
  const db = new DatabaseSync(file);
  try {
    const [first] = db.prepare('PRAGMA integrity_check').all();
    if (first?.['integrity_check'] === 'ok') return;
    throw new Error('the integrity check found damage');
  } catch (error) {
    throw new VaultError('backup', `A database in the backup is damaged.`, { cause: error });
  } finally {
    db.close();
  }
}
