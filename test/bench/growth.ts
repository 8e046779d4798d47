import { MIB } from './set-size.ts';
import { median } from './table.ts';

/** As a share: the medians of a steady service differ because of its garbage collector. */
const GROWTH_MAX = 0.03;

/**
 * Evaluates set sizes in bytes, measured at regular intervals: the median of the last third must not exceed that of the
 * second by more than GROWTH_MAX. In the first third caches fill up. Prints the result; exits with 1 if it failed.
 */
export function judgeGrowth(samples: readonly number[]): void {
  const third = Math.floor(samples.length / 3);
  const [second, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(median) as [number, number];
  const growth = last / second - 1;
  const met = growth <= GROWTH_MAX;
  console.log(
    `median set size: second third ${mib(second)}, last third ${mib(last)}: ${(growth * 100).toFixed(1)} %; at most ${GROWTH_MAX * 100} % is allowed: ${met ? 'met' : 'NOT met'}`,
  );
  if (!met) process.exitCode = 1;
}

export function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
