import type { HeldKey } from '../gates/keys.ts';
import type { TokenBucket } from '../gates/token-bucket.ts';
import { type RequestFields, timeText } from '../journal/rows.ts';
import type { Holder } from '../net/shares.ts';
import type { LiveRoute } from '../routing/live-route.ts';
import type { NearRoute } from '../routing/table.ts';
import type { BodyReader } from './body-reader.ts';
import type { ExchangeConnection, ExchangeRequest, ExchangeResponse } from './caller.ts';
import { type Head, readHead } from './framing.ts';
import type { GatewayContext } from './gateway-context.ts';
import { SMALL_BODY_BYTES } from './limits.ts';
import type { Query } from './target.ts';

const NONE: readonly string[] = [];

/**
 * One request with the results of its steps. The checks (checks/) are functions of it, so that a test can call them
 * without a socket. `Exchange` extends it instead of holding it, which saves an object for each request.
 */
export class RequestContext {
  readonly gateway: GatewayContext;
  readonly connection: ExchangeConnection;
  readonly req: ExchangeRequest;
  readonly res: ExchangeResponse;
  readonly waitsForContinue: boolean;
  readonly id: string;
  /** `performance.now()`. */
  readonly startedMs = performance.now();
  readonly receivedAt = timeText();
  readonly head: Head;
  path = '';
  query: Query | null = null;
  ip = '';
  /** Counted in the `claims` of its owner until the request is finished. */
  route: LiveRoute | null = null;
  /** The path parameters, not decoded. */
  values: readonly string[] = NONE;
  key: HeldKey | null = null;
  /** The key that was presented and refused: named in rows, and gives no rights. */
  refusedKey: HeldKey | null = null;
  /** The nearest route, for the journal row of a 404. */
  near: NearRoute | null = null;
  bucket: TokenBucket | null = null;
  /** Header lines of the response: names and values alternate. */
  cors: readonly string[] = NONE;
  reader: BodyReader | null = null;
  body: unknown = null;
  ran = false;
  /** Its event was queued or became a dead letter before the reply. */
  undelivered = false;
  /** The writes of its run that were simulated before the reply; null: writes are performed. */
  rehearsed: number | null = null;
  /** The fields of the row of use, once it is written. */
  used: RequestFields | null = null;
  /** Whether it was counted in the traffic figures. */
  counted = false;

  // Changed by request-shares.ts only.
  inFlight = false;
  /** Null until it is known, and if the request has none. */
  holder: Holder | null = null;
  holdsRequest = false;
  holdsRun = false;
  /** Estimated memory of the decoded body. */
  parsedBytes = 0;

  constructor(
    gateway: GatewayContext,
    connection: ExchangeConnection,
    req: ExchangeRequest,
    res: ExchangeResponse,
    waitsForContinue: boolean,
  ) {
    this.gateway = gateway;
    this.connection = connection;
    this.req = req;
    this.res = res;
    this.waitsForContinue = waitsForContinue;
    this.id = gateway.ids.next();
    this.head = readHead(req);
  }

  /** For the steps after the one that finds the route. */
  get liveRoute(): LiveRoute {
    if (!this.route) throw new Error('no route was matched yet');
    return this.route;
  }

  get method(): string {
    return this.req.method ?? '';
  }

  get isHead(): boolean {
    return this.req.method === 'HEAD';
  }

  get isPreflight(): boolean {
    return this.req.method === 'OPTIONS' && this.head.origin !== '' && this.head.asksMethod !== '';
  }

  /** A request that arrives in one read, or nearly so. */
  get isSmall(): boolean {
    const { chunked, contentLength } = this.head;
    return !chunked && contentLength <= SMALL_BODY_BYTES && !this.waitsForContinue;
  }

  get shownKey(): HeldKey | null {
    return this.key ?? this.refusedKey;
  }

  get durationMs(): number {
    return Math.round((performance.now() - this.startedMs) * 1000) / 1000;
  }
}
