import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import type { CodeOf, Compared, RecordedCause, RefusalCause } from '#common/errors/refusals.ts';
import type { RequestFault } from '#common/errors/request-faults.ts';
import { maskKeys, maskKeysInPath } from '#common/api-key.ts';
import { sourceNetwork } from '#common/cidr.ts';
import { clip as clipText } from '#common/clip.ts';
import type { AuditRow, RefusalWhy } from '#common/model/audit.ts';
import type { Message, Reply } from '#common/model/message.ts';
import { missingScopes, scopeNames } from '#common/scopes.ts';
import { sourceAddress } from '../gates/address.ts';
import type { HeldKey } from '../gates/keys.ts';
import { corsHeaders, isOwnOrigin, originAllowed } from '../gates/origin.ts';
import type { TokenBucket } from '../gates/token-bucket.ts';
import { outcomeRow, requestFields, type RequestFields, rowText, timeText, useRow } from '../journal/rows.ts';
import type { Holder } from '../net/shares.ts';
import type { RunResult } from '../pipeline/contract.ts';
import type { LiveRoute } from '../routing/live-route.ts';
import type { Miss, NearRoute } from '../routing/table.ts';
import { BodyReader, type BodyEnd } from './body-reader.ts';
import { type CallerCap, likelyHeapHolder, unkeyedHolder } from './callers-shares.ts';
import type { ExchangeConnection, ExchangeRequest, ExchangeResponse } from './caller.ts';
import {
  type BodyFault,
  codingAccepted,
  type DecodedBody,
  decodeBody,
  decodeInPieces,
  type Room,
} from './decode-body.ts';
import type { GatewayContext } from './gateway-context.ts';
import { type Head, readHead } from './framing.ts';
import { healthAnswer, healthCheckOf } from './health.ts';
import type { HealthCheck } from './health-paths.ts';
import {
  LONG_BODY_BYTES,
  OVERLOADED_RETRY_SECONDS,
  QUEUE_MS_MAX,
  REQUESTS_IN_FLIGHT_MAX,
  SMALL_BODY_BYTES,
  TARGET_BYTES_MAX,
} from './limits.ts';
import { onBehalf } from '../capabilities/principal.ts';
import type { PacedRefusals } from './paced-refusals.ts';
import { closingAnswer, faultDetail, NOSNIFF, RAN_BUT_UNRECORDED, wholeLines } from './problem-reply.ts';
import { closingRefusal, type RefusalReason, refusalReply, type RefusalReply } from './refusal.ts';
import { replyBody, replyHeaders } from './reply.ts';
import { decodeForm, escapesAreValid, type Query } from './target.ts';
import { requestPayload } from './payload.ts';
import { readTraceparent } from './traceparent.ts';

const NO_HEADERS: readonly string[] = [];
const SHARE_CAUSES = {
  requests: 'share_of_requests',
  runs: 'share_of_runs',
  bodies: 'share_of_bodies',
  parsed: 'share_of_bodies',
} as const satisfies Record<CallerCap, RefusalCause>;

const RUN_CANCELLED: RefusalReason = {
  ...finding('overloaded', 10, 'run_cancelled'),
  detail: 'The pipeline was stopped while it ran.',
};
const GATEWAY_STOPPED: RefusalReason = {
  ...finding('overloaded', 10, 'gateway_stopped'),
  detail: 'Sluice was stopped while the pipeline ran.',
};
const STOPPED_BEFORE_RUN: RefusalReason = {
  ...finding('overloaded', 8, 'gateway_stopped'),
  detail: 'Sluice was stopped before the body had arrived.',
};

/**
 * One request from its head to its last byte: the steps of docs/spec/requests.md#steps, in order; the first refusal
 * ends it.
 * States: gates → body → recording → running → replying → done, and from any of the first four → refused → done. A long
 * body is decoding between body and recording. Turned away for overload: gates → recording → queued (until its refusal
 * may be sent) → replying → done. This file is long on purpose: it is the one place where the order of the steps can be
 * read and checked.
 */
type State = 'gates' | 'body' | 'decoding' | 'recording' | 'running' | 'queued' | 'replying' | 'refused' | 'done';

export class Exchange {
  readonly #edge: GatewayContext;
  readonly #connection: ExchangeConnection;
  readonly #req: ExchangeRequest;
  readonly #res: ExchangeResponse;
  readonly #waitsForContinue: boolean;
  readonly #id: string;
  readonly #startedMs = performance.now();
  readonly #receivedAt = timeText();
  readonly #head: Head;
  #state: State = 'gates';
  #path = '';
  #query: Query | null = null;
  #ip = '';
  #route: LiveRoute | null = null;
  #values: readonly string[] = NO_HEADERS;
  #key: HeldKey | null = null;
  /** The key that was presented and refused: named in rows, and gives no rights. */
  #refusedKey: HeldKey | null = null;
  /** The nearest route, for the journal row of a 404. */
  #near: NearRoute | null = null;
  #bucket: TokenBucket | null = null;
  #cors: readonly string[] = NO_HEADERS;
  #reader: BodyReader | null = null;
  #body: unknown = null;
  #tell: (() => void) | null = null;
  #queuedIn: PacedRefusals | null = null;
  #ran = false;
  #counted = false;
  #inFlight = false;
  /** The holder of its shares; null before it is known, and if it has none. */
  #holder: Holder | null = null;
  #holdsRequest = false;
  #holdsRun = false;
  /** Estimated memory of its body. */
  #parsedBytes = 0;
  /** The fields of the row of use, once it is written. */
  #used: RequestFields | null = null;

  constructor(
    edge: GatewayContext,
    connection: ExchangeConnection,
    req: ExchangeRequest,
    res: ExchangeResponse,
    waitsForContinue: boolean,
  ) {
    this.#edge = edge;
    this.#connection = connection;
    this.#req = req;
    this.#res = res;
    this.#waitsForContinue = waitsForContinue;
    this.#id = edge.ids.next();
    this.#head = readHead(req);
    edge.inFlight += 1;
    this.#inFlight = true;
  }

  begin(): void {
    const malformed = this.#strictHttp();
    if (malformed) return this.#refuse(malformed);
    const health = healthCheckOf(this.#edge, this.#req.method ?? '', this.#path);
    if (health) return this.#answerHealth(health);
    const refused = this.#caps() ?? this.#findRoute() ?? this.#addressRule() ?? this.#originRule();
    if (refused) return this.#refuse(refused);
    if (this.#isPreflight) return this.#answerPreflight();
    const denied = this.#apiKey() ?? this.#rights();
    if (denied) return this.#refuse(this.#guessing() ?? denied);
    const limited = this.#rateLimit() ?? this.#takeShares();
    if (limited) return this.#refuse(limited);
    this.#readBody();
  }

  /** A framing error in what is still being read; false when the request had arrived whole. */
  framingFailed(code: ErrorCode, cause: RecordedCause): boolean {
    if (this.#state !== 'body' || this.#req.complete) return this.#state === 'refused';
    this.#refuse({ code, step: 8, cause, compared: {} });
    return true;
  }

  check(nowMs: number): void {
    if (this.#state === 'body' && this.#edge.graceOver) return this.#refuse(STOPPED_BEFORE_RUN);
    this.#reader?.check(nowMs);
    if (this.#state === 'replying') this.#connection.checkReply(nowMs);
  }

  /** Its next step is up to the caller (the rest of a body, or reading the reply), or it is queued for a refusal. */
  get mayBeEnded(): boolean {
    return this.#state === 'body' || this.#state === 'queued' || this.#state === 'replying';
  }

  callerEnded(): void {
    const tell = this.#tell;
    if (this.#state !== 'queued' || !tell) return;
    // It has usually disconnected, and its place should be free; no further call arrives on this connection.
    this.#queuedIn?.remove(tell);
    tell();
  }

  callerGone(): void {
    if (this.#state === 'body') this.#reader?.abandon();
    else if (this.#state === 'decoding' || this.#state === 'queued' || this.#state === 'replying') this.#finish();
    // While recording or running, the run and its rows are completed; the reply is then dropped.
  }

  // ── Step 0: strict HTTP and caps ──────────────────────────────────────────────────────────────────────────────

  #strictHttp(): RefusalReason | null {
    const head = this.#head;
    const { peer } = this.#connection;
    // The caller and the route first: the journal names them in every refusal.
    const ip = sourceAddress(peer, head.forwardedFor, this.#edge.trustedProxies);
    this.#ip = ip ?? peer;
    const target = this.#req.url ?? '/';
    const mark = target.indexOf('?');
    this.#path = (mark < 0 ? target : target.slice(0, mark)).slice(0, TARGET_BYTES_MAX);
    if (head.tooLarge)
      return finding('headers_too_large', 0, 'headers_too_large', { bytes: head.bytes, lines: head.lines });
    if (head.fault !== '') return badRequest(head.fault, head.faulty);
    if (!escapesAreValid(this.#path)) return badRequest('the path has a malformed escape');
    const query = decodeForm(mark < 0 ? '' : target.slice(mark + 1));
    if (typeof query === 'string') return badRequest(`the query has ${query}`);
    this.#query = query;
    return ip === null ? badRequest('X-Forwarded-For is not a list of addresses') : null;
  }

  #caps(): RefusalReason | null {
    const tooMany = this.#inFlightCap(0);
    if (tooMany) return tooMany;
    if (!this.#connection.followsOn && !this.#edge.pressure.takes(this.#startedMs))
      return finding('overloaded', 0, 'queue_full', { limitMs: QUEUE_MS_MAX });
    return this.#heapFull(0, this.#startedMs);
  }

  /**
   * Before the limits: an overloaded gateway is alive, and this response costs less than a refusal. Not journaled or
   * counted.
   */
  #answerHealth(check: HealthCheck): void {
    this.#state = 'refused';
    this.#leaveFlight();
    this.#connection.stopReading();
    this.#connection.sendClosing(healthAnswer(this.#edge, check, this.#id, this.#isHead));
    this.#finish();
  }

  #inFlightCap(step: number): RefusalReason | null {
    if (this.#edge.inFlight <= REQUESTS_IN_FLIGHT_MAX) return null;
    return finding('overloaded', step, 'requests_in_flight', { limit: REQUESTS_IN_FLIGHT_MAX });
  }

  /**
   * While the next step is up to the caller, it is not in flight: otherwise a thousand slow callers would lock out
   * everybody.
   */
  #wait(state: 'body' | 'replying'): void {
    this.#state = state;
    this.#leaveFlight();
  }

  #leaveFlight(): void {
    if (this.#inFlight) this.#edge.inFlight -= 1;
    this.#inFlight = false;
    if (this.#holdsRequest && this.#holder) this.#edge.shares.requests.give(this.#holder, 1);
    this.#holdsRequest = false;
    if (!this.#ran) this.#giveUpRun();
  }

  // ── Shares: of what all callers use, a part for each ──────────────────────────────────────────────────────────

  /** Part of step 6: the caller is known, and nothing of the body has been read. */
  #takeShares(step = 6): RefusalReason | null {
    const { requests, runs } = this.#edge.shares;
    const holder = this.#shareHolder;
    this.#holdsRequest = requests.take(holder, 1);
    if (!this.#holdsRequest) return this.#withoutShare('requests', step);
    this.#holdsRun = runs.take(holder, 1);
    return this.#holdsRun ? null : this.#withoutShare('runs', step);
  }

  get #shareHolder(): Holder {
    this.#holder ??= this.#key ?? unkeyedHolder(this.#ip, this.#liveRoute.project);
    return this.#holder;
  }

  /** The run has ended, or was never started. */
  #giveUpRun(): void {
    const { runs, parsed } = this.#edge.shares;
    if (!this.#holder) return;
    if (this.#holdsRun) runs.give(this.#holder, 1);
    this.#holdsRun = false;
    parsed.give(this.#holder, this.#parsedBytes);
    this.#parsedBytes = 0;
  }

  #heapFull(step: number, nowMs: number): RefusalReason | null {
    if (!this.#edge.heap.full(nowMs)) return null;
    const holder = likelyHeapHolder(this.#edge.shares);
    if (holder === null) return finding('overloaded', step, 'heap_full');
    this.#edge.onHeapFull(holder);
    return finding('overloaded', step, 'heap_full', { holder: clip(holder.name), holderProject: holder.project });
  }

  #withoutShare(cap: CallerCap, step: number): RefusalReason {
    const { ofHolder, ofProject } = this.#edge.shares[cap];
    return finding('overloaded', step, SHARE_CAUSES[cap], { limit: ofHolder, projectLimit: ofProject });
  }

  // ── Steps 1 to 3: route, address, origin ──────────────────────────────────────────────────────────────────────

  get #isPreflight(): boolean {
    return this.#req.method === 'OPTIONS' && this.#head.origin !== '' && this.#head.asksMethod !== '';
  }

  #findRoute(): RefusalReason | null {
    const method = this.#isPreflight ? this.#head.asksMethod : (this.#req.method ?? '');
    const { table } = this.#edge;
    const match = this.#req.url === '*' ? null : table.find(method, this.#path);
    if (!match) return this.#missed(table.missOf(method, this.#path), method);
    this.#route = match.route;
    this.#values = match.values;
    match.route.owner.claims += 1;
    match.route.stats.calls += 1;
    const { origin } = this.#head;
    if (origin !== '' && originAllowed(match.route.cors, origin)) this.#cors = corsHeaders(match.route.cors, origin);
    return null;
  }

  #missed({ cause, near, accepted }: Miss, method: string): RefusalReason {
    this.#near = near;
    return finding('not_found', 1, cause, {
      method: clip(method),
      path: clip(this.#path),
      ...(near && { project: near.project, pipeline: near.pipeline, urlPattern: near.pattern.source }),
      ...(accepted.length > 0 && { accepted: accepted.join(', ') }),
    });
  }

  #addressRule(): RefusalReason | null {
    const allowed = this.#liveRoute.allowed;
    if (allowed === null || allowed.has(this.#ip)) return null;
    return finding('ip_not_allowed', 2, 'ip_not_allowed', {
      ip: this.#ip,
      allowedIps: clip((this.#liveRoute.entry.settings.allowedIps ?? []).join(', ')),
    });
  }

  #originRule(): RefusalReason | null {
    const { origin, host } = this.#head;
    if (origin === '') return null;
    const rule = this.#liveRoute.cors;
    if (originAllowed(rule, origin)) return null;
    if (!(this.#isPreflight ? rule.enabled : isOwnOrigin(origin, this.#connection.scheme, host, this.#edge.ownNames))) {
      const allowed = rule.enabled ? clip(this.#liveRoute.entry.settings.allowedOrigins.join(', ')) : 'CORS is off';
      return finding('origin_not_allowed', 3, 'origin_not_allowed', { origin: clip(origin), allowedOrigins: allowed });
    }
    return null;
  }

  #answerPreflight(): void {
    const headers = this.#cors.length === 0 ? NO_HEADERS : [...this.#cors, ...this.#liveRoute.cors.preflightHeaders];
    const row: AuditRow = { ...this.#rowFields(), type: 'outcome', code: 'preflight', status: 204 };
    this.#state = 'recording';
    // No key was presented: the body of a preflight is not read.
    if (this.#head.hasBody) this.#connection.leaveBody();
    this.#edge.journal.refuse(row, `${sourceNetwork(this.#ip)} ${this.#liveRoute.id} preflight`, (ok) => {
      if (!ok) return this.#sendRefusal('audit_unavailable');
      const lines = ['X-Request-Id', this.#id, ...headers];
      if (!this.#head.hasBody) return this.#send(204, [...lines, ...NOSNIFF], null);
      // Sent like a refusal: Node would end the socket at once, and a caller that is still sending would see a reset.
      this.#connection.stopReading();
      this.#connection.sendClosing(closingAnswer(204, lines, ''));
      this.#finish();
    });
  }

  // ── Steps 4 to 6: key, rights, rate ───────────────────────────────────────────────────────────────────────────

  #apiKey(): RefusalReason | null {
    if (!this.#liveRoute.keyed) return null;
    const { apiKeys, apiKey } = this.#head;
    if (apiKeys === 0) return finding('key_missing', 4, 'key_missing');
    if (apiKeys > 1) return finding('key_invalid', 4, 'key_repeated', { headers: apiKeys });
    const verdict = this.#edge.keys.verify(apiKey);
    if (!verdict.ok) {
      this.#refusedKey = verdict.key;
      return finding('key_invalid', 4, verdict.cause, { keyId: verdict.key?.id ?? null });
    }
    this.#key = verdict.key;
    this.#connection.keyed = true;
    return null;
  }

  #rights(): RefusalReason | null {
    const key = this.#key;
    if (!key) return null;
    const route = this.#liveRoute;
    if (key.project !== route.project)
      return finding('key_wrong_project', 5, 'key_wrong_project', {
        keyProject: key.project,
        routeProject: route.project,
      });
    const missing = missingScopes(route.requiredScopes, key.scopes);
    if (missing === 0) return null;
    const names = scopeNames(missing).join(', ');
    const compared = {
      missing: names,
      required: scopeNames(route.requiredScopes).join(', '),
      held: scopeNames(key.scopes).join(', '),
    };
    return { code: 'scope_missing', step: 5, cause: 'scope_missing', compared, detail: `The API key lacks: ${names}.` };
  }

  /** After a refusal of steps 4 or 5: a source that fails too often on a limited route is asked to wait instead. */
  #guessing(): RefusalReason | null {
    const { id, rate, burst } = this.#liveRoute;
    if (rate === 0) return null;
    const nowMs = performance.now();
    const bucket = this.#edge.sourceBuckets.bucket(id, this.#ip, rate, burst, nowMs);
    if (bucket.take(nowMs)) return null;
    this.#bucket = bucket;
    return finding('rate_limited', 6, 'too_many_failed_keys', { rate, burst });
  }

  #rateLimit(): RefusalReason | null {
    const { bucket, rate, burst } = this.#liveRoute;
    if (!bucket) return null;
    this.#bucket = bucket;
    return bucket.take(performance.now()) ? null : finding('rate_limited', 6, 'rate_limited', { rate, burst });
  }

  // ── Steps 7 and 8: size, body ─────────────────────────────────────────────────────────────────────────────────

  #readBody(): void {
    const head = this.#head;
    if (!head.hasBody) return this.#recordUse();
    const { maxBodyBytes, timeoutMs } = this.#liveRoute;
    const declaredTooLarge = head.contentLength > maxBodyBytes;
    if (declaredTooLarge && this.#waitsForContinue) return this.#refuse(this.#tooLarge(head.contentLength));
    if (!declaredTooLarge && !codingAccepted(head.contentEncoding)) {
      return this.#refuse(
        finding('unsupported_media_type', 8, 'content_coding', { contentEncoding: clip(head.contentEncoding) }),
      );
    }
    if (!this.#isSmall && !declaredTooLarge && this.#lacksMemory) return this.#refuse(this.#withoutShare('parsed', 7));
    this.#wait('body');
    if (this.#waitsForContinue) this.#res.writeContinue();
    this.#reader = new BodyReader(
      this.#req,
      {
        bodies: this.#edge.shares.bodies,
        holder: this.#shareHolder,
        lane: this.#edge.bodyLane,
        isRefused: () => this.#refusedBodyLately,
      },
      { maxBytes: maxBodyBytes, timeoutMs, declaredTooLarge },
      (end) => this.#bodyEnded(end),
    );
  }

  #bodyEnded(end: BodyEnd): void {
    const reader = this.#reader;
    if (this.#state !== 'body' || !reader) return;
    switch (end) {
      case 'gone':
        return this.#finish();
      case 'too_large':
        return this.#refuse(this.#tooLarge(Math.max(this.#head.contentLength, reader.received)));
      case 'too_slow':
        return this.#refuse(finding('request_timeout', 8, 'body_too_slow', { receivedBytes: reader.received }));
      case 'overloaded':
        return this.#refuse(this.#withoutShare('bodies', 8));
      case 'no_memory':
        return this.#refuse(this.#withoutShare('parsed', 8));
      case 'trailers':
        return this.#refuse(finding('bad_request', 8, 'trailers'));
      case 'complete':
        return this.#bodyRead(reader);
    }
  }

  #tooLarge(bytes: number): RefusalReason {
    return finding(
      'payload_too_large',
      this.#state === 'body' && this.#head.contentLength === 0 ? 8 : 7,
      'payload_too_large',
      {
        bodyBytes: bytes,
        maxPayloadSize: this.#liveRoute.maxBodyBytes,
      },
    );
  }

  #bodyFault(fault: BodyFault): RefusalReason {
    if (fault.code === 'overloaded') return this.#heapFull(8, performance.now()) ?? this.#withoutShare('parsed', 8);
    const { code, cause, at } = fault;
    const compared = { contentType: clip(this.#head.contentType), ...(at === undefined ? {} : { at }) };
    const found: RefusalReason = { code, step: 8, cause, compared };
    if (code !== 'body_invalid') return found;
    return { ...found, detail: faultDetail(code, at === undefined ? cause : `${cause}, from ${at} on`) };
  }

  #bodyRead(reader: BodyReader): void {
    this.#edge.inFlight += 1;
    this.#inFlight = true;
    const tooMany = this.#inFlightCap(8) ?? this.#takeShares(8);
    if (tooMany) return this.#refuse(tooMany);
    const room: Room = (bytes) => this.#takesParsed(bytes);
    if (reader.received > LONG_BODY_BYTES) return this.#decodeLater(reader, room);
    this.#decoded(decodeBody(reader.bytes, this.#head.contentType, room));
  }

  #decodeLater(reader: BodyReader, room: Room): void {
    let pieces: Iterator<void, DecodedBody> | null = null;
    this.#state = 'decoding';
    this.#edge.bodyLane.decode(this.#liveRoute.project, () => {
      if (this.#state !== 'decoding') return true;
      if (pieces === null && this.#refusedBodyLately) {
        this.#refuse(this.#withoutShare('parsed', 8));
        return true;
      }
      pieces ??= decodeInPieces(reader.bytes, this.#head.contentType, room);
      const { done, value } = pieces.next();
      if (done) this.#decoded(value);
      return done ?? false;
    });
  }

  #decoded(decoded: DecodedBody): void {
    if (!decoded.ok) return this.#refuse(this.#bodyFault(decoded));
    this.#body = decoded.body;
    this.#reader?.release();
    this.#recordUse();
  }

  /** Whether a long body is refused before it is read: what it takes in memory is more than a third of its length. */
  get #lacksMemory(): boolean {
    if (this.#refusedBodyLately) return true;
    return !this.#edge.shares.parsed.hasRoom(this.#shareHolder, Math.ceil(this.#head.contentLength / 3));
  }

  /** The caller was asked to wait and calls again at once: its body would be read and weighed in vain. */
  get #refusedBodyLately(): boolean {
    const sinceMs = this.#startedMs - OVERLOADED_RETRY_SECONDS * 1000;
    return this.#edge.shares.parsed.refusedSince(this.#shareHolder, sinceMs);
  }

  #takesParsed(bytes: number): boolean {
    const { shares, heap } = this.#edge;
    if (heap.full(performance.now()) || !shares.parsed.take(this.#shareHolder, bytes)) return false;
    this.#parsedBytes += bytes;
    return true;
  }

  // ── Steps 9 to 11: journal, run, journal ──────────────────────────────────────────────────────────────────────

  /**
   * Checked again before the run: a key that was revoked or a route that was stopped since the head arrived does not
   * run.
   */
  #stillAllowed(): RefusalReason | null {
    if (this.#liveRoute.owner.stopped)
      return finding('not_found', 9, 'pipeline_stopped', { method: this.#req.method ?? '', path: clip(this.#path) });
    const key = this.#key;
    if (!key) return null;
    if (key.revoked) return finding('key_invalid', 9, 'key_revoked', { keyId: key.id });
    return this.#edge.keys.refuseAll ? finding('key_invalid', 9, 'keys_unconfirmed', { keyId: key.id }) : null;
  }

  #recordUse(): void {
    const refused = this.#stillAllowed();
    if (refused) return this.#refuse(refused);
    if (!this.#key) return this.#run();
    this.#edge.pressure.countUse();
    const fields = this.#usedFields(this.#key);
    this.#record(useRow(fields), (ok) => {
      if (!ok) return this.#sendRefusal('audit_unavailable');
      this.#used = fields;
      this.#run();
    });
  }

  #record(row: string, done: (ok: boolean) => void): void {
    const { journal, pressure } = this.#edge;
    this.#state = 'recording';
    pressure.recording += 1;
    journal.commit(row, (ok) => {
      pressure.recording -= 1;
      done(ok);
    });
  }

  #run(): void {
    const refused = this.#stillAllowed();
    if (refused) return this.#refuse(refused);
    const route = this.#liveRoute;
    const payload = requestPayload(this.#req.rawHeaders, route, this.#values, this.#query as Query, this.#body);
    const request = {
      id: this.#id,
      method: this.#req.method ?? '',
      path: this.#path,
      route: route.pattern.source,
      ip: this.#ip,
      receivedAt: this.#receivedAt,
    };
    const message: Message = { payload, request, caller: this.#key?.caller ?? null };
    const { grants, runAs } = route.owner.compiled;
    this.#state = 'running';
    this.#ran = true;
    const rights = this.#key === null ? grants : runAs === 'caller' ? this.#key : onBehalf(this.#key, grants.scopes);
    const traceparent = readTraceparent(this.#head.traceparent);
    // The message holds it. In a run that continues after its reply, this reference must not keep it in memory.
    this.#body = null;
    const over = () => this.#giveUpRun();
    route.entry.start(message, rights, { done: (result) => this.#runEnded(result), over, traceparent });
  }

  #runEnded(result: RunResult): void {
    if (this.#state !== 'running') return;
    switch (result.kind) {
      case 'reply':
        return this.#reply(result.reply);
      case 'timeout':
        return this.#refuse(
          finding('route_timeout', 10, 'route_timeout', { timeoutMs: this.#liveRoute.timeoutMs, node: result.node }),
        );
      case 'cancelled':
        return this.#refuse(this.#edge.draining ? GATEWAY_STOPPED : RUN_CANCELLED);
      case 'failed':
        return this.#refuse(this.#runFailure(result));
    }
  }

  #runFailure(result: Extract<RunResult, { kind: 'failed' }>): RefusalReason {
    const compared = { node: result.node, cause: clip(result.cause) };
    if (result.code === 'value_invalid')
      return {
        ...finding(result.code, 10, result.code, compared),
        detail: faultDetail(result.code, valueFault(result)),
      };
    if (result.code !== 'scope_missing') return finding('pipeline_failed', 10, 'pipeline_failed', compared);
    const names = result.missing.join(', ');
    return {
      code: 'scope_missing',
      step: 10,
      cause: 'scope_missing',
      compared: { ...compared, missing: names, ...this.#runRights() },
      detail: `The run lacks: ${names}.`,
    };
  }

  /** The rights of the run, to explain a refusal. */
  #runRights(): { rights: 'key' | 'grants'; held: string; revoked: boolean } {
    const { grants, runAs } = this.#liveRoute.owner.compiled;
    const key = this.#key;
    const ofKey = key !== null && runAs === 'caller';
    const held = scopeNames(ofKey ? key.scopes : grants.scopes).join(', ');
    return { rights: ofKey ? 'key' : 'grants', held, revoked: key?.revoked ?? false };
  }

  #reply(reply: Reply): void {
    const { stats, owner } = this.#liveRoute;
    if (reply.status >= 500) stats.errors += 1;
    if (reply.errorWith200) {
      stats.errorsWith200 += 1;
      this.#edge.onErrorWith200(owner.compiled);
    }
    const bytes =
      reply.body === null ? 0 : typeof reply.body === 'string' ? Buffer.byteLength(reply.body) : reply.body.byteLength;
    const headers = replyHeaders(reply, bytes, this.#id, this.#rateHeaders(), this.#cors);
    const body = replyBody(reply);
    if (!this.#used) return this.#send(reply.status, headers, body);
    const bytesOut = this.#hasNoBody(reply.status) ? 0 : bytes;
    const bytesIn = this.#reader?.received ?? 0;
    this.#record(outcomeRow(this.#used, reply.status, this.#durationMs, bytesIn, bytesOut), (ok) => {
      if (ok) this.#send(reply.status, headers, body);
      else this.#sendRefusal('audit_unavailable', RAN_BUT_UNRECORDED);
    });
  }

  #send(status: number, headers: string[], body: string | Uint8Array | null): void {
    if (this.#ran) this.#count(status, null);
    if (this.#connection.gone) return this.#finish();
    this.#wait('replying');
    if (this.#connection.lastReply) headers.push('Connection', 'close');
    const res = this.#res;
    res.writeHead(status, headers);
    const finished = () => this.#finish();
    if (body === null || this.#hasNoBody(status)) res.end(finished);
    else res.end(body, finished);
    this.#connection.holdReply();
  }

  #hasNoBody(status: number): boolean {
    return this.#isHead || status === 204 || status === 304;
  }

  // ── Refusals ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Records a refusal, then answers it. After a recorded use it is an outcome of its own and is never folded. */
  #refuse(finding: RefusalReason): void {
    const { code, step, cause, compared } = finding;
    const keeps = code === 'overloaded' && step <= 6 && this.#isSmall;
    const waits = code === 'overloaded' && step <= 8 && !this.#isSmall && this.#holder !== null;
    this.#state = keeps ? 'recording' : 'refused';
    if (keeps || waits) this.#leaveFlight();
    else this.#connection.stopReading();
    this.#reader?.release();
    const { status } = CATALOGUE[code];
    if (this.#route) {
      this.#route.stats.refused += 1;
      if (status >= 500) this.#route.stats.errors += 1;
    }
    this.#count(status, code);
    const reply = this.#refusalReply(code, finding.detail);
    const why: RefusalWhy = { step, cause, compared };
    const row: AuditRow = {
      ...this.#rowFields(),
      type: this.#used ? 'outcome' : 'refusal',
      code,
      status,
      bytesOut: this.#isHead ? 0 : reply.body.length,
      why,
    };
    this.#edge.onRefused({ requestId: this.#id, code, status, route: this.#route?.id ?? null, at: row.time });
    const done = (ok: boolean) => {
      if (!ok) return this.#sendRefusal('audit_unavailable', this.#ran ? RAN_BUT_UNRECORDED : undefined);
      if (keeps) return this.#queue(() => this.#turnAway(reply));
      const close = (): void => {
        this.#connection.sendClosing(closingRefusal(reply, !this.#isHead));
        this.#finish();
      };
      if (waits) this.#queue(close, this.#edge.pacedLongRefusals);
      else close();
    };
    if (this.#used) this.#edge.journal.commit(rowText(row), done);
    else this.#edge.journal.refuse(row, `${this.#caller} ${this.#route?.id ?? ''} ${cause}`, done);
  }

  /** The key for folding refusals: one machine can have many addresses of a network. */
  get #caller(): string {
    return this.#shownKey?.id ?? sourceNetwork(this.#ip);
  }

  /** A request that arrives in one read, or nearly so. */
  get #isSmall(): boolean {
    const { chunked, contentLength } = this.#head;
    return !chunked && contentLength <= SMALL_BODY_BYTES && !this.#waitsForContinue;
  }

  #queue(tell: () => void, queue = this.#edge.pacedRefusals): void {
    if (this.#connection.gone) return this.#finish();
    this.#state = 'queued';
    this.#tell = tell;
    this.#queuedIn = queue;
    queue.add(tell);
  }

  /** Keeps the connection if possible: under overload, accepting another costs more than many calls. */
  #turnAway(reply: RefusalReply): void {
    const text = this.#isHead ? '' : reply.body;
    const lines = wholeLines(reply.lines, reply.body);
    if (this.#connection.turnAway(reply.status, lines, text)) return this.#finish();
    this.#send(reply.status, lines, text);
  }

  /** Answers a refusal that cannot be recorded. */
  #sendRefusal(code: ErrorCode, detail?: string): void {
    this.#state = 'refused';
    this.#count(CATALOGUE[code].status, code);
    this.#connection.stopReading();
    this.#connection.sendClosing(closingRefusal(this.#refusalReply(code, detail), !this.#isHead));
    this.#finish();
  }

  #refusalReply(code: ErrorCode, detail: string | undefined): RefusalReply {
    const limits = this.#rateHeaders();
    const retry =
      code === 'rate_limited' && this.#bucket
        ? [...limits, 'Retry-After', String(this.#bucket.secondsUntilNext())]
        : limits;
    return refusalReply(code, this.#id, [...retry, ...this.#cors], detail);
  }

  get #isHead(): boolean {
    return this.#req.method === 'HEAD';
  }

  #rateHeaders(): readonly string[] {
    const bucket = this.#bucket;
    if (!bucket) return NO_HEADERS;
    return ['RateLimit-Policy', bucket.policy, 'RateLimit', bucket.state(performance.now())];
  }

  /** Once for each request: a preflight and an incomplete body are not calls. `code`: of the gateway's own response. */
  #count(status: number, code: ErrorCode | null): void {
    if (this.#counted) return;
    this.#counted = true;
    const { traffic } = this.#edge;
    const route = this.#route?.traffic;
    if (route === undefined) return traffic.unrouted();
    const key = this.#key?.traffic ?? null;
    const method = this.#req.method ?? '';
    if (code !== null && !this.#ran) return traffic.refused(route, key, this.#ip, method, status, code);
    traffic.ran(route, key, this.#ip, method, this.#startedMs, status);
    if (code !== null && status < 500) traffic.refusedRun(route, key, code);
  }

  // ── Rows ──────────────────────────────────────────────────────────────────────────────────────────────────────

  get #liveRoute(): LiveRoute {
    if (!this.#route) throw new Error('no route was matched yet');
    return this.#route;
  }

  get #shownKey(): HeldKey | null {
    return this.#key ?? this.#refusedKey;
  }

  get #durationMs(): number {
    return Math.round((performance.now() - this.#startedMs) * 1000) / 1000;
  }

  #rowFields(): AuditRow {
    const row: AuditRow = {
      time: timeText(),
      type: 'refusal',
      requestId: this.#id,
      ip: this.#ip,
      method: this.#req.method ?? '',
      path: maskKeysInPath(this.#path),
      durationMs: this.#durationMs,
    };
    if (this.#head.clientRequestId !== '') row.clientRequestId = maskKeys(this.#head.clientRequestId);
    if (this.#reader) row.bytesIn = this.#reader.received;
    const route = this.#route ?? this.#near;
    if (route) Object.assign(row, { project: route.project, pipeline: route.pipeline, route: route.pattern.source });
    const key = this.#shownKey;
    if (key) Object.assign(row, { keyId: key.id, keyName: key.name });
    return row;
  }

  #usedFields(key: HeldKey): RequestFields {
    const { rowPrefix } = this.#liveRoute;
    const { clientRequestId } = this.#head;
    return requestFields(rowPrefix, key, this.#id, clientRequestId, this.#req.method ?? '', this.#path, this.#ip);
  }

  #finish(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#leaveFlight();
    this.#reader?.release();
    if (this.#tell) this.#queuedIn?.remove(this.#tell);
    const owner = this.#route?.owner;
    if (owner) {
      owner.claims -= 1;
      if (owner.claims === 0) owner.onIdle?.();
    }
    this.#connection.served();
  }
}

/** Also sent to the caller, so only for faults that reveal nothing about the gateway's settings. */
function badRequest(fault: RequestFault, header = ''): RefusalReason {
  const compared = header === '' ? {} : { header: clip(header) };
  return { code: 'bad_request', step: 0, cause: fault, compared, detail: faultDetail('bad_request', fault) };
}

/** The catalogue has the code of each cause and the values in its row. */
function finding<C extends RefusalCause>(
  code: CodeOf<C>,
  step: number,
  cause: C,
  ...[compared]: object extends Compared<C> ? [compared?: Compared<C>] : [compared: Compared<C>]
): RefusalReason {
  return { code, step, cause, compared: compared ?? {} };
}

/** Characters of a caller's text in the comparison of a refusal. */
const COMPARED_CHARS_MAX = 200;

/** A text from outside in the form for the comparison of a refusal. */
function clip(text: string): string {
  return clipText(maskKeysInPath(text), COMPARED_CHARS_MAX);
}

/** The fault of the value, in ASCII. Parameters are named; the author's tag paths are not revealed. */
function valueFault({ nodeCode, cause }: Extract<RunResult, { kind: 'failed' }>): string {
  if (nodeCode === 'tag_path_invalid') return 'expected a value that makes a tag path, without "*"';
  return clip(cause).replace(/[^\x20-\x7e]/g, '?');
}
