import { missingScopes, scopeNames } from '#common/scopes.ts';
import type { PlantClock } from '#common/limits/plant-clock.ts';
import type { HeldKey } from '../gates/keys.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 5: whether the key may be used now and from here, its project and scopes. */
export function checkRights(context: RequestContext): RefusalReason | null {
  const { key } = context;
  if (!key) return null;
  const unusable = checkKeyUse(context, key, 5);
  if (unusable) return unusable;
  const { project, requiredScopes } = context.liveRoute;
  if (key.project !== project) {
    const compared = { keyProject: key.project, routeProject: project };
    return refusalReason(5, 'key_wrong_project', compared);
  }
  const missing = missingScopes(requiredScopes, key.scopes);
  if (missing === 0) return null;
  const names = scopeNames(missing).join(', ');
  const required = scopeNames(requiredScopes).join(', ');
  const held = scopeNames(key.scopes).join(', ');
  const reason = refusalReason(5, 'scope_missing', { missing: names, required, held });
  return { ...reason, detail: `The API key lacks: ${names}.` };
}

/** Whether the key may be used now and from this address. Checked after its value: only its holder learns of it. */
export function checkKeyUse({ ip, gateway }: RequestContext, key: HeldKey, step: number): RefusalReason | null {
  return checkPaused(key, step) ?? checkTime(key, gateway.clock, step) ?? checkKeyAddress(key, ip, step);
}

function checkPaused({ paused }: HeldKey, step: number): RefusalReason | null {
  if (paused === null) return null;
  const reason = refusalReason(step, 'key_paused', { reason: comparedText(paused) });
  return { ...reason, detail: 'This API key is paused.' };
}

function checkTime({ hours, untilMs, given }: HeldKey, clock: PlantClock, step: number): RefusalReason | null {
  if (hours === null && untilMs === Infinity) return null;
  const nowMs = Date.now();
  if (nowMs >= untilMs) {
    const until = new Date(untilMs).toISOString();
    return { ...refusalReason(step, 'key_ended', { until }), detail: `This API key ended at ${until}.` };
  }
  if (hours === null || hours.has(clock.weekMinute(nowMs))) return null;
  const { zone } = clock;
  const shown = comparedText(given.hours?.join(', ') ?? '') || 'at no time';
  const reason = refusalReason(step, 'outside_hours', { hours: shown, zone });
  return { ...reason, detail: `This API key may be used only: ${shown} (${zone}).` };
}

function checkKeyAddress(key: HeldKey, ip: string, step: number): RefusalReason | null {
  if (!key.addresses || key.addresses.has(ip)) return null;
  const addresses = comparedText(key.given.addresses?.join(', ') ?? '') || 'no address';
  return refusalReason(step, 'address_not_allowed', { ip, addresses });
}
