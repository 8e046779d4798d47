import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import { sourceNetwork } from '#common/cidr.ts';
import type { Reply } from '#common/model/message.ts';
import { checkAddress } from '../checks/address.ts';
import { checkDeclaredBody, invalidBody, unreadBody } from '../checks/body.ts';
import { checkCapacity, checkInFlight } from '../checks/capacity.ts';
import { checkKey, watchHead } from '../checks/key.ts';
import { checkOrigin } from '../checks/origin.ts';
import { checkFailedKeys, checkRate } from '../checks/rate.ts';
import { checkRights } from '../checks/rights.ts';
import { findRoute } from '../checks/route.ts';
import { failedRun } from '../checks/run-result.ts';
import { checkStillAllowed } from '../checks/still-allowed.ts';
import { checkHttp } from '../checks/strict-http.ts';
import { outcomeRow, rowText, useRow } from '../journal/rows.ts';
import type { RunResult } from '../pipeline/contract.ts';
import { BodyReader, type BodyEnd } from './body-reader.ts';
import type { ExchangeConnection, ExchangeRequest, ExchangeResponse } from './caller.ts';
import { countErrors, countRefusal, countRequest } from './count-request.ts';
import { type DecodedBody, decodeBody, decodeJoined, type Room } from './decode-body.ts';
import { hasNoBody, rateHeaders, requestRefusal, sendClosingRefusal, writeReply } from './deliver-reply.ts';
import type { GatewayContext } from './gateway-context.ts';
import { healthAnswer, healthCheckOf } from './health.ts';
import type { HealthCheck } from './health-paths.ts';
import { LONG_BODY_BYTES } from './limits.ts';
import type { PacedRefusals } from './paced-refusals.ts';
import { closingAnswer, NOSNIFF, RAN_BUT_UNRECORDED, wholeLines } from './problem-reply.ts';
import type { RefusalReply } from './refusal.ts';
import type { RefusalReason } from './refusal-reason.ts';
import { REHEARSAL_HEADER, replyBody, replyBytes, replyHeaders } from './reply.ts';
import { RequestContext } from './request-context.ts';
import { asksForOwnAccess, checkOwnAccess, ownAccess, rememberRefusal, selfServiceAnswer } from './self-service.ts';
import { requestMessage, runPrincipal } from './request-message.ts';
import { foldKey, noteRow, preflightRow, refusalRow, selfServiceFields, useFields } from './request-rows.ts';
import {
  enterFlight,
  leaveFlight,
  refusedBodyLately,
  returnRun,
  shareHolder,
  takeParsed,
  takeShares,
  withoutShare,
} from './request-shares.ts';
import { readTraceparent } from './traceparent.ts';

const STOPPED_BEFORE_RUN: RefusalReason = {
  code: 'overloaded',
  step: 8,
  cause: 'gateway_stopped',
  compared: {},
  detail: 'Sluice was stopped before the body had arrived.',
};

/**
 * One request from its head to its last byte: the order of the steps of docs/spec/requests.md#steps; the first refusal
 * ends it. The steps themselves are functions of the request context.
 *
 * States: gates → body → recording → running → replying → done, and from any of the first four → refused → done. A long
 * body is decoded between body and recording. Under overload: gates → recording → queued (until its refusal may be
 * sent) → replying → done.
 */
type State = 'gates' | 'body' | 'decoding' | 'recording' | 'running' | 'queued' | 'replying' | 'refused' | 'done';

export class Exchange extends RequestContext {
  #state: State = 'gates';
  /** Sends the refusal that waits in `#queuedIn`. */
  #sendQueued: (() => void) | null = null;
  #queuedIn: PacedRefusals | null = null;

  constructor(
    gateway: GatewayContext,
    connection: ExchangeConnection,
    req: ExchangeRequest,
    res: ExchangeResponse,
    waitsForContinue: boolean,
  ) {
    super(gateway, connection, req, res, waitsForContinue);
    enterFlight(this);
  }

  begin(): void {
    const malformed = checkHttp(this);
    if (malformed) return this.#refuse(malformed);
    const health = healthCheckOf(this.gateway, this.method, this.path);
    if (health) return this.#answerHealth(health);
    const full = checkCapacity(this);
    if (full) return this.#refuse(full);
    watchHead(this);
    if (asksForOwnAccess(this)) return this.#answerOwnAccess();
    const refused = findRoute(this) ?? checkAddress(this) ?? checkOrigin(this);
    if (refused) return this.#refuse(refused);
    if (this.isPreflight) return this.#answerPreflight();
    const denied = checkKey(this) ?? checkRights(this);
    if (denied) return this.#refuse(checkFailedKeys(this) ?? denied);
    const limited = checkRate(this) ?? takeShares(this, 6);
    if (limited) return this.#refuse(limited);
    this.#readBody();
  }

  /** A framing error in the data that is still being read; false if the request had arrived completely. */
  framingFailed(code: ErrorCode, cause: RecordedCause): boolean {
    if (this.#state !== 'body' || this.req.complete) return this.#state === 'refused';
    this.#refuse({ code, step: 8, cause, compared: {} });
    return true;
  }

  check(nowMs: number): void {
    if (this.#state === 'body' && this.gateway.graceOver) return this.#refuse(STOPPED_BEFORE_RUN);
    this.reader?.check(nowMs);
    if (this.#state === 'replying') this.connection.checkReply(nowMs);
  }

  /** Its next step is up to the caller (the rest of a body, or reading the reply), or it is queued for a refusal. */
  get mayBeEnded(): boolean {
    return this.#state === 'body' || this.#state === 'queued' || this.#state === 'replying';
  }

  callerEnded(): void {
    const send = this.#sendQueued;
    if (this.#state !== 'queued' || !send) return;
    // The caller has usually disconnected, so its slot is released; no further call arrives on this connection.
    this.#queuedIn?.remove(send);
    send();
  }

  callerGone(): void {
    if (this.#state === 'body') this.reader?.abandon();
    else if (this.#state === 'decoding' || this.#state === 'queued' || this.#state === 'replying') this.#finish();
    // While recording or running, the run and its rows are completed; the reply is then dropped.
  }

  // ── Answered without a run ────────────────────────────────────────────────────────────────────────────────────

  /**
   * Before the limits: an overloaded gateway is alive, and this response costs less than a refusal. Not journaled or
   * counted.
   */
  #answerHealth(check: HealthCheck): void {
    this.#state = 'refused';
    leaveFlight(this);
    this.connection.stopReading();
    this.connection.sendClosing(healthAnswer(this.gateway, check, this.id, this.isHead));
    this.#finish();
  }

  /** Recorded as a use of the key, and answered like a refusal: a body, if there is one, is not read. */
  #answerOwnAccess(): void {
    const denied = checkOwnAccess(this);
    if (denied) return this.#refuse(denied);
    const { key } = this;
    if (!key) throw new Error('the key was not verified');
    const fields = selfServiceFields(this, key);
    this.connection.stopReading();
    this.#record(useRow(fields), (ok) => {
      if (!ok) return this.#refuseUnrecorded();
      const text = ownAccess(this, key);
      const bytesOut = this.isHead ? 0 : text.length;
      this.#record(outcomeRow(fields, 200, this.durationMs, 0, bytesOut), (recorded) => {
        if (!recorded) return this.#refuseUnrecorded();
        this.connection.sendClosing(selfServiceAnswer(this, text));
        this.#finish();
      });
    });
  }

  #answerPreflight(): void {
    const headers = this.cors.length === 0 ? [] : [...this.cors, ...this.liveRoute.cors.preflightHeaders];
    const row = preflightRow(this);
    this.#state = 'recording';
    // No key was presented: the body of a preflight is not read.
    if (this.head.hasBody) this.connection.leaveBody();
    this.gateway.journal.refuse(row, `${sourceNetwork(this.ip)} ${this.liveRoute.id} preflight`, (ok) => {
      if (!ok) return this.#refuseUnrecorded();
      const lines = ['X-Request-Id', this.id, ...headers];
      if (!this.head.hasBody) return this.#send(204, [...lines, ...NOSNIFF], null);
      // Sent like a refusal: Node would end the socket immediately, and a caller that is still sending would see a
      // reset.
      this.connection.stopReading();
      this.connection.sendClosing(closingAnswer(204, lines, ''));
      this.#finish();
    });
  }

  // ── Steps 7 and 8: size, body ─────────────────────────────────────────────────────────────────────────────────

  #readBody(): void {
    if (!this.head.hasBody) return this.#recordUse();
    const refused = checkDeclaredBody(this);
    if (refused) return this.#refuse(refused);
    const { maxBodyBytes, timeoutMs } = this.liveRoute;
    this.#state = 'body';
    leaveFlight(this);
    if (this.waitsForContinue) this.res.writeContinue();
    this.reader = new BodyReader(
      this.req,
      {
        bodies: this.gateway.shares.bodies,
        holder: shareHolder(this),
        lane: this.gateway.bodyLane,
        source: this.connection,
        isRefused: () => refusedBodyLately(this),
      },
      { maxBytes: maxBodyBytes, timeoutMs, declaredTooLarge: this.head.contentLength > maxBodyBytes },
      (end) => this.#bodyEnded(end),
    );
  }

  #bodyEnded(end: BodyEnd): void {
    const { reader } = this;
    if (this.#state !== 'body' || !reader) return;
    if (end === 'gone') return this.#finish();
    if (end === 'complete') return this.#bodyRead(reader);
    this.#refuse(unreadBody(this, end, reader));
  }

  #bodyRead(reader: BodyReader): void {
    enterFlight(this);
    const refused = checkInFlight(this, 8) ?? takeShares(this, 8);
    if (refused) return this.#refuse(refused);
    const room: Room = (bytes) => takeParsed(this, bytes);
    const { keyWatch, keys } = this.gateway;
    if (reader.received > LONG_BODY_BYTES) {
      keyWatch.inBody(keys, reader.firstChunk, this);
      return this.#decodeInPieces(reader, room);
    }
    const { bytes } = reader;
    keyWatch.inBody(keys, bytes, this);
    this.#decoded(decodeBody(bytes, this.head.contentType, room));
  }

  #decodeInPieces(reader: BodyReader, room: Room): void {
    let pieces: Iterator<void, DecodedBody> | null = null;
    this.#state = 'decoding';
    this.gateway.bodyLane.decode(this.liveRoute.project, () => {
      if (this.#state !== 'decoding') return true;
      if (pieces === null && refusedBodyLately(this)) {
        this.#refuse(withoutShare(this, 'parsed', 8));
        return true;
      }
      pieces ??= decodeJoined(reader.joined(), this.head.contentType, room);
      const { done, value } = pieces.next();
      if (done) this.#decoded(value);
      return done ?? false;
    });
  }

  #decoded(decoded: DecodedBody): void {
    if (!decoded.ok) return this.#refuse(invalidBody(this, decoded));
    this.body = decoded.body;
    this.reader?.release();
    this.#recordUse();
  }

  // ── Steps 9 to 11: journal, run, journal ──────────────────────────────────────────────────────────────────────

  #recordUse(): void {
    const refused = checkStillAllowed(this);
    if (refused) return this.#refuse(refused);
    if (!this.key) return this.#run();
    this.gateway.pressure.countUse();
    const fields = useFields(this, this.key);
    this.#record(useRow(fields), (ok) => {
      if (!ok) return this.#refuseUnrecorded();
      this.used = fields;
      this.#run();
    });
  }

  #record(row: string, done: (ok: boolean) => void): void {
    const { journal, pressure } = this.gateway;
    this.#state = 'recording';
    noteRow(this, row.length);
    pressure.recording += 1;
    journal.commit(row, (ok) => {
      pressure.recording -= 1;
      done(ok);
    });
  }

  #run(): void {
    const refused = checkStillAllowed(this);
    if (refused) return this.#refuse(refused);
    const message = requestMessage(this);
    const principal = runPrincipal(this);
    this.#state = 'running';
    this.ran = true;
    const traceparent = readTraceparent(this.head.traceparent);
    // The message has it. In a run that continues after its reply, this reference must not keep it in memory.
    this.body = null;
    const over = () => returnRun(this);
    this.liveRoute.entry.start(message, principal, { done: (result) => this.#runEnded(result), over, traceparent });
  }

  #runEnded(result: RunResult): void {
    if (this.#state !== 'running') return;
    if (result.kind === 'reply') {
      this.undelivered = result.undelivered;
      this.rehearsed = result.rehearsed;
      return this.#reply(result.reply);
    }
    this.#refuse(failedRun(this, result));
  }

  #reply(reply: Reply): void {
    countErrors(this, reply);
    const bytes = replyBytes(reply);
    const headers = replyHeaders(reply, bytes, this.id, rateHeaders(this), this.cors);
    if (this.rehearsed !== null) headers.push(REHEARSAL_HEADER, String(this.rehearsed));
    const body = replyBody(reply);
    if (!this.used) return this.#send(reply.status, headers, body);
    const bytesOut = hasNoBody(this, reply.status) ? 0 : bytes;
    const bytesIn = this.reader?.received ?? 0;
    this.#record(outcomeRow(this.used, reply.status, this.durationMs, bytesIn, bytesOut), (ok) => {
      if (ok) this.#send(reply.status, headers, body);
      else this.#refuseUnrecorded();
    });
  }

  #send(status: number, headers: string[], body: string | Uint8Array | null): void {
    if (this.ran) countRequest(this, status, null);
    if (this.connection.gone) return this.#finish();
    this.#state = 'replying';
    leaveFlight(this);
    writeReply(this, status, headers, body, () => this.#finish());
  }

  // ── Refusals ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Records a refusal, then sends it. After a recorded use it is an outcome and is never folded. */
  #refuse(reason: RefusalReason): void {
    const { code, step, cause } = reason;
    const keeps = code === 'overloaded' && step <= 6 && this.isSmall;
    const waits = code === 'overloaded' && step <= 8 && !this.isSmall && this.holder !== null;
    this.#state = keeps ? 'recording' : 'refused';
    if (keeps || waits) leaveFlight(this);
    else this.connection.stopReading();
    this.reader?.release();
    countRefusal(this, code);
    const reply = requestRefusal(this, code, reason.detail, reason.members);
    const row = refusalRow(this, reason, reply.body.length);
    const { status } = reply;
    if (this.key) rememberRefusal(this, this.key, reason, row.time);
    this.gateway.onRefused({ requestId: this.id, code, status, route: this.route?.id ?? null, at: row.time });
    const done = (ok: boolean) => {
      if (!ok) return this.#refuseUnrecorded();
      if (keeps) return this.#queue(() => this.#turnAway(reply), this.gateway.pacedRefusals);
      if (waits) this.#queue(() => this.#close(reply), this.gateway.pacedLongRefusals);
      else this.#close(reply);
    };
    noteRow(this);
    if (this.used) this.gateway.journal.commit(rowText(row), done);
    else this.gateway.journal.refuse(row, foldKey(this, cause), done);
  }

  #queue(send: () => void, queue: PacedRefusals): void {
    if (this.connection.gone) return this.#finish();
    this.#state = 'queued';
    this.#sendQueued = send;
    this.#queuedIn = queue;
    queue.add(send);
  }

  /** Keeps the connection if possible: under overload, accepting another costs more than many calls. */
  #turnAway(reply: RefusalReply): void {
    const text = this.isHead ? '' : reply.body;
    const lines = wholeLines(reply.lines, reply.body);
    if (this.connection.turnAway(reply.status, lines, text)) return this.#finish();
    this.#send(reply.status, lines, text);
  }

  #close(reply: RefusalReply): void {
    sendClosingRefusal(this, reply);
    this.#finish();
  }

  /** The journal cannot be written: the only possible response is that. */
  #refuseUnrecorded(): void {
    const reply = requestRefusal(this, 'audit_unavailable', this.ran ? RAN_BUT_UNRECORDED : undefined);
    this.#state = 'refused';
    countRequest(this, reply.status, 'audit_unavailable');
    this.connection.stopReading();
    this.#close(reply);
  }

  #finish(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    leaveFlight(this);
    this.reader?.release();
    if (this.#sendQueued) this.#queuedIn?.remove(this.#sendQueued);
    const owner = this.route?.owner;
    if (owner) {
      owner.claims -= 1;
      if (owner.claims === 0) owner.onIdle?.();
    }
    this.connection.served();
  }
}
