import { closeSync, openSync, readSync } from 'node:fs';
import { fileTrouble } from '../file-trouble.ts';
import { PlainError } from '../plain-error.ts';

/**
 * Reads a small external file completely; `what` is its name in the sentence. Throws PlainError that contains the path.
 */
export function readSmall(path: string, what: string, bytesMax: number): Buffer {
  // One byte more than allowed: an endless file is not read to its end.
  const bytes = beginningOf(path, what, bytesMax + 1);
  if (bytes.length <= bytesMax) return bytes;
  throw new PlainError(`${what} ${path} is longer than expected: ${bytesMax} bytes at most`);
}

function beginningOf(path: string, what: string, bytes: number): Buffer {
  const read = Buffer.alloc(bytes);
  try {
    const file = openSync(path, 'r');
    try {
      return read.subarray(0, readSync(file, read));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new PlainError(`${what} ${path} cannot be read: ${fileTrouble(cause)}`, { cause });
  }
}
