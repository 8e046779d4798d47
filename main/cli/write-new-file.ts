import { existsSync } from 'node:fs';
import { link as linkFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SluiceError } from '#common/errors/catalogue.ts';
import { diskEdge, errorCode, lacksLinks } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { fileTrouble, isSystemError } from './file-trouble.ts';

/**
 * Writes a file that is not there yet, whole or not at all: beside its place, flushed, then given its name, which
 * nobody else may have taken meanwhile, and the folder flushed. Only its owner can read it. Throws SluiceError
 * `conflict` that names the path; what the bytes' source throws goes through.
 */
export async function writeNewFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  link: typeof linkFile = linkFile,
): Promise<void> {
  expectNewFile(file);
  const partial = partialOf(file);
  try {
    // Nobody else's: from here on it is ours to remove.
    const written = await open(partial, 'wx', PRIVATE_FILE_MODE);
    try {
      await pipeline(chunks, written.createWriteStream({ flush: true })).finally(() => written.close());
      await giveName(partial, file, link);
    } finally {
      await rm(partial, { force: true });
    }
    await diskEdge.syncFolder(dirname(file));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw notWritten(file, errorCode(error) === 'EEXIST' ? THERE_ALREADY : fileTrouble(error), error);
  }
}

/** A rename would take the place of a file that somebody has made under the name meanwhile; a second name does not. */
async function giveName(partial: string, file: string, link: typeof linkFile): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    // A USB stick knows no second names: the name is taken with an empty file, which is ours to replace.
    await (await open(file, 'wx', PRIVATE_FILE_MODE)).close();
    await rename(partial, file).catch(async (cause: unknown) => {
      await rm(file, { force: true });
      throw cause;
    });
  }
}

/** Asked before anything long is begun. */
export function expectNewFile(file: string): void {
  if (existsSync(file)) throw notWritten(file, THERE_ALREADY);
  if (existsSync(partialOf(file)))
    throw notWritten(file, `${partialOf(file)} is left over from an interrupted attempt; remove it`);
  if (!existsSync(dirname(file))) throw notWritten(file, `there is no folder ${dirname(file)}`);
}

const THERE_ALREADY = 'it already exists; expected a new file';
const partialOf = (file: string): string => `${file}.part`;

function notWritten(file: string, reason: string, cause?: unknown): SluiceError {
  return new SluiceError('conflict', `${file} could not be written: ${reason}.`, { cause });
}
