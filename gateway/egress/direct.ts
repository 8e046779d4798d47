import { randomUUID } from 'node:crypto';
import axiosRetry from 'axios-retry';
import { type EgressCall, type EgressEndpoint, type EgressLine, type EgressOutcome, NodeError } from '#sdk';
import { decodeAnswer, encodeBody, type EncodedBody } from './body.ts';
import { CallShares } from './call-shares.ts';
import { type CallEnd, CircuitBreaker } from './circuit-breaker.ts';
import { CallLimit } from './http/call-limit.ts';
import { lateText } from './http/client.ts';
import type { HttpCall, HttpClientSettings } from './http/contract.ts';
import { failureOf } from '#net/call-failure.ts';
import { type Axios, loadAxios } from './http/load-axios.ts';
import type { Edge } from './http/routes.ts';
import type { Answer } from './http/exchange.ts';
import { Sender } from './http/sender.ts';
import { secureContext } from './http/tls-context.ts';
import { isRepeatable, RetryPlan } from './retry-plan.ts';

/**
 * Calls that are not stored (`storeAndForward: false`): sent immediately by axios with axios-retry. The node evaluates
 * any response; only a call without one fails. POST and PATCH are sent once and never on a reused connection, which the
 * target may be closing; other methods may be (0008-egress-http-client.md).
 *
 * Limits: CALLS_MAX at once, shared fairly (call-shares.ts); one at a time from a node whose target does not respond
 * (circuit-breaker.ts); all attempts of a call (retry-plan.ts) within its timeout; other limits in client.ts.
 */
/** Codes of unanswered calls. */
const UNANSWERED: ReadonlySet<string> = new Set(['target_timeout', 'target_unreachable']);

export interface Direct {
  /** For a node of `project`. Throws NodeError `tls_invalid`. */
  open(endpoint: EgressEndpoint, project: string): Promise<EgressLine>;
  configure(settings: HttpClientSettings): void;
  close(): void;
}

/** `shares`: those of all direct calls. */
export function openDirect(settings: HttpClientSettings, edge?: Edge, shares = new CallShares()): Direct {
  const sender = new Sender(settings, edge);
  let loaded: Promise<Axios> | undefined;
  return {
    async open(endpoint, project) {
      if (endpoint.tls !== null) secureContext(endpoint.tls);
      loaded ??= loadRetryingAxios();
      const axios = await loaded;
      const { origin } = endpoint;
      const breaker = new CircuitBreaker(origin);
      return {
        async send(call, signal) {
          const http = httpCall({ endpoint, project }, call, await encodeBody(call.body, signal));
          const leave = shares.enter({ project, caller: call.caller, origin });
          try {
            const end = breaker.enter();
            return await judged(send(sender, axios, http, signal), end);
          } finally {
            leave();
          }
        },
        close: () => undefined,
      };
    },
    configure: (next) => sender.configure(next),
    close: () => sender.close(),
  };
}

async function judged(call: Promise<EgressOutcome>, end: (end: CallEnd) => void): Promise<EgressOutcome> {
  try {
    const outcome = await call;
    end({ kind: 'answered' });
    return outcome;
  } catch (error) {
    end(endOf(error));
    throw error;
  }
}

function endOf(error: unknown): CallEnd {
  if (!(error instanceof NodeError)) return { kind: 'ended' };
  if (error.code === 'answer_too_large') return { kind: 'answered' };
  if (!UNANSWERED.has(error.code)) return { kind: 'ended' };
  return { kind: 'unanswered', reason: error.message.replace(/^\S+: /, '') };
}

async function loadRetryingAxios(): Promise<Axios> {
  const axios = await loadAxios();
  axiosRetry(axios.instance, { retries: 0 });
  return axios;
}

async function send(sender: Sender, axios: Axios, call: HttpCall, signal: AbortSignal): Promise<EgressOutcome> {
  signal.throwIfAborted();
  const limit = new CallLimit(call.timeoutMs, signal, sender.closing);
  const plan = new RetryPlan(call.method, limit);
  try {
    return outcome(call, await sender.sendBy(axios, call, limit, plan.options));
  } catch (error) {
    if (error instanceof NodeError) throw error;
    signal.throwIfAborted();
    const answer = plan.answerAfter(error);
    if (answer !== null) return outcome(call, answer);
    throw failed(call, limit, error);
  } finally {
    limit.dispose();
  }
}

function outcome({ origin }: HttpCall, { status, headers, body }: Answer): EgressOutcome {
  if (body === null) throw new NodeError('answer_too_large', `${origin}: the answer is too large`);
  return { kind: 'answered', status, headers, body: decodeAnswer(body, headers['content-type'] ?? '') };
}

function failed({ origin, timeoutMs }: HttpCall, limit: CallLimit, error: unknown): NodeError {
  const over = limit.refusal === null ? limit.over : null;
  if (over === 'timeout') return new NodeError('target_timeout', `${origin}: ${lateText(timeoutMs)}`);
  if (over === 'cancelled') return new NodeError('target_unreachable', `${origin}: the gateway is closing`);
  const { kind, text } = failureOf(limit.refusal ?? error);
  if (kind === 'refused') return new NodeError('target_refused', text);
  return new NodeError('target_unreachable', `${origin}: ${text}`);
}

/** Every try of a call carries the same key, so that a target can tell a repetition from a new call. */
function httpCall(
  { endpoint, project }: { endpoint: EgressEndpoint; project: string },
  { path, traceparent }: EgressCall,
  { bytes, contentType }: EncodedBody,
): HttpCall {
  const { origin, method, tls, timeoutSeconds } = endpoint;
  const hasType = Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'content-type');
  const headers = {
    ...(contentType !== null && !hasType && { 'Content-Type': contentType }),
    ...endpoint.headers,
    'Idempotency-Key': randomUUID(),
    ...(traceparent !== null && { traceparent }),
  };
  return {
    origin,
    method,
    path,
    headers,
    body: bytes,
    timeoutMs: timeoutSeconds * 1000,
    tls,
    repeatable: isRepeatable(method),
    pool: project,
  };
}
