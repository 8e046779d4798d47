import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections of the admin port. When all slots are in use, a new connection replaces the least useful one, so that no
 * program can hold all of them: first a connection that has not sent a complete head, then one whose body is still
 * arriving or that has no session and does not read its response, then an idle one, with those that have a session last.
 * A request that is being processed is never interrupted; if no other connection is left, the new one is refused.
 */
const ANSWER_MS_MAX = 10_000;

interface Entry {
  request: IncomingMessage | null;
  hadRequest: boolean;
  hasSession: boolean;
  /** Since when it has been without an idle moment. */
  busySinceMs: number;
}

export class AdminConnections {
  readonly #entries = new Map<Socket, Entry>();
  readonly #max: number;
  readonly #answerMsMax: number;

  /** `answerMsMax`: how long a caller without a session may take to read its response. */
  constructor(max: number, answerMsMax: number = ANSWER_MS_MAX) {
    this.#max = max;
    this.#answerMsMax = answerMsMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Accepts a new connection, if necessary at the cost of another one. */
  opened(socket: Socket): void {
    if (this.#entries.size >= this.#max && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    this.#entries.set(socket, { request: null, hadRequest: false, hasSession: false, busySinceMs: 0 });
    socket.once('close', () => this.#entries.delete(socket));
  }

  requested(request: IncomingMessage, response: ServerResponse): void {
    const entry = this.#entries.get(request.socket);
    if (entry === undefined) return;
    if (entry.request === null) entry.busySinceMs = performance.now();
    Object.assign(entry, { request, hadRequest: true });
    response.once('close', () => {
      if (entry.request === request) entry.request = null;
    });
  }

  /** A call on it was admitted with a session. */
  admitted(socket: Socket): void {
    const entry = this.#entries.get(socket);
    if (entry !== undefined) entry.hasSession = true;
  }

  #makeRoom(): boolean {
    let found: Socket | null = null;
    let lowest = Number.POSITIVE_INFINITY;
    // The oldest first.
    for (const [socket, entry] of this.#entries) {
      const value = this.#valueOf(entry);
      if (value >= lowest) continue;
      [found, lowest] = [socket, value];
      if (lowest === 0) break;
    }
    if (found === null) return false;
    this.#entries.delete(found);
    found.destroy();
    return true;
  }

  #valueOf({ request, hadRequest, hasSession, busySinceMs }: Entry): number {
    const isAnswered = request?.complete === true;
    const isStuck = isAnswered && !hasSession && performance.now() - busySinceMs > this.#answerMsMax;
    if (isAnswered && !isStuck) return Number.POSITIVE_INFINITY;
    if (hasSession) return 3;
    if (!hadRequest) return 0;
    return request === null ? 2 : 1;
  }
}
