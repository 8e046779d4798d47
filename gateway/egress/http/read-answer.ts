import type { IncomingMessage } from 'node:http';
import { ANSWER_BYTES_MAX } from './contract.ts';
import { CallFailure } from './failure.ts';

/** What answers may take of the memory at once, of all calls of a client. */
export const ANSWERS_BYTES_MAX = 256 * 1024 * 1024;

/** Bytes of answers that are being read. */
export interface AnswerMemory {
  bytes: number;
}

/**
 * Reads an answer to its end. Null when it is larger than ANSWER_BYTES_MAX; the rest is not read and the connection is
 * destroyed. Throws when it is cut off, or no memory is left for it.
 */
export async function readAnswer(answer: IncomingMessage, memory: AnswerMemory): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop early destroys the connection.
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      memory.bytes += chunk.byteLength;
      if (bytes > ANSWER_BYTES_MAX) return null;
      if (memory.bytes > ANSWERS_BYTES_MAX) throw new CallFailure('unreachable', 'too many large answers come at once');
      chunks.push(chunk);
    }
  } finally {
    memory.bytes -= bytes;
  }
  if (!answer.complete) throw new CallFailure('unreachable', 'the answer was cut off before its end');
  return Buffer.concat(chunks);
}

/** Lower-case names; repeated ones joined by ", ". */
export function answerHeaders(answer: IncomingMessage): Record<string, string> {
  const headers = Object.entries(answer.headersDistinct);
  return Object.fromEntries(headers.map(([name, values]) => [name, values?.join(', ') ?? '']));
}
