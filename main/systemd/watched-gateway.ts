import type { GatewayState } from '#common/model/records.ts';

/** Longer than the longest pause between two starts of the gateway, which is 30 s. */
const DEAD_MS_MAX = 60_000;
/** A killed process that has not exited after this time never will. */
const STOPPING_MS_MAX = 30_000;

/**
 * Whether the supervisor still works. It watches the heartbeat of a gateway that starts or serves, and soon restarts one
 * that has ended. A gateway that stays in any other state for longer means that the supervisor has failed.
 */
export function isSupervised(state: GatewayState, forMs: number): boolean {
  if (state === 'dead') return forMs <= DEAD_MS_MAX;
  return state !== 'stopping' || forMs <= STOPPING_MS_MAX;
}
