import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SluiceError } from '#common/errors/catalogue.ts';
import { diskEdge, errorCode } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { fileTrouble, isSystemError } from './file-trouble.ts';

/**
 * Writes a file that is not there yet, whole or not at all: beside its place, flushed, then renamed, and the folder
 * flushed. Only its owner can read it. Throws SluiceError `conflict` that names the path; what the bytes' source throws
 * goes through.
 */
export async function writeNewFile(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  expectNewFile(file);
  const partial = partialOf(file);
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: 'wx', mode: PRIVATE_FILE_MODE, flush: true }));
    await rename(partial, file);
    await diskEdge.syncFolder(dirname(file));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(partial, { force: true });
    throw isSystemError(error) ? notWritten(file, fileTrouble(error), error) : error;
  }
}

/** Asked before anything long is begun. */
export function expectNewFile(file: string): void {
  if (existsSync(file)) throw notWritten(file, 'it is there already; expected a new file');
  if (existsSync(partialOf(file)))
    throw notWritten(file, `${partialOf(file)} is there, of a try that was cut off; remove that`);
  if (!existsSync(dirname(file))) throw notWritten(file, `there is no folder ${dirname(file)}`);
}

const partialOf = (file: string): string => `${file}.part`;

function notWritten(file: string, reason: string, cause?: unknown): SluiceError {
  return new SluiceError('conflict', `${file} could not be written: ${reason}.`, { cause });
}
