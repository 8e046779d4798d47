import { addCounts, type Counts } from '#common/traffic/counts.ts';

/** Counts of one series: all calls, a route (`r:project/pipeline/node`) or a key (`k:id`). */
export interface Tally {
  calls: number;
  refused: number;
  errors: number;
  /** Durations of calls; for a key, the intervals between its calls. */
  times: Counts;
}

export const ALL = '';
export const routeSeries = (id: string): string => `r:${id}`;
/** Name prefix of the routes of a project. */
export const projectRoutes = (project: string): string => `r:${project}/`;
export const keySeries = (id: string): string => `k:${id}`;
export const keyOfSeries = (series: string): string => series.slice(keySeries('').length);
export const isKeySeries = (series: string): boolean => series.startsWith('k:');

export function emptyTally(): Tally {
  return { calls: 0, refused: 0, errors: 0, times: [] };
}

export function addTally(into: Tally, from: Tally): void {
  into.calls += from.calls;
  into.refused += from.refused;
  into.errors += from.errors;
  into.times = addCounts(into.times, from.times);
}
