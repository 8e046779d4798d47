import { sourceNetwork } from '#common/cidr.ts';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import { missingScopes, scopeNames } from '#common/scopes.ts';
import { checkKeyUse } from '../checks/rights.ts';
import { verifyKey } from '../checks/key.ts';
import type { HeldKey } from '../gates/keys.ts';
import type { LiveRoute } from '../routing/live-route.ts';
import { closingRefusal } from './refusal.ts';
import { rateHeaders } from './deliver-reply.ts';
import { asciiJson } from './problem-reply.ts';
import { comparedText, refusalReason, type RefusalReason } from './refusal-reason.ts';
import type { RequestContext } from './request-context.ts';

const SELF_SERVICE_PATH = '/.well-known/sluice';
/** Calls a second and at once: of one key, and of one network with failed keys. */
export const SELF_SERVICE_RATE = 1;
export const SELF_SERVICE_BURST = 9;
/** Routes in one answer. */
export const ROUTES_SHOWN_MAX = 500;

/**
 * Whether the request asks for the access of its own key (docs/spec/keys.md#self-service). A running route with the
 * same path takes precedence, as with health checks.
 */
export function asksForOwnAccess({ path, method, gateway }: RequestContext): boolean {
  if (path !== SELF_SERVICE_PATH || (method !== 'GET' && method !== 'HEAD')) return false;
  return gateway.settings.keySelfService === 'on' && gateway.table.find(method, path) === null;
}

/** Steps 4 to 6. A key that fails too often is asked to wait instead, as on a route with a rate limit. */
export function checkOwnAccess(context: RequestContext): RefusalReason | null {
  const denied = verifyKey(context) ?? (context.key && checkKeyUse(context, context.key, 5));
  const who = denied || context.key === null ? sourceNetwork(context.ip) : context.key.id;
  return checkSelfServiceRate(context, who) ?? denied;
}

function checkSelfServiceRate(context: RequestContext, who: string): RefusalReason | null {
  const nowMs = performance.now();
  const rate = SELF_SERVICE_RATE;
  const burst = SELF_SERVICE_BURST;
  const bucket = context.gateway.sourceBuckets.named(`${who} ${SELF_SERVICE_PATH}`, rate, burst, nowMs);
  context.bucket = bucket;
  return bucket.take(nowMs) ? null : refusalReason(6, 'rate_limited', { rate, burst });
}

/** The access of the key itself and nothing of others, as JSON in ASCII. */
export function ownAccess(context: RequestContext, key: HeldKey): string {
  const { gateway, ip } = context;
  const routes = [...gateway.table.routes.values()].filter((route) => mayCall(route, key, ip));
  const nowMs = performance.now();
  const access = {
    time: new Date().toISOString(),
    key: { id: key.id, name: key.name, scopes: scopeNames(key.scopes), limits: key.given },
    timeZone: gateway.clock.zone,
    routes: routes.slice(0, ROUTES_SHOWN_MAX).map((route) => routeFacts(route, nowMs)),
    moreRoutes: Math.max(0, routes.length - ROUTES_SHOWN_MAX),
    refusals: gateway.recentRefusals.of(key.id),
    certificate: gateway.certificateEnd === null ? null : { endsAt: gateway.certificateEnd },
  };
  return asciiJson(JSON.stringify(access));
}

function mayCall({ keyed, project, requiredScopes, allowed }: LiveRoute, key: HeldKey, ip: string): boolean {
  if (!keyed || project !== key.project || missingScopes(requiredScopes, key.scopes) !== 0) return false;
  return allowed === null || allowed.has(ip);
}

function routeFacts(route: LiveRoute, nowMs: number): object {
  const { method, pattern, requiredScopes, maxBodyBytes, timeoutMs, bucket } = route;
  return {
    method,
    path: pattern.source,
    scopes: scopeNames(requiredScopes),
    maxBodyBytes,
    timeoutSeconds: timeoutMs / 1000,
    rate: bucket === null ? null : { perSecond: bucket.rate, atOnce: bucket.capacity, left: bucket.left(nowMs) },
  };
}

/** The response closes its connection. `body`: ASCII. */
export function selfServiceAnswer(context: RequestContext, body: string): string {
  const { id, isHead } = context;
  const fixed = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'X-Request-Id', id];
  return closingRefusal({ status: 200, lines: [...fixed, ...rateHeaders(context)], body }, !isHead);
}

/** For the holder of the key, with the text that was sent. */
export function rememberRefusal(context: RequestContext, key: HeldKey, reason: RefusalReason, time: string): void {
  const { code, cause, detail } = reason;
  const declared: { status: number; title: string; detail?: string } = CATALOGUE[code];
  context.gateway.recentRefusals.add(key.id, {
    time,
    requestId: context.id,
    method: comparedText(context.method),
    path: comparedText(context.path),
    status: declared.status,
    code,
    cause,
    detail: detail ?? declared.detail ?? declared.title,
  });
}
