import { uptime } from 'node:os';

/**
 * Milliseconds of a clock that cannot be set and that continues during sleep: measures how long a session or a wait has
 * lasted. With the time of day, correcting a clock that was years behind would log everyone out; `performance.now()`
 * stops during sleep, and a session would outlive its hours.
 */
export function elapsedMs(): number {
  return uptime() * 1000;
}
