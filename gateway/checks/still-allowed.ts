import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';
import { checkKeyUse } from './rights.ts';

/**
 * Step 9, again before the run: if the key was revoked, paused or limited or the route was stopped after the head arrived, the
 * run does not begin.
 */
export function checkStillAllowed(context: RequestContext): RefusalReason | null {
  if (context.liveRoute.owner.stopped) {
    const compared = { method: context.method, path: comparedText(context.path) };
    return refusalReason(9, 'pipeline_stopped', compared);
  }
  const { key, gateway } = context;
  if (!key) return null;
  if (key.revoked) return refusalReason(9, 'key_revoked', { keyId: key.id });
  if (gateway.keys.refuseAll) return refusalReason(9, 'keys_unconfirmed', { keyId: key.id });
  if (gateway.keys.refuseFleet && key.ofFleet) return refusalReason(9, 'fleet_returning', { keyId: key.id });
  return checkKeyUse(context, key, 9);
}
