import { uptime } from 'node:os';

/**
 * Milliseconds of a clock that nobody can set and that goes on while the machine sleeps: for how long a session or a
 * wait has lasted. By the time of day, a clock that was years behind and is set right would log everybody out;
 * `performance.now()` stands still in a sleep, and a session would outlive its hours.
 */
export function elapsedMs(): number {
  return uptime() * 1000;
}
