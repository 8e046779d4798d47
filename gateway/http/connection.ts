import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#common/errors/catalogue.ts';
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
 * One caller's socket. It serves one request at a time: the next one is looked at when the reply before it was handed
 * to the socket, and never if that was a refusal. (Node alone would run the handlers of all requests that a caller
 * pipelines, even behind a destroyed socket.) States: open, closing (a refusal was sent), closed.
 */
export class Connection implements AcceptedSocket, Checked, ExchangeConnection, Reader {
  readonly socket: Socket;
  readonly number: number;
  readonly peer: string;
  readonly scheme: 'http' | 'https';
  readonly #desk: RequestDispatcher;
  readonly #headPace: HeadPace;
  readonly #waiting: Pending[] = [];
  /** The request that is served came behind another, which it has waited for: the first of them was let in. */
  followsOn = false;
  halfOpen = true;
  keyed = false;
  #current: RequestHandler | null = null;
  /** Of the request that is served. */
  #response: ServerResponse | null = null;
  /** When it was refused, nothing that the caller had sent was left to read. */
  #hasAll = false;
  /** The request that is served was turned away: what came meanwhile is behind none that was let in. */
  #turnsAway = false;
  #closing = false;
  /** The listener closes, or the request's body is not read: no further request is taken. */
  #ending = false;
  /** The newest request asks for another protocol, and is the last one: what comes behind it is not looked at. */
  #lastHasCome = false;
  /** The caller went on sending behind a refusal. */
  #deaf = false;
  /** Its reply counts in what all replies hold. */
  #holdsReply = false;
  #replyPace: ReplyPace | null = null;
  /** Ends it when its caller does not. */
  #lingering: NodeJS.Timeout | undefined;
  /** A framing error found behind the request that is being served. */
  #poison: { code: ErrorCode; cause: string } | null = null;

  constructor(socket: Socket, desk: RequestDispatcher, scheme: 'http' | 'https', number: number) {
    this.socket = socket;
    this.number = number;
    this.scheme = scheme;
    this.#desk = desk;
    this.#headPace = new HeadPace(socket, performance.now());
    this.peer = normaliseAddress(socket.remoteAddress ?? '');
    socket.prependListener('close', withoutStackTraces);
    socket.on('close', () => this.#closed());
    // Behind CONNECT Node takes its own listener away: a caller that then resets the socket would end the process.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => this.#current?.callerEnded());
    // Node resumes the socket at the end of each message; without this a pipelining caller fills the memory.
    socket.on('resume', () => this.#holdBack());
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Nobody is there any more to take a reply. */
  get gone(): boolean {
    return this.socket.destroyed;
  }

  /** A refusal was sent whole, and nothing more is taken: the socket only waits for its end. */
  get answered(): boolean {
    return this.#closing && this.socket.writableFinished;
  }

  /** A refusal ends it, or the gateway does; what still comes over it is not looked at. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Nothing of it is under way here: its next step is the caller's. */
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

  /** Ends the socket unanswered, for a caller that has fewer. */
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
    // Reading stops: what waits here is at most what one read had brought.
    this.socket.pause();
    if (this.#waiting.length >= PIPELINED_MAX)
      this.#poison ??= { code: 'overloaded', cause: 'too many pipelined requests' };
    else this.#waiting.push({ req, res, waitsForContinue });
  }

  /** Node's parser gave up on what came over the socket. */
  malformed(code: ErrorCode, cause: string): void {
    if (this.#closing) return this.#turnDeaf();
    if (this.#current === null) return this.refuse(code, cause);
    if (!this.#current.framingFailed(code, cause)) this.#poison ??= { code, cause };
  }

  /** Refuses the connection as such, outside any request. */
  refuse(code: ErrorCode, cause: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.socket.pause();
    this.#desk.refuse(this, code, cause);
  }

  /** What is below HTTP broke: nobody can be answered, but the journal says why. */
  failed(cause: string, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#desk.record(this.peer, 'bad_request', cause, { reason });
    this.socket.destroy();
  }

  /** The reply was given to the socket: what the system does not take at once stays in memory until the caller does. */
  holdReply(): void {
    const { writableLength } = this.socket;
    if (writableLength === 0) return;
    this.#holdsReply = true;
    this.#desk.holdReply(this, writableLength);
  }

  /** The replies that wait hold too much, and this one is given up for the others. */
  cutOff(): void {
    this.#desk.record(this.peer, 'overloaded', 'replies_in_memory', { limitBytes: REPLIES_BYTES_MAX });
    this.giveUpReply();
  }

  /** The caller does not take its reply: the system forgets too what it holds of it, and would offer for minutes more. */
  giveUpReply(): void {
    const { socket } = this;
    if (this.scheme === 'http') socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Looks how fast the caller takes its reply. */
  checkReply(nowMs: number): void {
    this.#replyPace ??= new ReplyPace(this.socket, nowMs);
    if (this.#replyPace.tooSlow(nowMs)) this.giveUpReply();
  }

  /** The exchange's reply was handed to the socket. */
  served(): void {
    const letIn = !this.#turnsAway;
    this.#turnsAway = false;
    this.#current = null;
    this.#response = null;
    if (this.#holdsReply) this.#desk.releaseReply(this);
    this.#holdsReply = false;
    this.#replyPace = null;
    // A socket that was ended takes no reply any more: what waits must not run.
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

  /** The reply to the request that is being served ends the connection; an idle one ends now. */
  endAfterReply(): void {
    this.#ending = true;
    if (this.#current === null && !this.#closing) this.#end();
  }

  /** The rest of the request is not read; its reply ends the connection. */
  leaveBody(): void {
    this.#ending = true;
    this.socket.pause();
  }

  turnAway(status: number, lines: readonly string[], body: string): boolean {
    this.#turnsAway = this.#canBeKept;
    if (this.#turnsAway) return false;
    // As a refusal leaves: Node would end the socket at once, and its caller, still sending, would see a reset.
    this.stopReading();
    this.sendClosing(closingText(status, lines, body));
    return true;
  }

  /** What came behind a request that is turned away is not served, nor told so. */
  get #canBeKept(): boolean {
    if (this.lastReply || this.socket.readableEnded || !this.#response?.shouldKeepAlive) return false;
    return this.#waiting.length === 0 && this.#poison === null;
  }

  /** Whether replies say `Connection: close` from now on. */
  get lastReply(): boolean {
    return this.#ending || this.#desk.draining || (this.#lastHasCome && this.#waiting.length === 0);
  }

  /** Nothing more is read or dispatched from here on. */
  stopReading(): void {
    this.#closing = true;
    // False at the head of a request in this thread; there Node resumes the socket when the request has ended.
    this.#hasAll = this.#waiting.length === 0 && this.#poison === null && (this.#response?.req.complete ?? false);
    this.#waiting.length = 0;
    this.socket.pause();
  }

  /** Sends a closing answer as it is; the socket is destroyed a second later at the latest. */
  sendClosing(answer: string): void {
    const { socket } = this;
    // Over TLS Node has ended it when its caller ended its side.
    if (!socket.writable) return;
    socket.end(answer, 'latin1');
    this.#linger();
    // The caller's own end is seen: it is gone as soon as it has the answer. Whatever else it sends makes it deaf.
    if (this.#hasAll) socket.resume();
  }

  /** Ends the socket; a request that crosses the end on the wire is not run, since its reply could not be sent. */
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
    if (this.#deaf || this.#waiting.length > 0) this.socket.pause();
  }

  /** Ends it if its caller is too slow with a head or a body or in taking a reply. Answers whether it did. */
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

  /** What the parser gave up on may be the body of the last request that it had begun, of which no more comes. */
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
 * Between this listener and `#closed` runs Node's own, which makes an error for each request that it did not answer
 * itself. Nobody sees them, and their stack traces are a tenth of what a refusal costs.
 */
function withoutStackTraces(): void {
  Error.stackTraceLimit = 0;
}
