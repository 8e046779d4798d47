import { refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 4: the API key of a keyed route. */
export function checkKey(context: RequestContext): RefusalReason | null {
  return context.liveRoute.keyed ? verifyKey(context) : null;
}

export function verifyKey(context: RequestContext): RefusalReason | null {
  const { apiKeys, apiKey } = context.head;
  if (apiKeys === 0) return refusalReason(4, 'key_missing');
  if (apiKeys > 1) return refusalReason(4, 'key_repeated', { headers: apiKeys });
  const verdict = context.gateway.keys.verify(apiKey);
  if (!verdict.ok) {
    context.refusedKey = verdict.key;
    return refusalReason(4, verdict.cause, { keyId: verdict.key?.id ?? null });
  }
  context.key = verdict.key;
  context.connection.keyed = true;
  return null;
}
