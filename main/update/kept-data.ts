import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { diskEdge } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { PREVIOUS_FILE, PROJECTS_FILE, VAULT_FILE } from '../vault/recovery-hint.ts';

/**
 * Copies of the vault and the project store from before an update, in `backups/before-<version>-<time>` of the data
 * folder. A release may migrate these two when it first opens them: keys, users, settings, projects. They are copied
 * together, because the store refers to secrets in the vault. The copied vault is encrypted with the same secret, so it
 * can be opened only on this machine.
 *
 * Limits: the newest KEPT_MAX copies. Known weakness: data of projects (variables, workspace), the outbox and the
 * history are not copied, because they can be large; a release that migrates one of those has to extend FILES.
 */
export const BACKUPS_FOLDER = 'backups';
export const KEPT_MAX = 3;
const STATE_FILE = 'state.json';
const FILES = [VAULT_FILE, PREVIOUS_FILE, PROJECTS_FILE] as const;
/** More pages than any database has, so that all are copied in one step. */
const PAGES_MAX = 2 ** 31 - 1;

const stateSchema = z.object({
  format: z.literal(1),
  /** The release that last opened the data; null: up to 1.0, which did not record it. */
  from: z.string().nullable(),
  to: z.string(),
  createdAt: z.iso.datetime(),
  files: z.array(z.enum(FILES)),
});

export interface KeptData extends z.infer<typeof stateSchema> {
  /** Absolute. */
  folder: string;
}

/** Newest first; incomplete copies are left out. */
export function keptData(dataDir: string): KeptData[] {
  const parent = join(dataDir, BACKUPS_FOLDER);
  if (!existsSync(parent)) return [];
  const found = readdirSync(parent).flatMap((name) => readState(join(parent, name)));
  return found.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
}

/** Makes a copy. The caller holds the lock of the data folder, so nothing writes meanwhile. */
export async function keepData(dataDir: string, from: string | null, to: string, now: Date): Promise<string> {
  const parent = join(dataDir, BACKUPS_FOLDER);
  const folder = join(parent, `before-${to}-${now.toISOString().replaceAll(/[:.]/g, '-')}`);
  const partial = `${folder}.part`;
  await mkdir(partial, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  try {
    const files = FILES.filter((name) => existsSync(join(dataDir, name)));
    for (const name of files) await copy(join(dataDir, name), join(partial, name), name);
    const state = { format: 1, from, to, createdAt: now.toISOString(), files } satisfies z.infer<typeof stateSchema>;
    const text = `${JSON.stringify(state, null, 2)}\n`;
    await writeFile(join(partial, STATE_FILE), text, { mode: PRIVATE_FILE_MODE, flush: true });
    await diskEdge.syncFolder(partial);
    await rename(partial, folder);
    await diskEdge.syncFolder(parent);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  for (const old of keptData(dataDir).slice(KEPT_MAX)) await rm(old.folder, { recursive: true, force: true });
  return folder;
}

async function copy(from: string, to: string, name: string): Promise<void> {
  if (name !== PROJECTS_FILE) return copyFile(from, to);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await copyDatabase(source, to, { rate: PAGES_MAX });
  } finally {
    source.close();
  }
}

function readState(folder: string): KeptData[] {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')));
    const whole = state.files.every((name) => existsSync(join(folder, name)));
    return whole && !folder.endsWith('.part') ? [{ ...state, folder }] : [];
  } catch {
    return [];
  }
}
