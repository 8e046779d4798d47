import type { CallerTraffic, Figure, RouteTraffic, TrafficOverview } from '#common/model/traffic.ts';
import type { TrendSeries } from '#ui/trend/trend-points.ts';

/** IDs of the keys whose callers are overdue. */
export type SilentCallers = ReadonlySet<string>;

export function silentOf(callers: readonly CallerTraffic[]): SilentCallers {
  return new Set(callers.filter(({ silent }) => silent).map(({ keyId }) => keyId));
}

/** More than one call in a hundred ends with 500 or above or waits for its target, and more than a single one. */
const FAILING_SHARE = 0.01;
const FAILING_CALLS = 2;

export function isFailing({ errorShare, calls }: Pick<RouteTraffic, 'errorShare' | 'calls'>): boolean {
  return errorShare !== null && errorShare >= FAILING_SHARE && errorShare * calls >= FAILING_CALLS;
}

/** The last caller is overdue. */
export function isQuiet({ lastCall }: Pick<RouteTraffic, 'lastCall'>, silent: SilentCallers): boolean {
  return lastCall !== null && lastCall.keyId !== null && silent.has(lastCall.keyId);
}

export interface RouteGroups {
  shown: RouteTraffic[];
  /** Combined in one line, as long as other routes are busy or abnormal. */
  idle: RouteTraffic[];
}

const RANKS = ['abnormal', 'busy', 'idle', 'stopped'] as const;
type Rank = (typeof RANKS)[number];

function rankOf(route: RouteTraffic, silent: SilentCallers): Rank {
  if (!route.answers) return 'stopped';
  if (isFailing(route) || isQuiet(route, silent)) return 'abnormal';
  return route.calls > 0 ? 'busy' : 'idle';
}

/** Abnormal routes first, then those with calls in the range, then stopped ones; within each by path. */
export function routeGroups(routes: readonly RouteTraffic[], silent: SilentCallers): RouteGroups {
  const ranked = routes.map((route) => ({ route, rank: rankOf(route, silent) }));
  ranked.sort(
    (a, b) =>
      RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
      a.route.pattern.localeCompare(b.route.pattern) ||
      a.route.method.localeCompare(b.route.method),
  );
  const folds = ranked.some(({ rank }) => rank === 'abnormal' || rank === 'busy');
  const isFolded = ({ rank }: { rank: Rank }) => folds && rank === 'idle';
  return {
    shown: ranked.filter((one) => !isFolded(one)).map(({ route }) => route),
    idle: ranked.filter(isFolded).map(({ route }) => route),
  };
}

/** Until the baseline of refusals is known, a share above this is abnormal, if there are more than a few calls. */
const REFUSED_SHARE_MAX = 0.05;
const REFUSED_CALLS = 3;

/** In percent. `isFixed`: compared with REFUSED_SHARE_MAX. */
export function refusedFigure({
  refusedShare: { value, usual },
  refused,
}: Pick<TrafficOverview, 'refusedShare' | 'refused'>): Figure & { isFixed: boolean } {
  const isFixed = usual === null && refused >= REFUSED_CALLS;
  const range = isFixed ? { low: 0, high: REFUSED_SHARE_MAX } : usual;
  return {
    value: value === null ? null : value * 100,
    usual: range && { low: range.low * 100, high: range.high * 100 },
    isFixed,
  };
}

/** The series of the chart: calls, with their baseline shaded, and refusals. */
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
