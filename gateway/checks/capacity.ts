import { likelyHeapHolder } from '../http/callers-shares.ts';
import { QUEUE_MS_MAX, REQUESTS_IN_FLIGHT_MAX } from '../http/limits.ts';
import { comparedText, refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 0: the limits of the whole gateway. */
export function checkCapacity(context: RequestContext): RefusalReason | null {
  const tooMany = checkInFlight(context, 0);
  if (tooMany) return tooMany;
  const { pressure } = context.gateway;
  if (!context.connection.followsOn && !pressure.takes(context.startedMs))
    return refusalReason(0, 'queue_full', { limitMs: QUEUE_MS_MAX });
  return checkHeap(context, 0, context.startedMs);
}

export function checkInFlight({ gateway }: RequestContext, step: number): RefusalReason | null {
  if (gateway.inFlight <= REQUESTS_IN_FLIGHT_MAX) return null;
  return refusalReason(step, 'requests_in_flight', { limit: REQUESTS_IN_FLIGHT_MAX });
}

export function checkHeap({ gateway }: RequestContext, step: number, nowMs: number): RefusalReason | null {
  if (!gateway.heap.full(nowMs)) return null;
  const holder = likelyHeapHolder(gateway.shares);
  if (holder === null) return refusalReason(step, 'heap_full');
  gateway.onHeapFull(holder);
  const compared = { holder: comparedText(holder.name), holderProject: holder.project };
  return refusalReason(step, 'heap_full', compared);
}
