import type { GatewayState } from '#common/model/records.ts';

/** Longer than the longest pause between two starts of the gateway, which is 30 s. */
const DEAD_MS_MAX = 60_000;
/** A killed process whose end is not seen for so long will not end. */
const STOPPING_MS_MAX = 30_000;

/**
 * Whether the supervisor still looks after its gateway: one that starts or serves is watched by its heartbeat, one that
 * has ended is soon started. What stays longer in between is a supervisor that has failed.
 */
export function isLookedAfter(state: GatewayState, forMs: number): boolean {
  if (state === 'dead') return forMs <= DEAD_MS_MAX;
  return state !== 'stopping' || forMs <= STOPPING_MS_MAX;
}
