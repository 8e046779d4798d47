export const PING_MS = 2_000;
export const SILENCE_MS_MAX = 10_000;
const TICK_MS = 500;

export interface Heartbeat {
  /** Any message from the child counts as a heartbeat. */
  heard(): void;
  /** Time since the last one, in multiples of a tick. */
  silentMs(): number;
  stop(): void;
}

/**
 * Sends a ping every 2 s and reports 10 s of silence. It counts its own ticks instead of reading a clock: if the host
 * itself was suspended (a laptop's sleep, a debugger), the pause must not count as silence of the gateway.
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
