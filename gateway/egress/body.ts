import { NodeError } from '#sdk';
import { readBody, writeBody } from '#net/http-body.ts';
import { CALL_BYTES_MAX } from './http/contract.ts';

export interface EncodedBody {
  readonly bytes: Uint8Array | null;
  readonly contentType: string | null;
}

const NOTHING: EncodedBody = Object.freeze({ bytes: null, contentType: null });

/**
 * A call's body by the rules of docs/spec/nodes.md#http-response. Throws NodeError `call_invalid`, `call_too_large`, and
 * the reason of the signal.
 */
export async function encodeBody(value: unknown, signal: AbortSignal): Promise<EncodedBody> {
  return (await writeBody(value, { bytesMax: CALL_BYTES_MAX, signal, tooLong })) ?? NOTHING;
}

function tooLong(): NodeError {
  return new NodeError('call_too_large', `payload.body: expected at most ${CALL_BYTES_MAX} bytes`);
}

/**
 * The body of a response: JSON, a text, a form as an object, null if empty; bytes for anything else or if it is
 * unreadable.
 */
export function decodeAnswer(bytes: Uint8Array, contentType: string): unknown {
  return readBody(bytes, contentType);
}
