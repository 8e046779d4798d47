import type { RouteTraffic, Series } from '#common/model/traffic.ts';

/** The traffic of all routes of one pipeline. */
export interface PipelineFigures {
  /** The rate of the last minute; null: unknown. */
  callsPerSecond: number | null;
  /** Share of the calls of the range that ended with 500 or above, 0 to 1; null without calls. */
  errorShare: number | null;
  series: Series;
  /** Null: no calls in the last 24 h. */
  lastCallAt: string | null;
}

/** By `project/id`. Pipelines without routes are missing. */
export function figuresOf(routes: readonly RouteTraffic[]): ReadonlyMap<string, PipelineFigures> {
  const groups = Map.groupBy(routes, ({ project, pipeline }) => `${project}/${pipeline}`);
  return new Map([...groups].map(([key, group]) => [key, sumOf(group)]));
}

function sumOf(routes: readonly RouteTraffic[]): PipelineFigures {
  const calls = routes.reduce((sum, route) => sum + route.calls, 0);
  const errors = routes.reduce((sum, route) => sum + (route.errorShare ?? 0) * route.calls, 0);
  const times = routes.flatMap(({ lastCall }) => lastCall?.at ?? []);
  return {
    callsPerSecond: sum(routes.map(({ callsPerSecond }) => callsPerSecond)),
    errorShare: calls === 0 ? null : errors / calls,
    series: sumOfSeries(routes.map(({ series }) => series)),
    lastCallAt: times.toSorted().at(-1) ?? null,
  };
}

/** They come from one response, so their steps are equal. */
function sumOfSeries(all: readonly Series[]): Series {
  const first = all[0] ?? { from: '', stepSeconds: 0, values: [] };
  return { ...first, values: first.values.map((_, index) => sum(all.map(({ values }) => values[index] ?? null))) };
}

/** Null if it is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}
