import {
  BODY_BYTES_PER_SECOND_MIN,
  BODY_GRACE_MS,
  BODY_MS_MAX,
  DISCARD_BYTES_MAX,
  DISCARD_MS_MAX,
  LONG_BODY_BYTES,
  SMALL_CHUNK_BYTES,
  SMALL_CHUNKS_BYTES,
} from './limits.ts';
import type { ExchangeConnection, ExchangeRequest } from './caller.ts';
import type { Holder, Shares } from '../net/shares.ts';
import type { BodyLane } from './body-lane.ts';

const JOINED_PER_PIECE_BYTES = 1024 * 1024;

export type BodyEnd = 'complete' | 'too_large' | 'too_slow' | 'overloaded' | 'no_memory' | 'trailers' | 'gone';

/** Pauses and resumes the caller that sends the body. */
type BodySource = Pick<ExchangeConnection, 'pauseBody' | 'resumeBody'>;

interface BodyShare {
  readonly bodies: Shares;
  readonly holder: Holder;
  readonly lane: BodyLane;
  readonly source: BodySource;
  /** Whether the body would be refused because of memory once it is read. Checked for each chunk of a long one. */
  isRefused(): boolean;
}

/**
 * Reads one request body and counts its bytes as they arrive. Its bytes count towards its holder's share of `bodies`
 * until `release()`. A body that grows too large is discarded, up to 8 MiB or 2 s more, so that the caller can read the
 * 413. A long body is read as fast as the lane allows; unread data stays with the caller.
 */
export class BodyReader {
  readonly #req: ExchangeRequest;
  readonly #share: BodyShare;
  readonly #maxBytes: number;
  readonly #msMax: number;
  readonly #done: (end: BodyEnd) => void;
  readonly #chunks: Buffer[] = [];
  /** Small chunks that arrived after `#chunks`, copied together. */
  #small: Buffer | null = null;
  #smallBytes = 0;
  readonly #startedMs = performance.now();
  #held = 0;
  #received = 0;
  #discarding = false;
  #discardStartMs = 0;
  #receivedBefore = 0;
  /** Since when the lane has paused it; null: it is not paused. */
  #pausedAtMs: number | null = null;
  #pausedMs = 0;
  #ended = false;

  constructor(
    req: ExchangeRequest,
    share: BodyShare,
    options: { maxBytes: number; timeoutMs: number; declaredTooLarge: boolean },
    done: (end: BodyEnd) => void,
  ) {
    this.#req = req;
    this.#share = share;
    this.#maxBytes = options.maxBytes;
    this.#msMax = Math.max(BODY_MS_MAX, options.timeoutMs);
    this.#done = done;
    if (options.declaredTooLarge) this.#discard();
    req.on('data', (chunk: Buffer) => this.#take(chunk));
    req.on('end', () => this.#end(this.#endOfStream()));
  }

  get bytes(): Buffer {
    this.#join();
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }

  /** The beginning, as it arrived. */
  get firstChunk(): Buffer {
    this.#join();
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  /** Like `bytes`, copied in pieces. */
  *joined(): Generator<void, Buffer> {
    this.#join();
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const whole = Buffer.allocUnsafeSlow(this.#received);
    let at = 0;
    let yieldedAt = 0;
    for (const chunk of this.#chunks.splice(0)) {
      at += chunk.copy(whole, at);
      if (at - yieldedAt < JOINED_PER_PIECE_BYTES) continue;
      yieldedAt = at;
      yield;
    }
    return whole;
  }

  get received(): number {
    return this.#received;
  }

  /** Checks the caller's sending rate; called every half second (docs/spec/requests.md#time-limits). */
  check(nowMs: number): void {
    if (this.#ended || this.#pausedAtMs !== null) return;
    if (this.#discarding) {
      if (nowMs - this.#discardStartMs > DISCARD_MS_MAX) this.#end('too_large');
      return;
    }
    const ms = nowMs - this.#startedMs - this.#pausedMs;
    const expected = ((ms - BODY_GRACE_MS) / 1000) * BODY_BYTES_PER_SECOND_MIN;
    if (ms > this.#msMax || (ms > BODY_GRACE_MS && this.#received < expected)) this.#end('too_slow');
  }

  abandon(): void {
    this.#end('gone');
  }

  /** Releases the bytes and their share. */
  release(): void {
    this.#share.bodies.give(this.#share.holder, this.#held);
    this.#held = 0;
    this.#chunks.length = 0;
    this.#small = null;
    this.#smallBytes = 0;
  }

  #take(chunk: Buffer): void {
    if (this.#ended) return;
    this.#received += chunk.length;
    if (this.#received > LONG_BODY_BYTES) {
      if (!this.#discarding && this.#received <= this.#maxBytes && this.#share.isRefused())
        return this.#end('no_memory');
      if (!this.#share.lane.mayReadAfter(chunk.length)) this.#pause();
    }
    if (this.#discarding) {
      if (this.#received - this.#receivedBefore > DISCARD_BYTES_MAX) this.#end('too_large');
      return;
    }
    if (this.#received > this.#maxBytes) return this.#discard();
    const { bodies, holder } = this.#share;
    if (!bodies.take(holder, chunk.length)) return this.#end('overloaded');
    this.#held += chunk.length;
    this.#keep(chunk);
  }

  /**
   * Pauses the socket, not the request: a paused request would keep each chunk as a separate Buffer, about 400 bytes
   * for a chunk of one.
   */
  #pause(): void {
    if (this.#pausedAtMs !== null) return;
    const { lane, holder, source } = this.#share;
    this.#pausedAtMs = performance.now();
    source.pauseBody();
    lane.readLater(holder.project, () => this.#resume());
  }

  #resume(): void {
    if (this.#ended || this.#pausedAtMs === null) return;
    this.#pausedMs += performance.now() - this.#pausedAtMs;
    this.#pausedAtMs = null;
    this.#share.source.resumeBody();
  }

  /**
   * A Buffer costs about 150 bytes in addition to its content, and one that is kept for a while is collected late.
   * Small chunks are therefore copied immediately.
   */
  #keep(chunk: Buffer): void {
    if (this.#chunks.length === 0 || chunk.length > SMALL_CHUNK_BYTES) {
      this.#join();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#smallBytes + chunk.length > SMALL_CHUNKS_BYTES) this.#join();
    const room = this.#roomFor(this.#smallBytes + chunk.length);
    this.#smallBytes += chunk.copy(room, this.#smallBytes);
    this.#small = room;
  }

  /**
   * It grows with the body: full-sized buffers for four thousand stalled callers would take 64 MiB, and collections to
   * free them.
   */
  #roomFor(bytes: number): Buffer {
    const small = this.#small;
    if (small !== null && bytes <= small.length) return small;
    const room = Buffer.allocUnsafe(Math.min(SMALL_CHUNKS_BYTES, 2 * Math.max(bytes, SMALL_CHUNK_BYTES / 4)));
    small?.copy(room, 0, 0, this.#smallBytes);
    return room;
  }

  #join(): void {
    if (this.#small === null || this.#smallBytes === 0) return;
    this.#chunks.push(Buffer.from(this.#small.subarray(0, this.#smallBytes)));
    this.#smallBytes = 0;
  }

  #discard(): void {
    this.release();
    this.#discarding = true;
    this.#discardStartMs = performance.now();
    this.#receivedBefore = this.#received;
  }

  #endOfStream(): BodyEnd {
    if (this.#discarding) return 'too_large';
    return this.#req.rawTrailers.length > 0 ? 'trailers' : 'complete';
  }

  #end(end: BodyEnd): void {
    if (this.#ended) return;
    // A caller that has sent everything is still read: this detects its end while its request runs.
    if (end === 'complete') this.#resume();
    this.#ended = true;
    if (end !== 'complete') this.release();
    this.#done(end);
  }
}
