import type { RouteDelta } from '#common/control/traffic.ts';
import { Histogram } from '#common/traffic/histogram.ts';

/** What was counted at one route since it was told. Lent to the route's revisions. */
export class RouteCounters {
  /** `project/pipeline/node` */
  readonly id: string;
  /** These two are of the revision that runs now. */
  keyed: boolean;
  pattern: string;
  /** True: waits in the list of what is told next. */
  touched = false;
  calls = 0;
  refused = 0;
  errors = 0;
  /** -1: nobody since it was told. */
  lastMs = -1;
  lastKey: string | null = null;
  lastIp = '';
  /** Made with the first call: most routes of a large site are quiet. */
  durations: Histogram | null = null;

  constructor(id: string, keyed: boolean, pattern: string) {
    this.id = id;
    this.keyed = keyed;
    this.pattern = pattern;
  }

  calledBy(key: string | null, ip: string, nowMs: number): void {
    this.lastMs = nowMs;
    this.lastKey = key;
    this.lastIp = ip;
  }

  ran(durationMs: number): void {
    this.durations ??= new Histogram();
    this.durations.add(durationMs);
  }

  /** Told, and emptied. `zeroMs`: where the clock of the calls has its zero. */
  take(zeroMs: number): RouteDelta {
    const delta: RouteDelta = {
      id: this.id,
      calls: this.calls,
      refused: this.refused,
      errors: this.errors,
      durations: this.durations?.take() ?? [],
      last: this.lastMs < 0 ? null : { at: Math.round(zeroMs + this.lastMs), key: this.lastKey, ip: this.lastIp },
    };
    this.touched = false;
    this.calls = this.refused = this.errors = 0;
    this.lastMs = -1;
    return delta;
  }
}
