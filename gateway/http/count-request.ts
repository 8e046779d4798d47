import { CATALOGUE, type ErrorCode } from '#common/errors/catalogue.ts';
import type { Reply } from '#common/model/message.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Counts a request for the traffic figures, once: preflights and incomplete bodies do not count as calls. `code`: of
 * the gateway's own response.
 */
export function countRequest(context: RequestContext, status: number, code: ErrorCode | null): void {
  if (context.counted) return;
  context.counted = true;
  const { traffic } = context.gateway;
  const route = context.route?.traffic;
  if (route === undefined) return traffic.unrouted();
  const key = context.key?.traffic ?? null;
  const { method } = context;
  if (code !== null && !context.ran) return traffic.refused(route, key, context.ip, method, status, code);
  traffic.ran(route, key, context.ip, method, context.startedMs, status);
  if (context.undelivered && status < 500) route.undelivered += 1;
  if (code !== null && status < 500) traffic.refusedRun(route, key, code);
}

export function countRefusal(context: RequestContext, code: ErrorCode): void {
  const { status } = CATALOGUE[code];
  if (context.route) {
    context.route.stats.refused += 1;
    if (status >= 500) context.route.stats.errors += 1;
  }
  countRequest(context, status, code);
}

/** Errors in the figures of its route. The call itself is counted when the reply is sent. */
export function countErrors({ liveRoute, gateway }: RequestContext, { status, errorWith200 }: Reply): void {
  const { stats, owner } = liveRoute;
  if (status >= 500) stats.errors += 1;
  if (!errorWith200) return;
  stats.errorsWith200 += 1;
  gateway.onErrorWith200(owner.compiled);
}
