/**
 * A page that crashes repeatedly is not reloaded indefinitely: after this many times in this period, the user is asked.
 */
export const RELOADS_MAX = 3;
export const RELOADS_WITHIN_MS = 5 * 60_000;

/** True: reload automatically; false: ask. `now`: milliseconds. */
export function createReloadLimit(now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    const at = now();
    times = times.filter((time) => at - time < RELOADS_WITHIN_MS);
    if (times.length >= RELOADS_MAX) return false;
    times.push(at);
    return true;
  };
}

/** It must have served for this many seconds: an error during the start would repeat itself. */
export const RELAUNCH_AFTER_S = 60;

export function mayRelaunch(uptimeSeconds: number): boolean {
  return uptimeSeconds >= RELAUNCH_AFTER_S;
}
