import type { ErrorCode, ProblemMembers } from '#common/errors/catalogue.ts';
import { closingRefusal, refusalReply, type RefusalReply } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

const NO_HEADERS: readonly string[] = [];

export function hasNoBody({ isHead }: RequestContext, status: number): boolean {
  return isHead || status === 204 || status === 304;
}

/** The state of the rate limit as header lines. */
export function rateHeaders({ bucket }: RequestContext): readonly string[] {
  if (!bucket) return NO_HEADERS;
  return ['RateLimit-Policy', bucket.policy, 'RateLimit', bucket.state(performance.now())];
}

export function requestRefusal(
  context: RequestContext,
  code: ErrorCode,
  detail?: string,
  members?: ProblemMembers,
): RefusalReply {
  const limits = rateHeaders(context);
  const retry =
    code === 'rate_limited' && context.bucket
      ? [...limits, 'Retry-After', String(context.bucket.secondsUntilNext())]
      : limits;
  return refusalReply(code, context.id, [...retry, ...context.cors], detail, members);
}

/** Writes a reply as usual with node:http. `finished` is called when the socket has accepted it. */
export function writeReply(
  context: RequestContext,
  status: number,
  headers: string[],
  body: string | Uint8Array | null,
  finished: () => void,
): void {
  const { connection, res } = context;
  if (connection.lastReply) headers.push('Connection', 'close');
  res.writeHead(status, headers);
  if (body === null || hasNoBody(context, status)) res.end(finished);
  else res.end(body, finished);
  connection.holdReply();
}

/** Writes a refusal to the socket and ends the connection. */
export function sendClosingRefusal({ connection, isHead }: RequestContext, reply: RefusalReply): void {
  connection.sendClosing(closingRefusal(reply, !isHead));
}
