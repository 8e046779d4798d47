import { corsHeaders, originAllowed } from '../gates/origin.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Miss } from '../routing/table.ts';

/** Step 1: finds the route and claims it. From here on, responses carry its CORS headers. */
export function findRoute(context: RequestContext): RefusalReason | null {
  const method = context.isPreflight ? context.head.asksMethod : context.method;
  const { table } = context.gateway;
  const match = context.req.url === '*' ? null : table.find(method, context.path);
  if (!match) return missed(context, table.missOf(method, context.path), method);
  const { route } = match;
  context.route = route;
  context.values = match.values;
  route.owner.claims += 1;
  route.stats.calls += 1;
  const { origin } = context.head;
  if (origin !== '' && originAllowed(route.cors, origin)) context.cors = corsHeaders(route.cors, origin);
  return null;
}

function missed(context: RequestContext, { cause, near, accepted }: Miss, method: string): RefusalReason {
  context.near = near;
  return refusalReason(1, cause, {
    method: comparedText(method),
    path: comparedText(context.path),
    ...(near && { project: near.project, pipeline: near.pipeline, urlPattern: near.pattern.source }),
    ...(accepted.length > 0 && { accepted: accepted.join(', ') }),
  });
}
