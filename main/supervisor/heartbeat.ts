export const PING_MS = 2_000;
export const SILENCE_MS_MAX = 10_000;
const TICK_MS = 500;

export interface Heartbeat {
  /** Any message from the child counts as a heartbeat. */
  heard(): void;
  /** Time since the last one, in steps of a tick. */
  silentMs(): number;
  stop(): void;
}

/**
 * Pings every 2 s and reports 10 s of silence. It counts its own ticks rather than reading a clock: a host that was
 * itself suspended (a laptop's sleep, a debugger) must not take the pause for the gateway's silence.
 */
export function startHeartbeat(ping: (id: number) => void, silent: () => void): Heartbeat {
  let silentTicks = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    silentTicks++;
    ticks++;
    if (silentTicks * TICK_MS >= SILENCE_MS_MAX) {
      clearInterval(timer);
      silent();
      return;
    }
    if ((ticks * TICK_MS) % PING_MS === 0) ping(ticks);
  }, TICK_MS);
  return {
    heard: () => void (silentTicks = 0),
    silentMs: () => silentTicks * TICK_MS,
    stop: () => clearInterval(timer),
  };
}
