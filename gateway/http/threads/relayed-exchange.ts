import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { Connection } from '../connection.ts';
import type { RequestHandler } from '../request-dispatcher.ts';
import { SMALL_BODY_BYTES, TEXT_CHUNK_BYTES_MAX } from '../limits.ts';
import type { BodyCredit } from './body-credit.ts';
import { BRINGS_BODY, CALLER, FOLLOWS_ON, WAITS_FOR_CONTINUE } from './messages.ts';
import type { MessageBatch } from './message-batch.ts';

/** The actions on this socket for one request, requested by the exchange in the core. */
export interface RelayedRequest {
  readonly connection: Connection;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly waitsForContinue: boolean;
}

/** A request whose exchange is in the core: head and body are sent there, the reply is sent back. */
export class RelayedExchange implements RequestHandler {
  readonly connection: Connection;
  readonly #core: MessageBatch;
  readonly #credit: BodyCredit;
  readonly #request: RelayedRequest;
  #turnsAway = false;
  #replying = false;
  #done = false;

  constructor(core: MessageBatch, credit: BodyCredit, request: RelayedRequest) {
    this.#core = core;
    this.#credit = credit;
    this.#request = request;
    this.connection = request.connection;
  }

  begin(): void {
    const { req, waitsForContinue } = this.#request;
    const { number, followsOn } = this.connection;
    const { rawHeaders, method = '', url = '', httpVersion } = req;
    const bringsBody = !waitsForContinue && hasSmallBody(req);
    const marks =
      (waitsForContinue ? WAITS_FOR_CONTINUE : 0) + (followsOn ? FOLLOWS_ON : 0) + (bringsBody ? BRINGS_BODY : 0);
    this.#core.put(CALLER.request, number, marks, method, url, httpVersion, rawHeaders.length);
    for (const text of rawHeaders) this.#core.add(text);
    if (bringsBody) this.readBody();
    // Until the core asks for it, only the part of the body that came with the head is read. Reading it resumes the
    // socket.
    else if (hasBody(req)) this.connection.socket.pause();
  }

  framingFailed(code: ErrorCode, cause: RecordedCause): boolean {
    if (this.#request.req.complete) return false;
    // The core has the head already and decides as it would with the socket in its own thread.
    if (!this.#done) this.#core.put(CALLER.framingFailed, this.connection.number, code, cause);
    return true;
  }

  /** The core checks the rate of bodies. */
  check(nowMs: number): void {
    if (this.#replying) this.connection.checkReply(nowMs);
  }

  /** Used only by the core's connections. */
  get mayBeEnded(): boolean {
    return this.#replying;
  }

  callerEnded(): void {
    if (!this.#done) this.#core.put(CALLER.ended, this.connection.number);
  }

  callerGone(): void {
    this.#credit.forget(this.connection);
    if (this.#done) return;
    this.#done = true;
    this.#core.put(CALLER.gone, this.connection.number);
  }

  // ── Messages from the core ────────────────────────────────────────────────────────────────────────────────────

  readBody(): void {
    const { req } = this.#request;
    req.on('data', (chunk: Buffer) => this.#send(chunk));
    req.on('end', () => {
      if (!this.#done) this.#core.put(CALLER.bodyEnd, this.connection.number, req.rawTrailers.length > 0 ? 1 : 0);
    });
  }

  #send(chunk: Buffer): void {
    if (this.#done) return;
    this.#core.put(CALLER.body, this.connection.number);
    // Copying a string is faster than transferring bytes.
    if (chunk.length <= TEXT_CHUNK_BYTES_MAX) this.#core.add(chunk.toString('latin1'));
    else this.#core.give(new Uint8Array(chunk));
    this.#credit.sent(this.connection, chunk.length);
  }

  /** The next reply is a refusal that need not end the connection. */
  turnAway(): void {
    this.#turnsAway = true;
  }

  continue(): void {
    this.#request.res.writeContinue();
  }

  reply(status: number, headers: string[], body: string | Uint8Array | null): void {
    const { connection } = this;
    if (connection.gone) return;
    if (this.#turnsAway && connection.turnAway(status, headers, String(body ?? ''))) return this.#replied(1);
    const { res } = this.#request;
    this.#replying = true;
    if (connection.lastReply) headers.push('Connection', 'close');
    res.writeHead(status, headers);
    const finished = (): void => this.#replied(0);
    if (body === null) res.end(finished);
    else res.end(body, finished);
    connection.holdReply();
  }

  #replied(ends: 0 | 1): void {
    if (this.#done) return;
    this.#done = true;
    // As for `stopReading`: an ending connection is not read further.
    if (ends) this.#credit.forget(this.connection);
    this.#core.put(CALLER.replied, this.connection.number, ends);
    this.connection.served();
  }

  /**
   * The core may request this after the caller has read the reply; then nothing is given up. It cannot be meant for the
   * previous exchange: the core replies to this one only after it knows that the previous one has ended.
   */
  giveUpReply(): void {
    if (this.#replying && !this.#done) this.connection.cutOff();
  }

  stopReading(): void {
    // A caller that was paused for the core must not be resumed when the core has caught up.
    this.#credit.forget(this.connection);
    this.connection.stopReading();
  }

  /** Its refusal was sent. */
  refused(): void {
    this.#done = true;
    this.connection.served();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Sending the body without a request saves a round trip to the core. If the request is refused at its head, the body
 * was read in vain.
 */
function hasSmallBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= SMALL_BODY_BYTES;
}
