import { uptime } from 'node:os';

/**
 * Milliseconds of a clock that nobody can set and that continues while the machine sleeps: measures how long a session
 * or a wait has lasted. By the time of day, correcting a clock that was years behind would log everybody out;
 * `performance.now()` stops during sleep, and a session would outlive its hours.
 */
export function elapsedMs(): number {
  return uptime() * 1000;
}
