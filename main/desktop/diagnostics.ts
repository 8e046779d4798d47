import type { Dirent } from 'node:fs';
import { chmod, lstat, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { create } from 'tar';
import { makePrivateFolder, PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { createScrubber, type Scrubber } from './scrub.ts';
import { logNames } from './log-files.ts';

/**
 * The diagnostics file: one `.tar.gz` for remote support. Versions, state, alarms, settings without secrets, the last
 * lines of the logs, and the names and sizes of the data folder's files.
 *
 * Limits: LOG_LINES_MAX lines and LOG_BYTES_MAX bytes of each log, FILES_MAX files, FOLDER_DEPTH_MAX. Security: only
 * the logs are opened; vault, keys, payloads and journal are listed only with their size. Every text is filtered by the
 * scrubber (scrub.ts), with all secrets that the host can read.
 */
const LOG_LINES_MAX = 5_000;
const LOG_BYTES_MAX = 1024 ** 2;
const FILES_MAX = 5_000;
const FOLDER_DEPTH_MAX = 6;

export interface DiagnosticsInput {
  dataDir: string;
  logFolder: string;
  /** Programs and their versions, the system. */
  about: Record<string, unknown>;
  state: unknown;
  settings: unknown;
  /** Values that must not be in the file, unencrypted. */
  secrets: readonly string[];
}

/** A name such as "sluice-diagnostics-2026-03-01.tar.gz". */
export function diagnosticsName(now: Date): string {
  return `sluice-diagnostics-${now.toISOString().slice(0, 10)}.tar.gz`;
}

/** Writes the file, readable only by its owner. Rejects if it cannot be written completely; nothing remains then. */
export async function writeDiagnostics(target: string, input: DiagnosticsInput): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-diagnostics-'));
  try {
    makePrivateFolder(folder);
    const files = await collect(input);
    for (const { name, text } of files) await writeFile(join(folder, name), text, { mode: PRIVATE_FILE_MODE });
    const names = files.map(({ name }) => name);
    await create({ gzip: true, file: target, cwd: folder, portable: true }, names);
    await chmod(target, PRIVATE_FILE_MODE);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function collect(input: DiagnosticsInput): Promise<{ name: string; text: string }[]> {
  const scrubber = createScrubber(input.secrets);
  return [
    { name: 'about.json', text: scrubber.value(input.about) },
    { name: 'state.json', text: scrubber.value(input.state) },
    { name: 'settings.json', text: scrubber.value(input.settings) },
    { name: 'files.txt', text: scrubber.text(await fileList(input.dataDir)) },
    ...(await logs(input.logFolder, scrubber)),
  ];
}

async function logs(folder: string, scrubber: Scrubber): Promise<{ name: string; text: string }[]> {
  const read = await Promise.all(
    logNames().map(async (name) => ({ name, text: await lastLines(join(folder, name)).catch(() => null) })),
  );
  const files: { name: string; text: string }[] = [];
  for (const { name, text } of read) if (text !== null) files.push({ name, text: await scrubber.lines(text) });
  return files;
}

/** The first line is dropped if the file was longer: it may be incomplete. */
async function lastLines(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - LOG_BYTES_MAX);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.slice(Math.max(from === 0 ? 0 : 1, lines.length - LOG_LINES_MAX - 1)).join('\n');
  } finally {
    await file.close();
  }
}

/** "bytes  changed  path" of every file, the folder first; links are listed, never followed. */
async function fileList(root: string): Promise<string> {
  const entries: Dirent[] = [];
  await walk(root, 0, entries);
  const lines = await Promise.all(
    entries.slice(0, FILES_MAX).map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const info = await lstat(path).catch(() => null);
      return `${info?.size ?? '?'}\t${info?.mtime.toISOString() ?? '?'}\t${relative(root, path)}`;
    }),
  );
  const more = entries.length > FILES_MAX ? [`… more than ${FILES_MAX} files`] : [];
  return [...lines.toSorted(), ...more, ''].join('\n');
}

async function walk(folder: string, depth: number, found: Dirent[]): Promise<void> {
  if (depth >= FOLDER_DEPTH_MAX || found.length > FILES_MAX) return;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isDirectory()) await walk(join(folder, entry.name), depth + 1, found);
    else found.push(entry);
  }
}
