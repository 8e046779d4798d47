import type { KeyPlace } from '../gates/key-watch.ts';
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
    if (verdict.honey) context.gateway.keyWatch.honey(verdict.honey, placeOf(context));
    context.refusedKey = verdict.key;
    return refusalReason(4, verdict.cause, { keyId: verdict.key?.id ?? null });
  }
  context.key = verdict.key;
  context.connection.keyed = true;
  const { scheme, peer } = context.connection;
  context.gateway.keyWatch.used(verdict.key, scheme === 'http' && peer === context.ip, context);
  return null;
}

/** Copied: the request is not kept until it is reported. */
function placeOf({ ip, method, path }: RequestContext): KeyPlace {
  return { ip, method, path };
}

/** Keys at places where others can read them (docs/spec/keys.md#exposed-keys): in the query or in Authorization. */
export function watchHead(context: RequestContext): void {
  const { gateway, head, req } = context;
  const url = req.url ?? '';
  const query = url.indexOf('?');
  if (query !== -1) gateway.keyWatch.inText(gateway.keys, url.slice(query), 'query', context);
  if (head.authorization !== '') gateway.keyWatch.inAuthorization(gateway.keys, head.authorization, context);
}
