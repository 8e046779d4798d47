import { type RouteDelta, STATUS_CLASSES } from '#common/control/traffic.ts';
import { Histogram } from '#common/traffic/histogram.ts';

/** Counts of one route since the last report. Shared by the route's revisions. */
export class RouteCounters {
  /** `project/pipeline/node` */
  readonly id: string;
  /** These three belong to the running revision. */
  keyed: boolean;
  method: string;
  pattern: string;
  /** True: it is in the list for the next report. */
  touched = false;
  calls = 0;
  refused = 0;
  /** Calls with a status below 500 whose event was not delivered. */
  undelivered = 0;
  /** Replies by the first digit of their status, from 2 on. */
  readonly #statuses = new Uint32Array(STATUS_CLASSES.length);
  /** The sum of `durations`: a value read from the buckets alone is up to 5 % off. */
  #durationMs = 0;
  /** -1: no call since the last report. */
  lastMs = -1;
  lastKey: string | null = null;
  lastIp = '';
  /** Created with the first call: most routes of a large site are quiet. */
  durations: Histogram | null = null;

  constructor(id: string, keyed: boolean, method: string, pattern: string) {
    this.id = id;
    this.keyed = keyed;
    this.method = method;
    this.pattern = pattern;
  }

  calledBy(key: string | null, ip: string, nowMs: number): void {
    this.lastMs = nowMs;
    this.lastKey = key;
    this.lastIp = ip;
  }

  answered(status: number): void {
    const index = ((status / 100) | 0) - 2;
    this.#statuses[index] = (this.#statuses[index] ?? 0) + 1;
  }

  ran(durationMs: number): void {
    this.#durationMs += durationMs;
    this.durations ??= new Histogram();
    this.durations.add(durationMs);
  }

  /** Returns the counts and resets them. `zeroMs`: the zero point of the clock of the calls. */
  take(zeroMs: number): RouteDelta {
    const delta: RouteDelta = {
      id: this.id,
      method: this.method,
      pattern: this.pattern,
      calls: this.calls,
      refused: this.refused,
      undelivered: this.undelivered,
      statuses: [...this.#statuses],
      durationMs: this.#durationMs,
      durations: this.durations?.take() ?? [],
      last: this.lastMs < 0 ? null : { at: Math.round(zeroMs + this.lastMs), key: this.lastKey, ip: this.lastIp },
    };
    this.touched = false;
    this.calls = this.refused = this.undelivered = this.#durationMs = 0;
    this.#statuses.fill(0);
    this.lastMs = -1;
    return delta;
  }
}
