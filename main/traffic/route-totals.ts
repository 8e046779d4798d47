import { type RouteDelta, STATUS_CLASSES } from '#common/control/traffic.ts';
import { BUCKETS, middleOf } from '#common/traffic/log-buckets.ts';

/**
 * Totals of each route since the host started, for the metrics. They only increase, even when the gateway is restarted.
 *
 * Limits: TOTALS_MAX routes have their own totals. Further routes share one total until a route without calls for
 * QUIET_MS is dropped.
 */
export const TOTALS_MAX = 300;
const QUIET_MS = 24 * 60 * 60 * 1000;

/** Upper bounds of the duration buckets, in seconds. The last bucket has no bound. */
export const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export interface RouteTotal {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly method: string;
  readonly route: string;
  /** Replies by class, in the order of STATUS_CLASSES. */
  readonly statuses: number[];
  /** Calls that ran, by DURATION_BOUNDS; not cumulative. */
  readonly buckets: number[];
  durationSeconds: number;
}

interface Kept extends RouteTotal {
  lastMs: number;
}

/** Not a valid HTTP method, so no route can have it. */
const OTHER = 'other';

export class RouteTotals {
  /** Requests that were refused before a route was found. */
  unrouted = 0;
  readonly #routes = new Map<string, Kept>();
  #other: Kept | null = null;

  add(delta: RouteDelta, nowMs: number): void {
    const total = this.#totalOf(delta, nowMs);
    total.lastMs = nowMs;
    for (const [index, count] of delta.statuses.entries()) total.statuses[index] = (total.statuses[index] ?? 0) + count;
    for (let at = 0; at < delta.durations.length; at += 2) {
      const bound = BOUND_OF[delta.durations[at] ?? 0] ?? 0;
      total.buckets[bound] = (total.buckets[bound] ?? 0) + (delta.durations[at + 1] ?? 0);
    }
    total.durationSeconds += delta.durationMs / 1000;
  }

  /** Routes by name; if there are more than TOTALS_MAX, the shared total is last. */
  list(): readonly RouteTotal[] {
    return [...this.#routes.values(), ...(this.#other === null ? [] : [this.#other])];
  }

  /** A new project with the same id starts at zero. */
  forgetProject(project: string): void {
    for (const [id, total] of this.#routes) if (total.project === project) this.#routes.delete(id);
  }

  #totalOf({ id, method, pattern }: RouteDelta, nowMs: number): Kept {
    const series = `${id} ${method} ${pattern}`;
    const known = this.#routes.get(series);
    if (known !== undefined) return known;
    if (this.#routes.size >= TOTALS_MAX) this.#makeRoom(nowMs);
    if (this.#routes.size >= TOTALS_MAX) return (this.#other ??= emptyTotal(OTHER, OTHER, OTHER, OTHER, OTHER));
    const [project = '', pipeline = '', node = ''] = id.split('/');
    const made = emptyTotal(project, pipeline, node, method, pattern);
    this.#routes.set(series, made);
    return made;
  }

  #makeRoom(nowMs: number): void {
    for (const [series, { lastMs }] of this.#routes) if (lastMs <= nowMs - QUIET_MS) this.#routes.delete(series);
  }
}

function emptyTotal(project: string, pipeline: string, node: string, method: string, route: string): Kept {
  return {
    project,
    pipeline,
    node,
    method,
    route,
    statuses: STATUS_CLASSES.map(() => 0),
    buckets: Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0),
    durationSeconds: 0,
    lastMs: 0,
  };
}

/** The bound for a bucket of the gateway's histograms, determined by its middle. */
const BOUND_OF = Array.from({ length: BUCKETS }, (_, bucket) => {
  const bound = DURATION_BOUNDS.findIndex((seconds) => middleOf(bucket) / 1000 <= seconds);
  return bound < 0 ? DURATION_BOUNDS.length : bound;
});
