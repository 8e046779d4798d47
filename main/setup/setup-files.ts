import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { expectNewFile, writeNewFile } from '../cli/write-new-file.ts';
import { fileTrouble } from '../cli/file-trouble.ts';
import { readBounded } from './read-bounded.ts';
import { SetupError } from './setup-error.ts';

/** The files named in a set-up file, on the machine of the user who runs the command. */
export interface SetupFiles {
  /** True when the set-up file itself came from standard input. */
  readonly fromStdin: boolean;
  /** Absolute: paths are relative to the set-up file. */
  pathOf(path: string): string;
  /** Reads a whole file. Throws SetupError that names the field. */
  read(field: string, path: string, bytesMax: number): Promise<Uint8Array>;
  /** Returns the absolute path of a file that can be created. Throws SetupError that names the field. */
  newFile(field: string, path: string): string;
}

export function setupFiles(folder: string, fromStdin: boolean): SetupFiles {
  const pathOf = (path: string): string => resolve(folder, path);
  return {
    fromStdin,
    pathOf,
    read: (field, path, bytesMax) => readWhole(field, pathOf(path), bytesMax),
    newFile(field, path) {
      const file = pathOf(path);
      try {
        expectNewFile(file);
      } catch (cause) {
        throw new SetupError(`${field}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
      return file;
    },
  };
}

/** Writes one line, readable by the owner only. Throws SluiceError if the file cannot be created. */
export function writeSecretFile(file: string, secret: string): Promise<void> {
  return writeNewFile(file, Readable.from([Buffer.from(`${secret}\n`)]));
}

async function readWhole(field: string, file: string, bytesMax: number): Promise<Uint8Array> {
  try {
    await using handle = await open(file);
    const bytes = await readBounded(handle, bytesMax);
    if (bytes === null) throw SetupError.ofField(field, `${file} is too large; expected at most ${bytesMax} bytes`);
    return bytes;
  } catch (cause) {
    if (cause instanceof SetupError) throw cause;
    throw new SetupError(`${field}: ${file} cannot be read: ${fileTrouble(cause)}`, { cause });
  }
}
