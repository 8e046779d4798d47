/**
 * Collects and keeps the gateway's counters: polls once per second, writes once per minute.
 *
 * States: away (no gateway responds: no polling, no measurements) and listening. Counts that a gateway had not reported
 * before it ended are lost. A new one begins at zero, and since it reports differences, none is negative. Limits:
 * SERIES_MAX series in memory, TOTALS_MAX routes in the totals (route-totals.ts), ROWS_MAX rows on disk
 * (traffic-store.ts), HOSTS_PER_KEY_MAX addresses (callers.ts) and ROUTES_PER_KEY_MAX routes of a key (key-routes.ts).
 */
import {
  type KeyDelta,
  type RouteDelta,
  STATUS_CLASSES,
  type TrafficAnswer,
  type TrafficPart,
} from '#common/control/traffic.ts';
import type { Logger } from '#common/node/log.ts';
import { type Counts, quantileOf } from '#common/traffic/counts.ts';
import { bucketOf } from '#common/traffic/log-buckets.ts';
import type { GatewayLink } from '../contracts.ts';
import { Caller } from './callers.ts';
import { KeyRoutes } from './key-routes.ts';
import { Levels, SERIES_MAX } from './levels.ts';
import { Poller } from './poller.ts';
import { RouteTotals } from './route-totals.ts';
import { addTally, ALL, emptyTally, isKeySeries, keySeries, projectRoutes, routeSeries, type Tally } from './tally.ts';
import { type LastCall, type StoredTally, TrafficStore } from './traffic-store.ts';
import { type Minute, sameHours, BaselineMinutes } from './baseline.ts';

const ASK_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTES_BETWEEN_ROLLS = 5;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** An older response does not describe the current state. */
const FRESH_MS = 5_000;
const SERVER_ERRORS = STATUS_CLASSES.indexOf('5xx');
const SAMPLES_FRESH_MS = 5 * MINUTE_MS;

export interface CollectorOptions {
  file: string;
  gateway: Pick<GatewayLink, 'state' | 'call'>;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

export class Collector {
  readonly levels = new Levels();
  readonly usual = new BaselineMinutes();
  /** Since the start of the host, for metrics. */
  readonly totals = new RouteTotals();
  readonly last = new Map<string, LastCall>();
  readonly keyRoutes = new KeyRoutes();
  /** The rows of the last week were loaded. */
  readonly loaded: Promise<void>;
  /** The number of requests in flight; null while the gateway is unavailable. */
  inFlight: number | null = null;

  readonly #options: CollectorOptions;
  readonly #store: TrafficStore;
  readonly #callers = new Map<string, Caller>();
  #isLoaded = false;
  readonly #poller = new Poller(() => this.#ask());
  #epoch: string | null = null;
  #cursor = 0;
  #heardSince: number | null = null;
  #heardAt = 0;
  /** Unwritten counts of the current minute. */
  #minute: number;
  #measuredMs = 0;
  #pending = new Map<string, Tally>();
  #pendingLast = new Map<string, LastCall>();
  #samples: { hour: number; at: number; of: Map<string, Counts> } | null = null;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#store = new TrafficStore(options);
    this.#minute = Math.floor(options.now() / MINUTE_MS);
    this.loaded = this.#load();
  }

  /** Polls until the returned function is called. */
  start(everyMs = ASK_EVERY_MS): () => Promise<void> {
    const stop = this.#poller.start(everyMs);
    return async () => {
      await stop();
      await this.loaded;
      this.#endMinute(Math.floor(this.#options.now() / MINUTE_MS));
      this.#store.close();
    };
  }

  /** One poll; one at a time. */
  tick(): Promise<void> {
    return this.#poller.tick();
  }

  /** Since when calls are reported; null while the gateway is unavailable. */
  get heardSince(): number | null {
    const { gateway, now } = this.#options;
    return gateway.state === 'running' && now() - this.#heardAt <= FRESH_MS ? this.#heardSince : null;
  }

  caller(keyId: string): Caller | null {
    return this.#callers.get(keyId) ?? null;
  }

  /** The p99 of minutes in this hour of the day, by series; the last five minutes may be missing. */
  samples(): ReadonlyMap<string, Counts> {
    const nowMs = this.#options.now();
    const hour = new Date(nowMs).getHours();
    if (this.#samples === null || this.#samples.hour !== hour || nowMs - this.#samples.at > SAMPLES_FRESH_MS)
      this.#samples = { hour, at: nowMs, of: this.#store.samples(sameHours(nowMs)) };
    return this.#samples.of;
  }

  /**
   * The figures of a deleted project do not belong to a new one with the same ID. Its calls still count in the total.
   */
  forgetProject(project: string): void {
    const prefix = projectRoutes(project);
    for (const map of [this.last, this.#pendingLast, this.#pending])
      for (const series of map.keys()) if (series.startsWith(prefix)) map.delete(series);
    this.levels.forget(prefix);
    this.totals.forgetProject(project);
    this.#samples = null;
    this.#store.forget(prefix);
  }

  async #load(): Promise<void> {
    const nowMs = this.#options.now();
    // Minutes in the future are from a clock that was set back.
    const minutes = this.#store.minutes().filter(({ at }) => at <= nowMs);
    this.usual.addPast(minutes);
    for (const [series, call] of this.#store.lastCalls()) this.last.set(series, call);
    this.keyRoutes.load(this.#store.keyRoutes());
    const since = nowMs - WEEK_MS - HOUR_MS;
    for (const { at, measuredMs } of minutes) if (at >= since) this.levels.measurePast(at, measuredMs, nowMs);
    await this.#store.load(since, (series, atMs, tally) => this.levels.addPast(series, atMs, tally, nowMs));
    this.#isLoaded = true;
  }

  async #ask(): Promise<void> {
    const { gateway, log, now } = this.#options;
    const minute = Math.floor(now() / MINUTE_MS);
    if (minute !== this.#minute) this.#endMinute(minute);
    if (gateway.state !== 'running') return this.#away();
    try {
      this.#take(await gateway.call('traffic', { epoch: this.#epoch, cursor: this.#cursor }));
    } catch (error) {
      this.#away();
      if (gateway.state === 'running') log.warn('the gateway does not report its traffic', { error });
    }
  }

  #away(): void {
    this.#heardSince = null;
    this.inFlight = null;
  }

  #take({ epoch, cursor, inFlight, parts }: TrafficAnswer): void {
    const nowMs = this.#options.now();
    const seen = epoch === this.#epoch ? this.#cursor : 0;
    this.#epoch = epoch;
    this.#cursor = cursor;
    this.#heardSince = Math.min(this.#heardSince ?? nowMs, nowMs);
    this.#heardAt = nowMs;
    this.inFlight = inFlight;
    const fresh = parts.filter((part) => part.cursor > seen);
    const spanMs = fresh.reduce((total, part) => total + part.spanMs, 0);
    this.levels.measure(nowMs - spanMs, spanMs);
    this.#measuredMs += spanMs;
    for (const part of fresh) this.#takePart(part, nowMs);
  }

  #takePart({ unrouted, routes, keys }: TrafficPart, nowMs: number): void {
    this.totals.unrouted += unrouted;
    const all = { ...emptyTally(), calls: unrouted, refused: unrouted };
    for (const route of routes) this.#takeRoute(route, all, nowMs);
    for (const key of keys) this.#takeKey(key, nowMs);
    if (all.calls > 0) this.#add(ALL, all, nowMs);
  }

  #takeRoute(delta: RouteDelta, all: Tally, nowMs: number): void {
    const { id, calls, refused, undelivered, statuses, durations, last } = delta;
    const errors = (statuses[SERVER_ERRORS] ?? 0) + undelivered;
    const tally = { calls, refused, errors, times: durations };
    this.totals.add(delta, nowMs);
    const series = routeSeries(id);
    addTally(all, tally);
    this.#add(series, tally, nowMs);
    if (last !== null) this.#called(series, { at: last.at, ip: last.ip, detail: last.key });
  }

  #takeKey(delta: KeyDelta, nowMs: number): void {
    const { id, calls, refused, gaps, last } = delta;
    const series = keySeries(id);
    this.#add(series, { calls, refused, errors: 0, times: gaps }, nowMs);
    this.#called(series, { at: last.at, ip: last.ip, detail: last.route });
    const caller = this.#callers.get(id) ?? new Caller();
    if (this.#callers.size < SERIES_MAX) this.#callers.set(id, caller);
    caller.take(delta, nowMs);
    this.keyRoutes.take(id, delta.routes);
  }

  #called(series: string, call: LastCall): void {
    if (!this.last.has(series) && this.last.size >= SERIES_MAX) return;
    this.last.set(series, call);
    this.#pendingLast.set(series, call);
  }

  #add(series: string, tally: Tally, nowMs: number): void {
    const pending = this.#pending.get(series) ?? emptyTally();
    if (pending.calls === 0 && series !== ALL && this.#pending.size >= SERIES_MAX) return;
    addTally(pending, tally);
    this.#pending.set(series, pending);
    this.levels.add(series, nowMs, tally);
  }

  /**
   * Writes the data of the minute. Nothing is written before the file was read, otherwise it would be read as the past.
   */
  #endMinute(minute: number): void {
    if (!this.#isLoaded) return;
    const at = this.#minute * MINUTE_MS;
    const ended = this.#measuredMs > 0 ? this.#ended(at) : null;
    if (ended !== null) this.usual.add(ended);
    const rows = new Map([...this.#pending].map(([series, tally]) => [series, withSample(series, tally)]));
    this.#store.write(ended, at, rows, this.#pendingLast, this.keyRoutes.takePending());
    this.#pending = new Map();
    this.#pendingLast = new Map();
    this.#measuredMs = 0;
    this.#minute = minute;
    this.#keepSmall(minute);
  }

  #ended(at: number): Minute {
    const { calls, refused, times } = this.#pending.get(ALL) ?? emptyTally();
    return { at, measuredMs: this.#measuredMs, calls, refused, p99Ms: quantileOf(times, 0.99) };
  }

  #keepSmall(minute: number): void {
    const nowMs = minute * MINUTE_MS;
    if (minute % MINUTES_BETWEEN_ROLLS === 0) this.#store.rollUp(nowMs);
    if (minute % 60 !== 0) return;
    this.levels.prune(nowMs);
    this.#store.prune(nowMs);
    this.keyRoutes.prune(nowMs);
    for (const [series, { at }] of this.last) if (at < nowMs - 2 * WEEK_MS) this.last.delete(series);
    for (const id of this.#callers.keys()) if (!this.last.has(keySeries(id))) this.#callers.delete(id);
  }
}

/** A minute is one sample of a route's p99. */
function withSample(series: string, tally: Tally): StoredTally {
  const p99 = isKeySeries(series) ? null : quantileOf(tally.times, 0.99);
  return { ...tally, samples: p99 === null ? [] : [bucketOf(p99), 1] };
}
