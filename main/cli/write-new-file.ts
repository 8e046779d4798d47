import { existsSync } from 'node:fs';
import { link as linkFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SluiceError } from '#common/errors/catalogue.ts';
import { diskEdge, errorCode, lacksLinks } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { fileTrouble, isSystemError } from './file-trouble.ts';

/**
 * Writes a new file, completely or not at all: to a temporary file beside it, flushed, then renamed unless another
 * process has taken the name meanwhile, and the folder flushed. Only its owner can read it. Throws SluiceError
 * `conflict` that contains the path; errors of the source of the bytes are passed on.
 */
export async function writeNewFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  link: typeof linkFile = linkFile,
): Promise<void> {
  expectNewFile(file);
  const partial = partialOf(file);
  try {
    // This process created the file: from here on it may be removed.
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

/** A rename would replace a file that was created under the name meanwhile; a hard link does not. */
async function giveName(partial: string, file: string, link: typeof linkFile): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    // A USB stick has no hard links: the name is reserved with an empty file, which is then replaced.
    await (await open(file, 'wx', PRIVATE_FILE_MODE)).close();
    await rename(partial, file).catch(async (cause: unknown) => {
      await rm(file, { force: true });
      throw cause;
    });
  }
}

/** Checked before long work begins. */
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
