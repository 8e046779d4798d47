import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 2: the addresses that may call the route. */
export function checkAddress({ liveRoute, ip }: RequestContext): RefusalReason | null {
  const { allowed } = liveRoute;
  if (allowed === null || allowed.has(ip)) return null;
  const allowedIps = comparedText((liveRoute.entry.settings.allowedIps ?? []).join(', '));
  return refusalReason(2, 'ip_not_allowed', { ip, allowedIps });
}
