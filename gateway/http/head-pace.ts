import type { Socket } from 'node:net';
import { HEAD_MS_MAX } from './limits.ts';

/**
 * Checks how long a caller takes for a head. The first is due from the accept on, a later one from the check that sees
 * its first bytes. (Node's own `headersTimeout` ends all late connections in one turn of the event loop, and has no
 * limit for blank lines before a head.)
 */
export class HeadPace {
  readonly #socket: Socket;
  #fromMs: number | null;
  /** `bytesRead` when the kept connection became idle; -1 if it never was. */
  #idleBytes = -1;
  #idleSinceMs = 0;

  constructor(socket: Socket, nowMs: number) {
    this.#socket = socket;
    this.#fromMs = nowMs;
  }

  /** Nothing is due until more data arrives. */
  idle(nowMs: number): void {
    this.#fromMs = null;
    this.#idleBytes = this.#socket.bytesRead;
    this.#idleSinceMs = nowMs;
  }

  /**
   * Since when a kept connection has been between two requests; null if it is not, or if bytes of the next one have
   * arrived.
   */
  get idleSinceMs(): number | null {
    return this.#socket.bytesRead === this.#idleBytes ? this.#idleSinceMs : null;
  }

  tooSlow(nowMs: number): boolean {
    if (this.#socket.bytesRead === this.#idleBytes) return false;
    this.#fromMs ??= nowMs;
    return nowMs - this.#fromMs > HEAD_MS_MAX;
  }
}
