import type {
  CallerTraffic,
  Figure,
  KeyCaller,
  KeyTraffic,
  KeyTrafficRange,
  RouteTraffic,
  Series,
  TrafficOverview,
  TrafficRange,
  Usual,
} from '#common/model/traffic.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { quantileOf } from '#common/traffic/counts.ts';
import { isSilent, usualGapSeconds } from './callers.ts';
import type { Collector } from './collector.ts';
import { rounded } from './level.ts';
import { ALL, keySeries, routeSeries, type Tally } from './tally.ts';
import type { LastCall } from './traffic-store.ts';
import { baselineOfCounts } from './baseline.ts';

/** A stored route, and whether it is served now. */
export type KnownRoute = Pick<
  RouteTraffic,
  'project' | 'pipeline' | 'pipelineName' | 'node' | 'method' | 'pattern' | 'answers' | 'authType' | 'requiredScopes'
>;

type KnownKey = Pick<KeyRecord, 'id' | 'project' | 'name'>;

const DAY_HOURS = 24;
const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
const FINE_STEPS_PER_MINUTE = 12;

const refusedOf = (tally: Tally): number => tally.refused;

/** The collector's counts in the form of the admin API. */
export class TrafficFigures {
  readonly #collector: Collector;
  readonly #now: () => number;

  constructor(collector: Collector, now: () => number) {
    this.#collector = collector;
    this.#now = now;
  }

  /** `keys`: the valid ones, of all projects. `revoked`: the last caller may have lost its key since. */
  async overview(
    range: TrafficRange,
    routes: readonly KnownRoute[],
    keys: readonly KnownKey[],
    revoked: readonly KnownKey[] = [],
  ): Promise<TrafficOverview> {
    if (range !== '15m') await this.#collector.loaded;
    const nowMs = this.#now();
    const { levels, usual, inFlight } = this.#collector;
    const { counts, times, chart, chartFold } = levels.ranges[range];
    const { calls, refused } = counts.sum(ALL, nowMs);
    const durations = times.times(ALL, nowMs);
    const now = usual.ofHour(new Date(nowMs).getHours());
    const series = chart.series(ALL, nowMs, chartFold);
    const bands = this.#bands(series);
    const names = new Map([...revoked, ...keys].map((key) => [key.id, key.name]));
    return {
      at: new Date(nowMs).toISOString(),
      range,
      inFlight: this.#away ? null : inFlight,
      usualDays: now.days,
      callsPerSecond: figure(this.#perSecond(ALL, nowMs), now.callsPerSecond),
      calls,
      refused,
      refusedShare: figure(calls === 0 ? null : refused / calls, now.refusedShare),
      p50Ms: shown(quantileOf(durations, 0.5)),
      p99Ms: figure(quantileOf(durations, 0.99), now.p99Ms),
      series: {
        calls: series,
        refusedPerMinute: chart.series(ALL, nowMs, chartFold, 60, refusedOf),
        usualLow: bands.map((band) => band && rounded(band.low)),
        usualHigh: bands.map((band) => band && rounded(band.high)),
      },
      routes: this.#routes(range, routes, names, nowMs),
      callers: this.#recentCallers(keys, nowMs),
    };
  }

  /** A caller for each key, including unused ones; `usedBefore`: data from the journal about keys without figures. */
  callers(keys: readonly KnownKey[], usedBefore: ReadonlyMap<string, string>): KeyCaller[] {
    const nowMs = this.#now();
    return keys.map((key) => {
      const caller = this.#caller(key, nowMs);
      const day = this.#collector.levels.hour.counts(keySeries(key.id), nowMs, DAY_HOURS);
      return { ...caller, lastCallAt: caller.lastCallAt ?? usedBefore.get(key.id) ?? null, day };
    });
  }

  async key(keyId: string, range: KeyTrafficRange = '8h'): Promise<KeyTraffic> {
    await this.#collector.loaded;
    const nowMs = this.#now();
    const { levels, last } = this.#collector;
    const series = keySeries(keyId);
    const call = last.get(series);
    const perSecond = this.#perSecond(series, nowMs);
    return {
      keyId,
      at: new Date(nowMs).toISOString(),
      callsPerMinute: perSecond === null ? null : rounded(perSecond * 60),
      lastCall: call ? { at: isoOf(call), ip: call.ip, route: call.detail ?? '' } : null,
      hosts: this.#collector.caller(keyId)?.hosts(nowMs) ?? hostOf(call),
      routes: this.#collector.keyRoutes.of(keyId),
      series: levels.keyRanges[range].series(series, nowMs, 1, 60),
    };
  }

  get #away(): boolean {
    return this.#collector.heardSince === null;
  }

  /** Over the last minute; null while the gateway is unavailable. */
  #perSecond(series: string, nowMs: number): number | null {
    if (this.#away) return null;
    const rate = this.#collector.levels.fine.rate(series, nowMs, FINE_STEPS_PER_MINUTE);
    return rate === null ? null : rounded(rate);
  }

  #bands({ from, stepSeconds, values }: Series): (Usual | null)[] {
    const first = Date.parse(from);
    return values.map((_, step) => {
      const middle = new Date(first + (step + 0.5) * stepSeconds * 1000);
      return this.#collector.usual.ofHour(middle.getHours()).callsPerSecond;
    });
  }

  #routes(
    range: TrafficRange,
    routes: readonly KnownRoute[],
    names: ReadonlyMap<string, string>,
    nowMs: number,
  ): RouteTraffic[] {
    const { counts, times, routeFold } = this.#collector.levels.ranges[range];
    const samples = this.#collector.samples();
    return routes.map((route) => {
      const series = routeSeries(`${route.project}/${route.pipeline}/${route.node}`);
      const { calls, refused, errors } = counts.sum(series, nowMs);
      const durations = times.times(series, nowMs);
      return {
        ...route,
        callsPerSecond: this.#perSecond(series, nowMs),
        calls,
        refused,
        errorShare: calls === 0 ? null : rounded(errors / calls),
        p50Ms: shown(quantileOf(durations, 0.5)),
        p99Ms: shown(quantileOf(durations, 0.99)),
        p99Usual: shownUsual(baselineOfCounts(samples.get(series) ?? [])),
        series: counts.series(series, nowMs, routeFold),
        lastCall: lastOf(this.#collector.last.get(series), names, nowMs),
      };
    });
  }

  /** Callers of the last week: overdue ones first, then by the latest call. */
  #recentCallers(keys: readonly KnownKey[], nowMs: number): CallerTraffic[] {
    const since = nowMs - WEEK_MS;
    const recent = keys.filter(({ id }) => (this.#collector.last.get(keySeries(id))?.at ?? 0) > since);
    const callers = recent.map((key) => this.#caller(key, nowMs));
    const at = ({ lastCallAt }: CallerTraffic): number => Date.parse(lastCallAt ?? '');
    return callers.toSorted((a, b) => Number(b.silent) - Number(a.silent) || at(b) - at(a));
  }

  #caller({ id, project, name }: KnownKey, nowMs: number): CallerTraffic {
    const { levels, heardSince } = this.#collector;
    const series = keySeries(id);
    const call = this.#collector.last.get(series);
    const { calls, refused } = levels.fine.sum(series, nowMs);
    const gap = call ? usualGapSeconds(levels.hour, id, call.at) : null;
    return {
      keyId: id,
      project,
      name,
      ip: call?.ip ?? null,
      lastCallAt: call ? isoOf(call) : null,
      usualGapSeconds: shown(gap),
      silent: call !== undefined && isSilent(gap, call.at, heardSince, nowMs),
      calls,
      refused,
      refusedCode: refused === 0 ? null : (this.#collector.caller(id)?.refusedCode(nowMs) ?? null),
    };
  }
}

function figure(value: number | null, usual: Usual | null): Figure {
  return { value: shown(value), usual: shownUsual(usual) };
}

function shown(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

function shownUsual(usual: Usual | null): Usual | null {
  return usual && { low: rounded(usual.low), high: rounded(usual.high) };
}

function isoOf({ at }: LastCall): string {
  return new Date(at).toISOString();
}

/** After a restart of the host only the last one is known. */
function hostOf(call: LastCall | undefined): KeyTraffic['hosts'] {
  return call ? [{ ip: call.ip, calls: 0, lastCallAt: isoOf(call) }] : [];
}

function lastOf(
  call: LastCall | undefined,
  names: ReadonlyMap<string, string>,
  nowMs: number,
): RouteTraffic['lastCall'] {
  if (call === undefined || call.at <= nowMs - DAY_MS) return null;
  const { ip, detail: keyId } = call;
  return { at: isoOf(call), keyId, name: keyId === null ? null : (names.get(keyId) ?? null), ip };
}
