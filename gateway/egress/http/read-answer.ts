import type { IncomingMessage } from 'node:http';
import { ANSWER_BYTES_MAX } from './contract.ts';
import { CallFailure } from '#net/call-failure.ts';

/** Memory for responses of all calls of a client. */
export const ANSWERS_BYTES_MAX = 256 * 1024 * 1024;
/** The second half is for responses up to this size: large ones that are slow leave it to the others. */
export const SMALL_ANSWER_BYTES_MAX = 256 * 1024;

/** Bytes of responses that are being read. */
export interface AnswerMemory {
  bytes: number;
}

/**
 * Reads a response to its end. Null if it is larger than ANSWER_BYTES_MAX, or if other responses use up the memory; the
 * rest is not read and the connection is destroyed. The call has still been answered, so it is not sent again. Throws
 * if the response is truncated.
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
