import type { Scope } from '../scopes.ts';

/**
 * The traffic of the gateway in the admin API (`GET /traffic`, `/traffic/keys/:key`, `…/pipelines/:pipeline/traffic`).
 * Times are RFC 3339 in UTC, durations milliseconds, rates calls per second.
 *
 * Unknown values are null, never 0: the gateway is not running, or there are too few samples.
 */
export const TRAFFIC_RANGES = ['15m', '8h', '7d'] as const;
export type TrafficRange = (typeof TRAFFIC_RANGES)[number];

/** Days of which an hour of the day must be known before anything is usual in it. */
export const USUAL_DAYS_MIN = 3;

/**
 * The 5th and the 95th percentile of the same hour of day over the last 14 days; null under 50 samples, and before this
 * hour is known of USUAL_DAYS_MIN days.
 */
export interface Usual {
  low: number;
  high: number;
}

export interface Figure {
  value: number | null;
  usual: Usual | null;
}

/** Equal steps from `from` on; null where nothing was measured. */
export interface Series {
  from: string;
  stepSeconds: number;
  values: (number | null)[];
}

export interface RouteTraffic {
  project: string;
  pipeline: string;
  pipelineName: string;
  node: string;
  method: string;
  pattern: string;
  /** False: its pipeline is stopped or failed, and calls are refused (`STOPPED_CODE`). */
  answers: boolean;
  authType: 'api_key' | 'none';
  requiredScopes: Scope[];
  /** Over the last minute, so that it moves. */
  callsPerSecond: number | null;
  calls: number;
  refused: number;
  /**
   * Share of calls of the range that ended with a status of 500 or above, or whose stored event was queued or became a
   * dead letter: 0 to 1.
   */
  errorShare: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  p99Usual: Usual | null;
  series: Series;
  /** Null: nobody called in the last 24 h. `keyId` null: a public route. */
  lastCall: { at: string; keyId: string | null; name: string | null; ip: string } | null;
}

export interface CallerTraffic {
  keyId: string;
  project: string;
  name: string;
  /** The address of its last call. */
  ip: string | null;
  lastCallAt: string | null;
  /** Median gap between its calls over the last 24 h, seconds; null under three calls. */
  usualGapSeconds: number | null;
  /** No call for five times its usual gap, at least 60 s. */
  silent: boolean;
  /** Over the last 15 minutes. */
  calls: number;
  refused: number;
  /** The most frequent code among those refusals. */
  refusedCode: string | null;
}

/** The last 24 hours of a key, hour by hour; null where nothing was measured. */
export interface KeyDay {
  from: string;
  passed: (number | null)[];
  refused: (number | null)[];
}

/** A row of the list of keys. */
export interface KeyCaller extends CallerTraffic {
  day: KeyDay;
}

export interface TrafficOverview {
  at: string;
  range: TrafficRange;
  inFlight: number | null;
  /** Days, at most 15, of which this hour of the day is known. */
  usualDays: number;
  callsPerSecond: Figure;
  calls: number;
  refused: number;
  refusedShare: Figure;
  p50Ms: number | null;
  p99Ms: Figure;
  /** Calls per second, and refusals per minute; `usual` has a band for each step, or null. */
  series: { calls: Series; refusedPerMinute: Series; usualLow: (number | null)[]; usualHigh: (number | null)[] };
  routes: RouteTraffic[];
  /** Silent ones first, then the latest call first. */
  callers: CallerTraffic[];
}

/** One host (source address) that sent a key. */
export interface KeyHost {
  ip: string;
  /** Over the last 10 minutes. */
  calls: number;
  lastCallAt: string;
}

/**
 * One route that a key has called in the last 90 days. `route`: method and pattern as the pipeline declares them. A call
 * has passed if it was not refused.
 */
export interface KeyRoute {
  route: string;
  firstCallAt: string;
  lastCallAt: string;
  firstPassedAt: string | null;
  lastPassedAt: string | null;
}

/** Steps of a minute, of five minutes, of an hour. */
export const KEY_TRAFFIC_RANGES = ['2h', '8h', '7d'] as const;
export type KeyTrafficRange = (typeof KEY_TRAFFIC_RANGES)[number];

/** For the rotation cockpit and the revoke dialog: who uses this key, and how much. */
export interface KeyTraffic {
  keyId: string;
  at: string;
  /** Over the last minute. */
  callsPerMinute: number | null;
  lastCall: { at: string; ip: string; route: string } | null;
  hosts: KeyHost[];
  /** The latest call first. */
  routes: KeyRoute[];
  /** Calls per minute over the range. */
  series: Series;
}

/** Of the running revision, a mean of the last 10 s. */
export interface NodeTraffic {
  node: string;
  perSecond: number;
  p99Ms: number | null;
  errorShare: number;
  /** By out port, `error` too. */
  ports: Record<string, number>;
}

export interface PipelineTraffic {
  at: string;
  /** Null: it does not run, or the gateway is away; then there are no nodes. */
  revision: number | null;
  nodes: NodeTraffic[];
}
