import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { ExchangeConnection, ExchangeResponse } from '../caller.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { Exchange } from '../exchange.ts';
import type { Cap, LimitedConnection } from '../connection-limiter.ts';
import { CONNECTIONS_MAX, LARGE_REPLY_BYTES } from '../limits.ts';
import { recordRefusedSocket, refuseConnection } from '../refusal.ts';
import type { Checked } from '../timeout-sweep.ts';
import type { Reader } from '../unsent-replies.ts';
import { BRINGS_BODY, CORE, FOLLOWS_ON, WAITS_FOR_CONTINUE } from './messages.ts';
import type { MessageBatch } from './message-batch.ts';
import { RemoteRequest } from './remote-request.ts';

type RequestLine = readonly [method: string, target: string, version: string];

/** A socket in an HTTP thread, as the core knows it: a limited connection and the caller of its exchanges. */
export class RemoteConnection implements Checked, ExchangeConnection, ExchangeResponse, LimitedConnection, Reader {
  readonly peer: string;
  readonly scheme: 'http' | 'https';
  /** The thread knows when, and adds the header to the reply. */
  readonly lastReply = false;
  followsOn = false;
  gone = false;
  halfOpen = true;
  keyed = false;
  readonly #edge: GatewayContext;
  readonly #thread: MessageBatch;
  readonly #number: number;
  #exchange: Exchange | null = null;
  #request: RemoteRequest | null = null;
  /** Further data from it is not served. */
  #closing = false;
  #answered = false;
  /** When its last reply was accepted; null if there was none. */
  #servedAtMs: number | null = null;
  #holdsReply = false;
  #status = 0;
  #headers: string[] = [];
  #finished: (() => void) | null = null;

  constructor(
    edge: GatewayContext,
    thread: MessageBatch,
    socket: { number: number; peer: string; scheme: 'http' | 'https' },
  ) {
    this.#edge = edge;
    this.#thread = thread;
    this.#number = socket.number;
    this.peer = socket.peer;
    this.scheme = socket.scheme;
  }

  // ── As a limited connection ───────────────────────────────────────────────────────────────────────────────────

  get answered(): boolean {
    return this.#answered;
  }

  get waits(): boolean {
    return !this.#closing && (this.#exchange?.mayBeEnded ?? true);
  }

  /** As far as the core knows: its thread may have read the beginning of a request. */
  get idleSinceMs(): number | null {
    return this.#closing || this.#exchange !== null ? null : this.#servedAtMs;
  }

  destroy(): void {
    this.#closing = true;
    this.#thread.put(CORE.destroy, this.#number);
  }

  makeRoom(): void {
    if (this.gone) return;
    this.#closing = true;
    recordRefusedSocket(this.#edge, this.peer, 'overloaded', 'made_room', { limit: CONNECTIONS_MAX });
    this.destroy();
    // The rest of a request may be in transit from its thread: it must not run.
    this.callerGone();
  }

  /** Its thread sends the refusal when it can, and requests its text then. */
  overCap(cap: Cap, crowded: boolean): void {
    this.#closing = true;
    this.#thread.put(CORE.overCap, this.#number, cap, crowded ? 1 : 0);
  }

  check(nowMs: number): boolean {
    if (this.#closing) return false;
    this.#exchange?.check(nowMs);
    return this.#closing;
  }

  /** Its thread drops the reply and records that, unless the caller has read the reply meanwhile. */
  cutOff(): void {
    this.#thread.put(CORE.giveUpReply, this.#number);
  }

  /** Data between the thread and the core is limited for all bodies together (body-credit.ts). */
  pauseBody(): void {}

  resumeBody(): void {}

  // ── Messages from the thread ──────────────────────────────────────────────────────────────────────────────────

  request(marks: number, line: RequestLine, headers: readonly string[]): void {
    if (this.#closing) return;
    this.halfOpen = false;
    const ask = (marks & BRINGS_BODY) === 0 ? () => this.#thread.put(CORE.readBody, this.#number) : null;
    this.followsOn = (marks & FOLLOWS_ON) !== 0;
    this.#request = new RemoteRequest(line, headers, ask);
    this.#exchange = new Exchange(this.#edge, this, this.#request, this, (marks & WAITS_FOR_CONTINUE) !== 0);
    this.#exchange.begin();
  }

  body(chunk: Buffer): void {
    this.#request?.take(chunk);
  }

  bodyEnded(trailers: boolean): void {
    this.#request?.end(trailers);
  }

  framingFailed(code: ErrorCode, cause: RecordedCause): void {
    this.#exchange?.framingFailed(code, cause);
  }

  refuse(code: ErrorCode, cause: RecordedCause): void {
    this.#closing = true;
    refuseConnection(this.#edge, this, code, cause);
  }

  replyHeld(bytes: number): void {
    if (this.#exchange === null) return;
    this.#holdsReply = true;
    this.#edge.unsentReplies.hold(this, bytes);
  }

  /** `ends`: its thread could not keep the connection after a refusal. */
  replied(ends: boolean): void {
    if (ends) {
      this.#closing = true;
      this.#answered = true;
    }
    this.#finished?.();
  }

  callerEnded(): void {
    this.#exchange?.callerEnded();
  }

  callerGone(): void {
    this.gone = true;
    this.#closing = true;
    this.#exchange?.callerGone();
  }

  // ── Calls of the exchange ─────────────────────────────────────────────────────────────────────────────────────

  stopReading(): void {
    this.#closing = true;
    this.#thread.put(CORE.stopReading, this.#number);
  }

  /** Its thread decides whether the connection can be kept. */
  turnAway(): boolean {
    this.#thread.put(CORE.turnAway, this.#number);
    return false;
  }

  leaveBody(): void {
    this.#thread.put(CORE.leaveBody, this.#number);
  }

  sendClosing(answer: string): void {
    this.#answered = true;
    this.#thread.put(CORE.closing, this.#number, answer);
  }

  writeContinue(): void {
    this.#thread.put(CORE.continue, this.#number);
  }

  writeHead(status: number, headers: string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  end(finished: () => void): void;
  end(body: string | Uint8Array, finished: () => void): void;
  end(...given: [() => void] | [string | Uint8Array, () => void]): void {
    const body = given.length === 1 ? null : given[0];
    this.#finished = given.length === 1 ? given[0] : given[1];
    const thread = this.#thread;
    thread.put(CORE.reply, this.#number, this.#status, this.#headers.length);
    for (const text of this.#headers) thread.add(text);
    if (body instanceof Uint8Array) thread.give(new Uint8Array(body));
    else thread.add(body);
    // Until its thread reports how much of it the system has accepted.
    if (body !== null && body.length > LARGE_REPLY_BYTES) this.replyHeld(body.length);
  }

  /** The thread reports the bytes that it holds. */
  holdReply(): void {}

  /** The thread checks how fast the caller reads the reply. */
  checkReply(): void {}

  served(): void {
    if (this.#holdsReply) this.#edge.unsentReplies.release(this);
    this.#holdsReply = false;
    this.#exchange = null;
    this.#servedAtMs = performance.now();
    this.#request = null;
    this.#finished = null;
  }
}
