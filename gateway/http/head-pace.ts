import type { Socket } from 'node:net';
import { HEAD_MS_MAX } from './limits.ts';

/**
 * Judges how long a caller takes for a head: the first is due from the accept on, a later one from the look that sees its
 * first bytes. (Node's own `headersTimeout` ends all that are late in one turn of the event loop, and knows no limit for
 * blank lines before a head.)
 */
export class HeadPace {
  readonly #socket: Socket;
  #fromMs: number | null;
  /** What had come when the kept connection became idle; -1: it never was. */
  #idleBytes = -1;
  #idleSinceMs = 0;

  constructor(socket: Socket, nowMs: number) {
    this.#socket = socket;
    this.#fromMs = nowMs;
  }

  /** Nothing is due until more comes. */
  idle(nowMs: number): void {
    this.#fromMs = null;
    this.#idleBytes = this.#socket.bytesRead;
    this.#idleSinceMs = nowMs;
  }

  /** Since when a kept connection is between two requests; null: it is not, or bytes of the next one have come. */
  get idleSinceMs(): number | null {
    return this.#socket.bytesRead === this.#idleBytes ? this.#idleSinceMs : null;
  }

  tooSlow(nowMs: number): boolean {
    if (this.#socket.bytesRead === this.#idleBytes) return false;
    this.#fromMs ??= nowMs;
    return nowMs - this.#fromMs > HEAD_MS_MAX;
  }
}
