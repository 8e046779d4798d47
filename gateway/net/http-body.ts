import { NodeError } from '#sdk';
import { decodeBody } from '../http/decode-body.ts';

/** Bodies of outgoing calls, by the same rules as for requests and replies (docs/spec/requests.md#bodies). */
export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Null: no body. Throws NodeError `call_invalid`. */
export function writeBody(value: unknown): WrittenBody | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) return { bytes: value, contentType: 'application/octet-stream' };
  if (typeof value === 'string') return { bytes: Buffer.from(value), contentType: 'text/plain; charset=utf-8' };
  return { bytes: Buffer.from(jsonOf(value)), contentType: 'application/json' };
}

function jsonOf(value: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text;
  throw new NodeError('call_invalid', 'body: expected a string, bytes or what JSON can hold', { cause });
}

/** JSON, a text or a form according to its content type; null if empty; bytes if it cannot be decoded. */
export function readBody(bytes: Uint8Array, contentType: string): unknown {
  const decoded = decodeBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType);
  return decoded.ok ? decoded.body : new Uint8Array(bytes);
}
