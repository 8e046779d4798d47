import { missingScopes, scopeNames } from '#common/scopes.ts';
import { refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 5: the key's project and scopes. */
export function checkRights(context: RequestContext): RefusalReason | null {
  const { key } = context;
  if (!key) return null;
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
