import type { Writable } from 'node:stream';
import { SluiceError } from '#common/errors/catalogue.ts';

/**
 * Writes a long response at the pace of its reader, without its end. An error cuts the response, so that it is not
 * mistaken for a complete one, and is rethrown.
 *
 * Limits: a reader that accepts nothing for `READER_WAIT_MS` is cut off; a slow one is not, so a large chunk is sent in
 * pieces of `PIECE_BYTES`.
 */
export const READER_WAIT_MS = 60_000;
const PIECE_BYTES = 64 * 1024;

export async function writeOut(chunks: AsyncIterable<Uint8Array>, response: Writable): Promise<void> {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
        if (response.destroyed) throw left();
        if (!response.write(chunk.subarray(at, at + PIECE_BYTES))) await taken(response);
      }
    }
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Settles when the reader has received the written data. */
async function taken(response: Writable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = (): void => reject(left());
  const late = (): void =>
    reject(new SluiceError('internal', `The reader took nothing for ${READER_WAIT_MS / 1000} s.`));
  const timer = setTimeout(late, READER_WAIT_MS);
  response.once('drain', resolve).once('close', gone);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    response.off('drain', resolve).off('close', gone);
  }
}

const left = (): SluiceError => new SluiceError('internal', 'The reader left.');
