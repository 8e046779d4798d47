import { refusalReason, type RefusalReason } from '../http/refusal-reason.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Step 6: the route's rate limit. */
export function checkRate(context: RequestContext): RefusalReason | null {
  const { bucket, rate, burst } = context.liveRoute;
  if (!bucket) return null;
  context.bucket = bucket;
  return bucket.take(performance.now()) ? null : refusalReason(6, 'rate_limited', { rate, burst });
}

/** After a refusal of steps 4 or 5: a source that fails too often on a limited route is asked to wait instead. */
export function checkFailedKeys(context: RequestContext): RefusalReason | null {
  const { id, rate, burst } = context.liveRoute;
  if (rate === 0) return null;
  const nowMs = performance.now();
  const bucket = context.gateway.sourceBuckets.bucket(id, context.ip, rate, burst, nowMs);
  if (bucket.take(nowMs)) return null;
  context.bucket = bucket;
  return refusalReason(6, 'too_many_failed_keys', { rate, burst });
}
