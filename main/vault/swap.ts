import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { diskEdge, errorCode, replaceFile, type FileEdge } from '#common/node/atomic-file.ts';
import { PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { VaultError } from './errors.ts';

/**
 * Replaces a set of files and folders with others, completely or not at all (docs/spec/storage.md#restore).
 *
 * The moves are planned, then written to `restore.pending` and flushed: from that moment the swap will happen, and
 * after a crash the next opening of the folder completes it. Before it, nothing has been moved. A move whose target
 * exists has already been done: old files are moved away before new ones are moved in.
 */
export const PENDING_FILE = 'restore.pending';
export const STAGING_PREFIX = '.restore-';

const pendingSchema = z.object({
  staging: z.string().regex(/^\.restore-[\w-]+$/),
  replaced: z.string().regex(/^replaced-[\w-]+$/),
  outgoing: z.array(z.string().regex(/^[\w.-]+$/)),
  incoming: z.array(z.string().regex(/^[\w.-]+$/)),
});
/** Names in the data folder's top level: `outgoing` go to `replaced`, `incoming` come from `staging`. */
export type Swap = z.infer<typeof pendingSchema>;

export async function commitSwap(dataDir: string, swap: Swap, files: FileEdge = diskEdge): Promise<void> {
  const text = JSON.stringify(pendingSchema.parse(swap));
  await replaceFile(join(dataDir, PENDING_FILE), Buffer.from(text), { files });
  await carryOut(dataDir, swap, files);
}

/** Completes an interrupted swap and removes the remains of one that never began. The lock must be held. */
export async function finishSwap(dataDir: string, files: FileEdge = diskEdge): Promise<void> {
  const pending = readPending(join(dataDir, PENDING_FILE));
  if (pending) await carryOut(dataDir, pending, files);
  for (const name of await readdir(dataDir)) {
    const leftover = /^\.(?:restore|backup)-/.test(name);
    if (leftover) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

async function carryOut(dataDir: string, swap: Swap, files: FileEdge): Promise<void> {
  const { staging, replaced, outgoing, incoming } = swap;
  await mkdir(join(dataDir, replaced), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  for (const name of outgoing) await move(files, join(dataDir, name), join(dataDir, replaced, name));
  for (const name of incoming) await move(files, join(dataDir, staging, name), join(dataDir, name));
  await files.syncFolder(join(dataDir, replaced));
  await files.syncFolder(dataDir);
  await files.remove(join(dataDir, PENDING_FILE));
  // The swap is complete: a caller that received an error would remove the secret of the new vault.
  await tidy(dataDir, swap, files).catch(() => {});
}

/** A plan that reappears after a power cut finds every move done; the next start removes a remaining staging folder. */
async function tidy(dataDir: string, { staging, replaced }: Swap, files: FileEdge): Promise<void> {
  await files.syncFolder(dataDir);
  await rm(join(dataDir, staging), { recursive: true, force: true });
  if ((await readdir(join(dataDir, replaced))).length === 0) await rm(join(dataDir, replaced), { recursive: true });
}

async function move(files: FileEdge, from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  if (!existsSync(from)) {
    throw new VaultError(
      'backup',
      `A restore was interrupted, and ${from} has been missing since then; restore the backup into an empty folder.`,
    );
  }
  await files.rename(from, to);
  await files.syncFolder(dirname(from));
}

function readPending(file: string): Swap | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return pendingSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new VaultError(
      'backup',
      `The file ${file} of a restore that was cut off is damaged; restore the backup into an empty folder.`,
      {
        cause: error,
      },
    );
  }
}
