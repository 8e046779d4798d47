import type { RequestFault } from '#common/errors/request-faults.ts';
import { sourceAddress } from '../gates/address.ts';
import { TARGET_BYTES_MAX } from '../http/limits.ts';
import { faultDetail } from '../http/problem-reply.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';
import { decodeForm, escapesAreValid } from '../http/target.ts';

/** Step 0: strict HTTP (docs/spec/requests.md#strict-http). Determines the address, the path and the query. */
export function checkHttp(context: RequestContext): RefusalReason | null {
  const { head, gateway } = context;
  const { peer } = context.connection;
  // Caller and route first: the journal names them in every refusal.
  const ip = sourceAddress(peer, head.forwardedFor, gateway.trustedProxies);
  context.ip = ip ?? peer;
  const target = context.req.url ?? '/';
  const mark = target.indexOf('?');
  context.path = (mark < 0 ? target : target.slice(0, mark)).slice(0, TARGET_BYTES_MAX);
  if (head.tooLarge) return refusalReason(0, 'headers_too_large', { bytes: head.bytes, lines: head.lines });
  if (head.fault !== '') return badRequest(head.fault, head.faulty);
  if (!escapesAreValid(context.path)) return badRequest('the path has a malformed escape');
  const query = decodeForm(mark < 0 ? '' : target.slice(mark + 1));
  if (typeof query === 'string') return badRequest(`the query has ${query}`);
  context.query = query;
  return ip === null ? badRequest('X-Forwarded-For is not a list of addresses') : null;
}

/** Also sent to the caller, so only for faults that reveal nothing about the gateway's settings. */
function badRequest(fault: RequestFault, header = ''): RefusalReason {
  const compared = header === '' ? {} : { header: comparedText(header) };
  return { code: 'bad_request', step: 0, cause: fault, compared, detail: faultDetail('bad_request', fault) };
}
