import type { BodyEnd, BodyReader } from '../http/body-reader.ts';
import { type BodyFault, codingAccepted } from '../http/decode-body.ts';
import { faultDetail } from '../http/problem-reply.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';
import { lacksMemory, withoutShare } from '../http/request-shares.ts';
import { checkHeap } from './capacity.ts';

/**
 * Step 7: checks the head alone. A declared body that is too large is refused here only if its caller waits for the
 * response; the rest is read and discarded, so that the caller can read the 413.
 */
export function checkDeclaredBody(context: RequestContext): RefusalReason | null {
  const { contentLength, contentEncoding } = context.head;
  if (contentLength > context.liveRoute.maxBodyBytes)
    return context.waitsForContinue ? tooLarge(context, 7, contentLength) : null;
  if (!codingAccepted(contentEncoding)) {
    const compared = { contentEncoding: comparedText(contentEncoding) };
    return refusalReason(8, 'content_coding', compared);
  }
  return !context.isSmall && lacksMemory(context) ? withoutShare(context, 'parsed', 7) : null;
}

/** Steps 7 and 8: the reason for refusing a body that ended early. */
export function unreadBody(
  context: RequestContext,
  end: Exclude<BodyEnd, 'complete' | 'gone'>,
  { received }: Pick<BodyReader, 'received'>,
): RefusalReason {
  switch (end) {
    case 'too_large': {
      const { contentLength } = context.head;
      return tooLarge(context, contentLength === 0 ? 8 : 7, Math.max(contentLength, received));
    }
    case 'too_slow':
      return refusalReason(8, 'body_too_slow', { receivedBytes: received });
    case 'overloaded':
      return withoutShare(context, 'bodies', 8);
    case 'no_memory':
      return withoutShare(context, 'parsed', 8);
    case 'trailers':
      return refusalReason(8, 'trailers');
  }
}

/** Step 8: the reason for refusing a complete body. */
export function invalidBody(context: RequestContext, fault: BodyFault): RefusalReason {
  if (fault.code === 'overloaded')
    return checkHeap(context, 8, performance.now()) ?? withoutShare(context, 'parsed', 8);
  const { code, cause, at } = fault;
  const compared = { contentType: comparedText(context.head.contentType), ...(at === undefined ? {} : { at }) };
  const reason: RefusalReason = { code, step: 8, cause, compared };
  if (code !== 'body_invalid') return reason;
  return { ...reason, detail: faultDetail(code, at === undefined ? cause : `${cause}, from ${at} on`) };
}

function tooLarge({ liveRoute }: RequestContext, step: number, bodyBytes: number): RefusalReason {
  const compared = { bodyBytes, maxPayloadSize: liveRoute.maxBodyBytes };
  return refusalReason(step, 'payload_too_large', compared);
}
