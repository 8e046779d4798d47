import { isOwnOrigin, originAllowed } from '../gates/origin.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 3: the origins that may call the route (docs/spec/routes.md#cors). */
export function checkOrigin(context: RequestContext): RefusalReason | null {
  const { origin, host } = context.head;
  if (origin === '') return null;
  const { cors, entry } = context.liveRoute;
  if (originAllowed(cors, origin)) return null;
  const { connection, gateway } = context;
  // A preflight is answered wherever CORS is on: without CORS headers, the browser blocks the call itself.
  if (context.isPreflight ? cors.enabled : isOwnOrigin(origin, connection.scheme, host, gateway.ownNames)) return null;
  const allowedOrigins = cors.enabled ? comparedText(entry.settings.allowedOrigins.join(', ')) : 'CORS is off';
  return refusalReason(3, 'origin_not_allowed', { origin: comparedText(origin), allowedOrigins });
}
