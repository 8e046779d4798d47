import type { Message } from '#common/model/message.ts';
import { CallerPrincipal, onBehalf, type Principal } from '../capabilities/principal.ts';
import { requestPayload } from './payload.ts';
import type { RequestContext } from './request-context.ts';
import type { Query } from './target.ts';

/** The message with which the run of a request starts (docs/spec/requests.md#message). */
export function requestMessage(context: RequestContext): Message {
  const { liveRoute: route, body } = context;
  const payload = requestPayload(context.req.rawHeaders, route, context.values, context.query as Query, body);
  const request = {
    id: context.id,
    method: context.method,
    path: context.path,
    route: route.pattern.source,
    ip: context.ip,
    receivedAt: context.receivedAt,
  };
  return { payload, request, caller: context.key?.caller ?? null };
}

/** The rights of the run (docs/spec/capabilities.md#rights-of-a-run). */
export function runPrincipal({ liveRoute, key, ip }: RequestContext): Principal {
  const { grants, runAs } = liveRoute.owner.compiled;
  if (key === null) return grants;
  const caller = new CallerPrincipal(key, ip, grants.rehearsal);
  return runAs === 'caller' ? caller : onBehalf(caller, grants);
}
