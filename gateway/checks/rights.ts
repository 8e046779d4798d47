import { missingScopes, scopeNames } from '#common/scopes.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 5: the key's addresses, project and scopes. */
export function checkRights(context: RequestContext): RefusalReason | null {
  const { key } = context;
  if (!key) return null;
  const elsewhere = checkKeyAddress(context, 5);
  if (elsewhere) return elsewhere;
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

/** The addresses from which the key may be used. Checked after its value, so that only its holder learns of them. */
export function checkKeyAddress({ key, ip }: RequestContext, step: number): RefusalReason | null {
  if (!key?.addresses || key.addresses.has(ip)) return null;
  const addresses = comparedText(key.shownAddresses) || 'no address';
  return refusalReason(step, 'address_not_allowed', { ip, addresses });
}
