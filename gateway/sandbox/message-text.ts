import { parse } from 'secure-json-parse';
import type { NodeCode } from '#common/errors/node-codes.ts';
import { NodeError } from '#sdk';
import { CHUNKS_MAX, MESSAGE_CHARS_MAX, RESULT_BYTES_MAX } from './limits.ts';
import { Packer } from './packed-message.ts';

/**
 * Messages and results as text, with their bytes stored separately. With bytes, a string that begins with U+0001 is a
 * reference to chunk number n (U+0001, then n), and any other string that begins with it gets one more U+0001: a text
 * of a caller can therefore never be mistaken for bytes (the guest's half is in `prelude.ts`).
 */
export interface MessageText {
  /** JSON; of a message without bytes, the packed form if it has one (`packed-message.ts`). */
  readonly text: string;
  readonly chunks: readonly Uint8Array[];
}

const MARK = '\u0001';
const NO_CHUNKS: readonly Uint8Array[] = [];
const packer = new Packer();

/**
 * Throws NodeError `script_failed` for values that JSON does not support, `script_memory` for values that are too large
 * for a guest.
 */
export function encodeInput(input: unknown): MessageText {
  const packed = packer.pack(input);
  if (packed !== null) return { text: packed, chunks: NO_CHUNKS };
  const encoded = encode(input, 'script_failed', 'the message cannot be given to a script');
  if (encoded.text.length > MESSAGE_CHARS_MAX)
    throw new NodeError('script_memory', 'the message is too large for a script');
  if (encoded.chunks.length > CHUNKS_MAX)
    throw new NodeError('script_memory', `the message holds more than ${CHUNKS_MAX} byte arrays`);
  return encoded;
}

/** The result of a capability call. Throws NodeError `call_too_large` or `call_failed`. */
export function encodeAnswer(name: string, value: unknown): MessageText {
  const encoded = encode(value, 'call_failed', `what ${name} returned cannot be given to a script`);
  const bytes = encoded.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  if (encoded.text.length > MESSAGE_CHARS_MAX || bytes > RESULT_BYTES_MAX)
    throw new NodeError('call_too_large', `what ${name} returned is too large for a script`);
  if (encoded.chunks.length > CHUNKS_MAX)
    throw new NodeError('call_too_large', `what ${name} returned holds more than ${CHUNKS_MAX} byte arrays`);
  return encoded;
}

function encode(input: unknown, code: NodeCode, what: string): MessageText {
  try {
    return holdsBytes(input) ? withChunks(input) : { text: JSON.stringify(input) ?? 'null', chunks: NO_CHUNKS };
  } catch (cause) {
    const reason = cause instanceof RangeError ? 'it nests too deeply' : 'it holds something other than JSON and bytes';
    throw new NodeError(code, `${what}: ${reason}`, { cause });
  }
}

/** Throws NodeError `script_failed` for a result that pipelines do not accept (`__proto__` as a key). */
export function decodeResult(result: MessageText): unknown {
  return decode(result, 'script_failed', 'its result has a key that is refused');
}

/** The arguments of a call as a list. Throws NodeError `call_invalid`. */
export function decodeArguments(name: string, args: MessageText): unknown[] {
  const list = decode(args, 'call_invalid', `${name}: an argument has a key that is refused`);
  if (!Array.isArray(list)) throw new NodeError('call_invalid', `${name}: the arguments cannot be read`);
  return list;
}

function decode({ text, chunks }: MessageText, code: NodeCode, what: string): unknown {
  try {
    if (chunks.length === 0) return parse(text);
    return parse(text, (_key, value: unknown) => fromText(value, chunks));
  } catch (cause) {
    throw new NodeError(code, `${what}: "__proto__", or "prototype" in "constructor"`, { cause });
  }
}

function holdsBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (ArrayBuffer.isView(value)) return value instanceof Uint8Array;
  if (Array.isArray(value)) return value.some(holdsBytes);
  for (const name in value) if (holdsBytes((value as Record<string, unknown>)[name])) return true;
  return false;
}

function withChunks(seen: unknown): MessageText {
  const chunks: Uint8Array[] = [];
  const text = JSON.stringify(seen, function (this: Record<string, unknown>, key: string, value: unknown) {
    // The holder's own value: toJSON has already converted a Buffer to an object.
    const own = this[key];
    if (own instanceof Uint8Array) return MARK + (chunks.push(exactCopy(own)) - 1);
    return typeof value === 'string' && value.startsWith(MARK) ? MARK + value : value;
  });
  return { text, chunks };
}

/**
 * A view is transferred with its whole buffer: a small slice of a large buffer would include data that does not belong
 * to it.
 */
function exactCopy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function fromText(value: unknown, chunks: readonly Uint8Array[]): unknown {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
  return value.startsWith(MARK, 1) ? value.slice(1) : chunks[Number(value.slice(1))];
}
