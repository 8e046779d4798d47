import type { CallerTraffic, RouteTraffic, TrafficOverview } from '#common/model/traffic.ts';
import type { TrendSeries } from '#ui/trend/trend-points.ts';

/** Ids of the keys whose callers have gone silent. */
export type SilentCallers = ReadonlySet<string>;

export function silentOf(callers: readonly CallerTraffic[]): SilentCallers {
  return new Set(callers.filter(({ silent }) => silent).map(({ keyId }) => keyId));
}

/** More than one call in a hundred ends with 500 or above, and not just one. */
const FAILING_SHARE = 0.01;
const FAILING_CALLS = 2;

export function isFailing({ errorShare, calls }: Pick<RouteTraffic, 'errorShare' | 'calls'>): boolean {
  return errorShare !== null && errorShare >= FAILING_SHARE && errorShare * calls >= FAILING_CALLS;
}

/** The last caller has become silent. */
export function isQuiet({ lastCall }: Pick<RouteTraffic, 'lastCall'>, silent: SilentCallers): boolean {
  return lastCall !== null && lastCall.keyId !== null && silent.has(lastCall.keyId);
}

/** Abnormal routes first, then answering ones, then stopped ones; within each by path. */
export function routesInOrder(routes: readonly RouteTraffic[], silent: SilentCallers): RouteTraffic[] {
  const rank = (route: RouteTraffic) => {
    if (!route.answers) return 2;
    return isFailing(route) || isQuiet(route, silent) ? 0 : 1;
  };
  return routes.toSorted(
    (a, b) => rank(a) - rank(b) || a.pattern.localeCompare(b.pattern) || a.method.localeCompare(b.method),
  );
}

/** The series of the chart: calls, with their usual range shaded, and refusals. */
export function chartOf(
  { series }: TrafficOverview,
  texts: { calls: string; refused: string },
): { series: TrendSeries[]; from: number; to: number } {
  const { calls, refusedPerMinute, usualLow, usualHigh } = series;
  const start = Date.parse(calls.from);
  const at = (index: number) => start + index * calls.stepSeconds * 1000;
  return {
    series: [
      {
        label: texts.calls,
        unit: '/s',
        fromZero: true,
        points: calls.values.map((value, index) => [at(index), value]),
        spans: calls.values.map((_, index) => [at(index), usualLow[index] ?? null, usualHigh[index] ?? null]),
      },
      {
        label: texts.refused,
        unit: '/min',
        fromZero: true,
        bars: true,
        points: refusedPerMinute.values.map((value, index) => [
          Date.parse(refusedPerMinute.from) + index * refusedPerMinute.stepSeconds * 1000,
          value,
        ]),
      },
    ],
    from: start,
    to: at(Math.max(1, calls.values.length - 1)),
  };
}
