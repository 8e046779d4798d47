import type { RefusalCause } from '#common/errors/refusals.ts';
import type { Holder } from '../net/shares.ts';
import { type CallerCap, unkeyedHolder } from './callers-shares.ts';
import { OVERLOADED_RETRY_SECONDS } from './limits.ts';
import { refusalReason, type RefusalReason } from './refusal-reason.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Takes the shares of one request in the limits of all callers, and returns them (docs/spec/requests.md#shares). A share
 * is returned once, however often its function is called.
 */

const SHARE_CAUSES = {
  requests: 'share_of_requests',
  runs: 'share_of_runs',
  bodies: 'share_of_bodies',
  parsed: 'share_of_bodies',
} as const satisfies Record<CallerCap, RefusalCause>;

export function enterFlight(context: RequestContext): void {
  context.gateway.inFlight += 1;
  context.inFlight = true;
}

/**
 * Also while the next step is up to the caller: otherwise a thousand slow callers could lock out everyone else. Returns
 * the share of a run that was not started.
 */
export function leaveFlight(context: RequestContext): void {
  if (context.inFlight) context.gateway.inFlight -= 1;
  context.inFlight = false;
  if (context.holdsRequest && context.holder) context.gateway.shares.requests.give(context.holder, 1);
  context.holdsRequest = false;
  if (!context.ran) returnRun(context);
}

/** The caller is known, and nothing of the body has been read. */
export function takeShares(context: RequestContext, step: number): RefusalReason | null {
  const { requests, runs } = context.gateway.shares;
  const holder = shareHolder(context);
  context.holdsRequest = requests.take(holder, 1);
  if (!context.holdsRequest) return withoutShare(context, 'requests', step);
  context.holdsRun = runs.take(holder, 1);
  return context.holdsRun ? null : withoutShare(context, 'runs', step);
}

/** The run has ended, or was never started. */
export function returnRun(context: RequestContext): void {
  const { runs, parsed } = context.gateway.shares;
  if (!context.holder) return;
  if (context.holdsRun) runs.give(context.holder, 1);
  context.holdsRun = false;
  parsed.give(context.holder, context.parsedBytes);
  context.parsedBytes = 0;
}

/** Takes memory for the decoded body; false if the heap or the share has no room. */
export function takeParsed(context: RequestContext, bytes: number): boolean {
  const { shares, heap } = context.gateway;
  if (heap.full(performance.now()) || !shares.parsed.take(shareHolder(context), bytes)) return false;
  context.parsedBytes += bytes;
  return true;
}

/** Whether a long body is refused before it is read: what it takes in memory is more than a third of its length. */
export function lacksMemory(context: RequestContext): boolean {
  if (refusedBodyLately(context)) return true;
  const bytes = Math.ceil(context.head.contentLength / 3);
  return !context.gateway.shares.parsed.hasRoom(shareHolder(context), bytes);
}

/** The caller was asked to wait and calls again immediately: reading and measuring its body would be wasted work. */
export function refusedBodyLately(context: RequestContext): boolean {
  const sinceMs = context.startedMs - OVERLOADED_RETRY_SECONDS * 1000;
  return context.gateway.shares.parsed.refusedSince(shareHolder(context), sinceMs);
}

export function shareHolder(context: RequestContext): Holder {
  context.holder ??= context.key ?? unkeyedHolder(context.ip, context.liveRoute.project);
  return context.holder;
}

export function withoutShare(context: RequestContext, cap: CallerCap, step: number): RefusalReason {
  const { ofHolder, ofProject } = context.gateway.shares[cap];
  return refusalReason(step, SHARE_CAUSES[cap], { limit: ofHolder, projectLimit: ofProject });
}
