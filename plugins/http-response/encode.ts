import { isLongJson, jsonInPieces, jsonText, type Run } from '#sdk';

/** The body of a reply in the form in which it is sent (docs/spec/nodes.md#http-response). */
export interface EncodedBody {
  readonly contentType: string | null;
  readonly body: string | Uint8Array | null;
  /** The body is an object with a key `error`: with status 200, this is bad practice. */
  readonly hasError: boolean;
}

const EMPTY: EncodedBody = { contentType: null, body: null, hasError: false };

/** Time on the event loop for writing one reply, before other runs get their turn. */
const TURN_MS_MAX = 2;
/** The maximum length of a string in V8, which limits a reply that is written at once. */
const CHARS_MAX = 2 ** 29 - 24;
/** Copied in one step. */
const COPY_BYTES = 1024 * 1024;

/** Whether writing the body as JSON would block the event loop for more than about a millisecond. */
export function isLongBody(value: unknown): boolean {
  return typeof value === 'object' && !(value instanceof Uint8Array) && isLongJson(value);
}

/** Like `encodeBody`, for a long body: the event loop runs in between. Rejects when the run is cancelled. */
export async function encodeInTurns(value: unknown, run: Pick<Run, 'signal' | 'nextTurn'>): Promise<EncodedBody> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const encoder = new TextEncoder();
  await inTurns(run, jsonInPieces(value), (text) => {
    bytes += text.length;
    if (bytes > CHARS_MAX) throw new RangeError('Invalid string length');
    pieces.push(encoder.encode(text));
  });
  const body = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  await inTurns(run, blocksOf(pieces), (block) => {
    body.set(block, at);
    at += block.length;
  });
  return { contentType: 'application/json', body, hasError: hasErrorKey(value) };
}

async function inTurns<T>(
  run: Pick<Run, 'signal' | 'nextTurn'>,
  steps: Iterable<T>,
  take: (step: T) => void,
): Promise<void> {
  let endMs = performance.now() + TURN_MS_MAX;
  for (const step of steps) {
    take(step);
    if (performance.now() < endMs) continue;
    await run.nextTurn();
    run.signal.throwIfAborted();
    endMs = performance.now() + TURN_MS_MAX;
  }
}

function* blocksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += COPY_BYTES) yield piece.subarray(at, at + COPY_BYTES);
}

function hasErrorKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'error');
}

/**
 * Throws TypeError for values without a JSON form (cycles, bigints), RangeError for values that are nested too deeply.
 */
export function encodeBody(value: unknown): EncodedBody {
  if (value === undefined || value === null) return EMPTY;
  if (typeof value === 'string') return { contentType: 'text/plain; charset=utf-8', body: value, hasError: false };
  if (value instanceof Uint8Array) return { contentType: 'application/octet-stream', body: value, hasError: false };
  return { contentType: 'application/json', body: jsonText(value), hasError: hasErrorKey(value) };
}

/** Below this size, Node sends text faster than bytes, because headers and body are sent together. */
const SHARED_CHARS_MIN = 16_384;

/**
 * For a body that many replies share: a long text as bytes. Each reply with a text has its own copy, which is kept
 * until its caller has received it; bytes are sent without a copy.
 */
export function shareable(encoded: EncodedBody): EncodedBody {
  const { body } = encoded;
  if (typeof body !== 'string' || body.length < SHARED_CHARS_MIN) return encoded;
  return { ...encoded, body: new TextEncoder().encode(body) };
}
