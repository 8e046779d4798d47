import type { Socket } from 'node:net';
import { REPLY_BYTES_PER_SECOND_MIN, REPLY_GRACE_MS, REPLY_STALL_MS_MAX } from './limits.ts';

/**
 * Checks how fast a caller reads its reply. (A socket's own timeout grants a second period, and never ends for a caller
 * that reads a byte now and then.)
 */
export class ReplyPace {
  readonly #socket: Socket;
  readonly #bytes: number;
  readonly #startedMs: number;
  #left: number;
  #movedMs: number;

  constructor(socket: Socket, nowMs: number) {
    this.#socket = socket;
    this.#bytes = bytesToSend(socket);
    this.#left = this.#bytes;
    this.#startedMs = nowMs;
    this.#movedMs = nowMs;
  }

  /** Nothing moved for 5 s, or the caller is below the minimum rate. */
  tooSlow(nowMs: number): boolean {
    const left = bytesToSend(this.#socket);
    if (left !== this.#left) this.#movedMs = nowMs;
    this.#left = left;
    const expected = ((nowMs - this.#startedMs - REPLY_GRACE_MS) / 1000) * REPLY_BYTES_PER_SECOND_MIN;
    return nowMs - this.#movedMs > REPLY_STALL_MS_MAX || this.#bytes - left < expected;
  }
}

interface Handle {
  writeQueueSize?: number;
  /** For TLS: the handle below it, whose queue moves while the one above waits until 160 KiB are gone. */
  _parent?: Handle | null;
}

/** Bytes of the socket's replies that the system has not taken. Node reports only complete chunks. */
function bytesToSend(socket: Socket & { _handle?: Handle | null }): number {
  const handle = socket._handle;
  return socket.writableLength + (handle?.writeQueueSize ?? 0) + (handle?._parent?.writeQueueSize ?? 0);
}
