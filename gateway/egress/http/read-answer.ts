import type { IncomingMessage } from 'node:http';
import { ANSWER_BYTES_MAX } from './contract.ts';
import { CallFailure } from '#net/call-failure.ts';

/** Memory of responses at any time, over all calls of a client. */
export const ANSWERS_BYTES_MAX = 256 * 1024 * 1024;
/** The second half is for answers of this size at most: large ones that are slow leave it to the others. */
export const SMALL_ANSWER_BYTES_MAX = 256 * 1024;

/** Bytes of answers that are being read. */
export interface AnswerMemory {
  bytes: number;
}

/**
 * Reads an answer to its end. Null when it is larger than ANSWER_BYTES_MAX, or no memory is left for it beside others;
 * the rest is not read and the connection is destroyed. It was given all the same: that it cannot be kept is no reason
 * to call again. Throws when it is cut off.
 */
export function readAnswer(answer: IncomingMessage, memory: AnswerMemory): Promise<Uint8Array | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  answer.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    memory.bytes += chunk.byteLength;
    chunks.push(chunk);
    const most = bytes <= SMALL_ANSWER_BYTES_MAX ? ANSWERS_BYTES_MAX : ANSWERS_BYTES_MAX / 2;
    if (bytes <= ANSWER_BYTES_MAX && memory.bytes <= most) return;
    resolve(null);
    answer.destroy();
  });
  answer.on('error', reject);
  answer.once('end', () => {
    if (answer.complete) resolve(joined(chunks));
  });
  answer.once('close', () => {
    memory.bytes -= bytes;
    reject(new CallFailure('unreachable', 'the answer was cut off before its end'));
  });
  return promise;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** Lower-case names; repeated ones joined by ", ". */
export function answerHeaders(answer: IncomingMessage): Record<string, string> {
  const headers = Object.entries(answer.headersDistinct);
  return Object.fromEntries(headers.map(([name, values]) => [name, values?.join(', ') ?? '']));
}
