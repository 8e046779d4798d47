import { jsonText } from '#sdk';

/** A reply's body as it leaves (docs/spec/nodes.md#http-response). */
export interface EncodedBody {
  readonly contentType: string | null;
  readonly body: string | Uint8Array | null;
  /** The body is an object with a key `error`: with status 200, wrong practice. */
  readonly hasError: boolean;
}

const EMPTY: EncodedBody = { contentType: null, body: null, hasError: false };

/** Throws TypeError for what JSON has no form of (circles, bigints), RangeError for too deep a nest. */
export function encodeBody(value: unknown): EncodedBody {
  if (value === undefined || value === null) return EMPTY;
  if (typeof value === 'string') return { contentType: 'text/plain; charset=utf-8', body: value, hasError: false };
  if (value instanceof Uint8Array) return { contentType: 'application/octet-stream', body: value, hasError: false };
  const hasError = typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, 'error');
  return { contentType: 'application/json', body: jsonText(value), hasError };
}

/** Below this Node sends a text quicker than bytes: headers and body as one piece. */
const SHARED_CHARS_MIN = 16_384;

/**
 * For a body that many replies share: a long text as bytes. Each reply of a text is a copy of its own, which is held until
 * its caller has taken it; bytes are sent from where they are.
 */
export function shareable(encoded: EncodedBody): EncodedBody {
  const { body } = encoded;
  if (typeof body !== 'string' || body.length < SHARED_CHARS_MIN) return encoded;
  return { ...encoded, body: new TextEncoder().encode(body) };
}
