import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import { normaliseAddress } from '#common/cidr.ts';
import type { ExchangeConnection } from './caller.ts';
import type { AcceptedSocket, RequestDispatcher, RequestHandler } from './request-dispatcher.ts';
import { asksForUpgrade } from './framing.ts';
import { CAP_CODE, type Cap } from './connection-limiter.ts';
import { HeadPace } from './head-pace.ts';
import { CONNECTIONS_MAX, PIPELINED_MAX, REFUSED_SOCKET_MS, REPLIES_BYTES_MAX } from './limits.ts';
import { closingText } from './problem-reply.ts';
import { ReplyPace } from './reply-pace.ts';
import type { Checked } from './timeout-sweep.ts';
import type { Reader } from './unsent-replies.ts';

interface Pending {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly waitsForContinue: boolean;
}

/**
 * One caller's socket. It serves one request at a time: the next one is examined when the previous reply was passed to
 * the socket, and never if that reply was a refusal. (Node alone would run the handlers of all pipelined requests, even
 * after a destroyed socket.) States: open, closing (a refusal was sent), closed.
 */
export class Connection implements AcceptedSocket, Checked, ExchangeConnection, Reader {
  readonly socket: Socket;
  readonly number: number;
  readonly peer: string;
  readonly scheme: 'http' | 'https';
  readonly #desk: RequestDispatcher<Connection>;
  readonly #headPace: HeadPace;
  readonly #waiting: Pending[] = [];
  /** The current request was pipelined after another one, whose connection had already been accepted. */
  followsOn = false;
  halfOpen = true;
  keyed = false;
  #current: RequestHandler | null = null;
  /** The response to the current request. */
  #response: ServerResponse | null = null;
  /** When it was refused, everything that the caller had sent was already read. */
  #hasAll = false;
  /** The current request is refused: requests that were pipelined after it follow no accepted request. */
  #turnsAway = false;
  #closing = false;
  /** The listener closes, or the request's body is not read: no further request is accepted. */
  #ending = false;
  /** The newest request asks for another protocol and is the last one: data after it is ignored. */
  #lastHasCome = false;
  /** The caller continued to send after a refusal. */
  #deaf = false;
  /** The body of the current request is read later. */
  #bodyPaused = false;
  /** Its reply counts towards the memory of all replies. */
  #holdsReply = false;
  #replyPace: ReplyPace | null = null;
  /** Ends the connection if the caller does not. */
  #lingering: NodeJS.Timeout | undefined;
  /** A framing error found after the current request. */
  #poison: { code: ErrorCode; cause: RecordedCause } | null = null;

  constructor(socket: Socket, desk: RequestDispatcher<Connection>, scheme: 'http' | 'https', number: number) {
    this.socket = socket;
    this.number = number;
    this.scheme = scheme;
    this.#desk = desk;
    this.#headPace = new HeadPace(socket, performance.now());
    this.peer = normaliseAddress(socket.remoteAddress ?? '');
    socket.prependListener('close', withoutStackTraces);
    socket.on('close', () => this.#closed());
    // After CONNECT, Node removes its own listener, and a reset by the caller would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => this.#current?.callerEnded());
    // Node resumes the socket at the end of each message; without this a pipelining caller fills the memory.
    socket.on('resume', () => this.#holdBack());
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** The caller has gone and cannot receive a reply. */
  get gone(): boolean {
    return this.socket.destroyed;
  }

  /** A refusal was sent completely and no more data is accepted: the socket only waits for its end. */
  get answered(): boolean {
    return this.#closing && this.socket.writableFinished;
  }

  /** A refusal or the gateway ends it; further data is ignored. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Nothing is in progress here: the next step is up to the caller. */
  get waits(): boolean {
    return !this.#closing && (this.#current?.mayBeEnded ?? true);
  }

  get idleSinceMs(): number | null {
    if (this.#closing || this.#current !== null || this.socket.destroyed) return null;
    return this.#headPace.idleSinceMs;
  }

  overCap(cap: Cap): void {
    this.refuse(CAP_CODE, cap);
  }

  /** Closes the socket without a response, in favour of a caller that has fewer. */
  makeRoom(): void {
    if (this.socket.destroyed) return;
    this.#desk.record(this.peer, 'overloaded', 'made_room', { limit: CONNECTIONS_MAX });
    this.socket.destroy();
  }

  admit(req: IncomingMessage, res: ServerResponse, waitsForContinue: boolean): void {
    if (this.#closing || this.#lastHasCome) return this.#turnDeaf();
    this.#lastHasCome = asksForUpgrade(req.rawHeaders);
    this.followsOn = false;
    if (this.#current === null) return this.#serve(req, res, waitsForContinue);
    // Reading stops, so at most one read's worth of requests waits here.
    this.socket.pause();
    if (this.#waiting.length >= PIPELINED_MAX)
      this.#poison ??= { code: 'overloaded', cause: 'too many pipelined requests' };
    else this.#waiting.push({ req, res, waitsForContinue });
  }

  /** Node's parser rejected the data on the socket. */
  malformed(code: ErrorCode, cause: RecordedCause): void {
    if (this.#closing) return this.#turnDeaf();
    if (this.#current === null) return this.refuse(code, cause);
    if (!this.#current.framingFailed(code, cause)) this.#poison ??= { code, cause };
  }

  /** Refuses the connection itself, outside any request. */
  refuse(code: ErrorCode, cause: RecordedCause): void {
    if (this.#closing) return;
    this.#closing = true;
    this.socket.pause();
    this.#desk.refuse(this, code, cause);
  }

  /** A layer below HTTP failed: no response is possible, but the journal records the reason. */
  failed(cause: RecordedCause, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#desk.record(this.peer, 'bad_request', cause, { reason });
    this.socket.destroy();
  }

  /**
   * The reply was passed to the socket. The part that the system does not accept immediately stays in memory until the
   * caller reads it.
   */
  holdReply(): void {
    const { writableLength } = this.socket;
    if (writableLength === 0) return;
    this.#holdsReply = true;
    this.#desk.holdReply(this, writableLength);
  }

  /** Waiting replies use too much memory, and this one is dropped. */
  cutOff(): void {
    this.#desk.record(this.peer, 'overloaded', 'replies_in_memory', { limitBytes: REPLIES_BYTES_MAX });
    this.giveUpReply();
  }

  /**
   * The caller does not read its reply. A reset also discards the buffers of the system, which would otherwise be sent
   * for minutes.
   */
  giveUpReply(): void {
    const { socket } = this;
    if (this.scheme === 'http') socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Checks how fast the caller reads its reply. */
  checkReply(nowMs: number): void {
    this.#replyPace ??= new ReplyPace(this.socket, nowMs);
    if (this.#replyPace.tooSlow(nowMs)) this.giveUpReply();
  }

  /** The exchange's reply was passed to the socket. */
  served(): void {
    const letIn = !this.#turnsAway;
    this.#turnsAway = false;
    this.#bodyPaused = false;
    this.#current = null;
    this.#response = null;
    if (this.#holdsReply) this.#desk.releaseReply(this);
    this.#holdsReply = false;
    this.#replyPace = null;
    // An ended socket accepts no reply, so waiting requests must not run.
    if (this.#closing || !this.socket.writable) return;
    const next = this.#waiting.shift();
    if (next) {
      this.followsOn = letIn;
      this.#serve(next.req, next.res, next.waitsForContinue);
      return this.#breakOff();
    }
    if (this.#poison && !this.#lastHasCome) return this.refuse(this.#poison.code, this.#poison.cause);
    if (this.lastReply) return this.#end();
    this.#headPace.idle(performance.now());
    this.socket.resume();
  }

  /** The connection ends with the reply to the current request; an idle one ends now. */
  endAfterReply(): void {
    this.#ending = true;
    if (this.#current === null && !this.#closing) this.#end();
  }

  pauseBody(): void {
    this.#bodyPaused = true;
    this.socket.pause();
  }

  resumeBody(): void {
    this.#bodyPaused = false;
    if (!this.#closing) this.socket.resume();
  }

  /** The rest of the request is not read; its reply ends the connection. */
  leaveBody(): void {
    this.#ending = true;
    this.socket.pause();
  }

  turnAway(status: number, lines: readonly string[], body: string): boolean {
    this.#turnsAway = this.#canBeKept;
    if (this.#turnsAway) return false;
    // Sent like a refusal: Node would end the socket immediately, and a caller that is still sending would see a reset.
    this.stopReading();
    this.sendClosing(closingText(status, lines, body));
    return true;
  }

  /** Requests pipelined after one that is turned away are neither served nor refused. */
  get #canBeKept(): boolean {
    if (this.lastReply || this.socket.readableEnded || !this.#response?.shouldKeepAlive) return false;
    return this.#waiting.length === 0 && this.#poison === null;
  }

  /** Whether replies say `Connection: close` from now on. */
  get lastReply(): boolean {
    return this.#ending || this.#desk.draining || (this.#lastHasCome && this.#waiting.length === 0);
  }

  /** Stops reading and dispatching. */
  stopReading(): void {
    this.#closing = true;
    // False at the head of a request in this thread; there Node resumes the socket when the request has ended.
    this.#hasAll = this.#waiting.length === 0 && this.#poison === null && (this.#response?.req.complete ?? false);
    this.#waiting.length = 0;
    this.socket.pause();
  }

  /** Sends a complete closing response. The socket is destroyed one second later at the latest. */
  sendClosing(answer: string): void {
    const { socket } = this;
    // Over TLS, Node has already ended it if the caller ended its side.
    if (!socket.writable) return;
    socket.end(answer, 'latin1');
    this.#linger();
    // The caller's end is detected, so it can close as soon as it has the response. Any further data stops the reading.
    if (this.#hasAll) socket.resume();
  }

  /** Ends the socket. A request that arrives at the same time is not run, because its reply could not be sent. */
  #end(): void {
    this.#closing = true;
    this.socket.end();
    this.#linger();
  }

  #linger(): void {
    this.#lingering ??= setTimeout(() => this.socket.destroy(), REFUSED_SOCKET_MS).unref();
  }

  #turnDeaf(): void {
    this.#deaf = true;
    this.socket.pause();
  }

  #holdBack(): void {
    if (this.#deaf || this.#bodyPaused || this.#waiting.length > 0) this.socket.pause();
  }

  /**
   * Ends the connection if its caller is too slow in sending a head or body or in reading a reply. Returns whether it
   * did.
   */
  check(nowMs: number): boolean {
    const { socket } = this;
    if (this.#closing || socket.destroyed) return false;
    if (this.#current) this.#current.check(nowMs);
    else if (this.#headPace.tooSlow(nowMs)) this.#endLate();
    return this.#closing || socket.destroyed;
  }

  #endLate(): void {
    if (this.socket.writable) this.refuse('request_timeout', 'head_too_slow');
    else this.socket.destroy();
  }

  #serve(req: IncomingMessage, res: ServerResponse, waitsForContinue: boolean): void {
    this.halfOpen = false;
    this.#response = res;
    this.#current = this.#desk.exchange(this, req, res, waitsForContinue);
    this.#current.begin();
  }

  /**
   * The data that the parser rejected may be the body of the last request that began, which is then never completed.
   */
  #breakOff(): void {
    if (this.#poison && this.#waiting.length === 0) this.#current?.framingFailed(this.#poison.code, this.#poison.cause);
  }

  #closed(): void {
    Error.stackTraceLimit = STACK_TRACE_LIMIT;
    clearTimeout(this.#lingering);
    this.#closing = true;
    this.#waiting.length = 0;
    this.#current?.callerGone();
  }
}

const STACK_TRACE_LIMIT = Error.stackTraceLimit;

/**
 * Node's own listener runs between this one and `#closed`. It creates an error for each request that it did not answer
 * itself. These errors are never seen, and their stack traces are a tenth of the cost of a refusal.
 */
function withoutStackTraces(): void {
  Error.stackTraceLimit = 0;
}
