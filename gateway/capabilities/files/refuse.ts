import { NodeError } from '#sdk';
import { FILE_BYTES_MAX } from './disk-file.ts';

/** Throws NodeError `call_cancelled` once the call has ended. */
export function refuseEnded(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new NodeError('call_cancelled', 'the call has ended');
}

/** For a text that is still being written: it has at least one byte per character. Throws NodeError `file_too_large`. */
export function refuseLong(chars: number): void {
  if (chars > FILE_BYTES_MAX)
    throw new NodeError('file_too_large', `expected a file of at most ${FILE_BYTES_MAX} bytes; its text is longer`);
}
