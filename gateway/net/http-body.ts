import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonInPieces, NodeError } from '#sdk';
import { decodeBody } from '../http/decode-body.ts';

/** Bodies of outgoing calls, by the same rules as for requests and replies (docs/spec/requests.md#bodies). */
export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

interface BodyLimit {
  readonly bytesMax: number;
  /** Ends the body with its call. */
  readonly signal: AbortSignal;
  /** The error for a longer body. */
  tooLong(): NodeError;
}

/**
 * Null: no body. A long JSON text is written in pieces, each in a turn of the event loop. The value must not change
 * meanwhile. Throws NodeError `call_invalid`, what `tooLong` makes, and the reason of the signal.
 */
export async function writeBody(value: unknown, limit: BodyLimit): Promise<WrittenBody | null> {
  if (value === undefined || value === null) return null;
  const body = await written(value, limit);
  if (body.bytes.byteLength > limit.bytesMax) throw limit.tooLong();
  return body;
}

async function written(value: unknown, limit: BodyLimit): Promise<WrittenBody> {
  if (value instanceof Uint8Array) return { bytes: value, contentType: 'application/octet-stream' };
  if (typeof value === 'string') return { bytes: Buffer.from(value), contentType: 'text/plain; charset=utf-8' };
  return { bytes: await jsonBytes(value, limit), contentType: 'application/json' };
}

async function jsonBytes(value: unknown, { bytesMax, signal, tooLong }: BodyLimit): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const text of jsonTexts(value)) {
    if (pieces.length > 0) await nextTurn(undefined, { signal });
    const piece = Buffer.from(text);
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw tooLong();
    pieces.push(piece);
  }
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
}

function* jsonTexts(value: unknown): Generator<string> {
  try {
    yield* jsonInPieces(value);
  } catch (cause) {
    throw new NodeError('call_invalid', 'body: expected a string, bytes or what JSON can hold', { cause });
  }
}

/** JSON, a text or a form according to its content type; null if empty; bytes if it cannot be decoded. */
export function readBody(bytes: Uint8Array, contentType: string): unknown {
  const decoded = decodeBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
  return decoded.ok ? decoded.body : new Uint8Array(bytes);
}
