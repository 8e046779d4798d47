import { CALL_ARGS_BYTES_MAX, CALL_ARGS_CHARS_MAX, CALLS_PENDING_MAX, CHUNKS_MAX } from './limits.ts';
import type { CallRequest } from './thread-messages.ts';

export interface GuestCalls {
  readonly requests: readonly CallRequest[];
  readonly unheard: readonly number[];
}

const NAME_CHARS_MAX = 100;
const ARGS_MAX = 100;

/**
 * Reads a guest's list of its calls. The guest may have forged it: only well-formed calls are passed on. `sent` returns
 * the bytes of all calls by index. Null: unreadable, or larger than allowed.
 */
export function readCalls(text: string, sent: (index: number) => Uint8Array | null): GuestCalls | null {
  const [list, unheard] = asList(parseJson(text)) ?? [];
  const ids = asList(unheard);
  const made = asList(list);
  if (made === null || ids === null) return null;
  // Past the limit the run fails anyway; one more shows that it was exceeded.
  const requests: CallRequest[] = [];
  const bytes = new SentBytes(sent);
  for (const entry of made.slice(0, CALLS_PENDING_MAX + 1)) {
    const request = readRequest(entry, bytes);
    if (request === null) return null;
    requests.push(request);
  }
  const unheardIds = ids.slice(0, CALLS_PENDING_MAX + 1);
  return unheardIds.every(isCount) ? { requests, unheard: unheardIds } : null;
}

class SentBytes {
  readonly #sent: (index: number) => Uint8Array | null;
  #next = 0;
  #left = CALL_ARGS_BYTES_MAX;

  constructor(sent: (index: number) => Uint8Array | null) {
    this.#sent = sent;
  }

  take(count: number): Uint8Array[] | null {
    if (this.#next + count > CHUNKS_MAX) return null;
    const chunks: Uint8Array[] = [];
    while (chunks.length < count) {
      const chunk = this.#sent(this.#next++);
      this.#left -= chunk?.byteLength ?? 0;
      if (chunk === null || this.#left < 0) return null;
      chunks.push(chunk);
    }
    return chunks;
  }
}

function readRequest(entry: unknown, bytes: SentBytes): CallRequest | null {
  const [id, name, text, count, leftOut] = asList(entry) ?? [];
  const places = asList(leftOut);
  if (!isCount(id) || !isText(name, NAME_CHARS_MAX) || !isText(text, CALL_ARGS_CHARS_MAX)) return null;
  if (!isCount(count) || places === null || !places.every((place) => isCount(place) && place < ARGS_MAX)) return null;
  const chunks = bytes.take(count);
  return chunks === null ? null : [id, name, text, chunks, places.filter(isCount)];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function asList(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown, charsMax: number): value is string {
  return typeof value === 'string' && value.length <= charsMax;
}
