import { closeSync, openSync, renameSync, rmSync, fstatSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE_MODE } from '#common/node/private-files.ts';

/**
 * The log folder of the desktop app: a service has the system's journal, but nobody stores the standard error of a
 * window. `sluice.log` is the newest; when it is full, it becomes `sluice.1.log`, and so on; the oldest is deleted.
 *
 * Limits: LOG_BYTES_MAX per file, LOG_FILES_MAX files. Security: private files; all lines have passed the logger, which
 * masks keys and drops fields with secrets. Known weakness: a line that cannot be written (a full disk) is lost. Lines
 * are written synchronously, in the host's main thread.
 */
export const LOG_BYTES_MAX = 5 * 1024 ** 2;
export const LOG_FILES_MAX = 5;

export interface LogFiles {
  /** A whole line with its line feed. Never throws. */
  write(line: string): void;
  close(): void;
}

/** The newest first. */
export function logNames(): string[] {
  return Array.from({ length: LOG_FILES_MAX }, (_, age) => (age === 0 ? 'sluice.log' : `sluice.${age}.log`));
}

/** Throws if the folder cannot be created. */
export function openLogFiles(folder: string, bytesMax = LOG_BYTES_MAX): LogFiles {
  makePrivateFolder(folder);
  let file: { handle: number; bytes: number } | null = null;
  const close = (): void => {
    if (file !== null) closeSync(file.handle);
    file = null;
  };
  return {
    write(line) {
      try {
        if (file !== null && file.bytes >= bytesMax) {
          close();
          moveUp(folder);
        }
        file ??= openNewest(folder);
        file.bytes += writeSync(file.handle, line);
      } catch {
        // There is no other place to report it.
      }
    },
    close,
  };
}

function openNewest(folder: string): { handle: number; bytes: number } {
  const handle = openSync(join(folder, 'sluice.log'), 'a', PRIVATE_FILE_MODE);
  return { handle, bytes: fstatSync(handle).size };
}

function moveUp(folder: string): void {
  const names = logNames();
  rmSync(join(folder, names.at(-1) ?? ''), { force: true });
  for (let age = names.length - 2; age >= 0; age--) renameIfThere(folder, names[age] ?? '', names[age + 1] ?? '');
}

function renameIfThere(folder: string, from: string, to: string): void {
  try {
    renameSync(join(folder, from), join(folder, to));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
