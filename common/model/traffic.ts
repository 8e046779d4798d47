import type { Scope } from '../scopes.ts';

/**
 * The traffic of the gateway in the admin API (`GET /traffic`, `/traffic/keys/:key`, `…/pipelines/:pipeline/traffic`).
 * Times are RFC 3339 in UTC, durations are in milliseconds, rates in calls per second.
 *
 * Unknown values are null, never 0: the gateway is not running, or there are too few samples.
 */
export const TRAFFIC_RANGES = ['15m', '8h', '7d'] as const;
export type TrafficRange = (typeof TRAFFIC_RANGES)[number];

/** Number of days with data for an hour of the day before its baseline is known. */
export const USUAL_DAYS_MIN = 3;

/**
 * The 5th and the 95th percentile of the same hour of day over the last 14 days; null with fewer than 50 samples, or
 * before USUAL_DAYS_MIN days have data for this hour.
 */
export interface Usual {
  low: number;
  high: number;
}

export interface Figure {
  value: number | null;
  usual: Usual | null;
}

/** Equal steps that start at `from`; null: nothing was measured. */
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
  /** Over the last minute, so that the value follows changes. */
  callsPerSecond: number | null;
  calls: number;
  refused: number;
  /**
   * Share of the calls in the range that ended with a status of 500 or above, or whose stored event was queued or
   * became a dead letter: 0 to 1.
   */
  errorShare: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  p99Usual: Usual | null;
  series: Series;
  /** Null: no calls in the last 24 h. `keyId` null: a public route. */
  lastCall: { at: string; keyId: string | null; name: string | null; ip: string } | null;
}

export interface CallerTraffic {
  keyId: string;
  project: string;
  name: string;
  /** The address of its last call. */
  ip: string | null;
  lastCallAt: string | null;
  /** Median interval between its calls over the last 24 h, in seconds; null with fewer than three calls. */
  usualGapSeconds: number | null;
  /** No call for five times its usual interval, at least 60 s. */
  silent: boolean;
  /** Over the last 15 minutes. */
  calls: number;
  refused: number;
  /** The most frequent code of those refusals. */
  refusedCode: string | null;
}

/** The last 24 hours of a key by hour; null: nothing was measured. */
export interface KeyDay {
  from: string;
  passed: (number | null)[];
  refused: (number | null)[];
}

/** A row in the list of keys. */
export interface KeyCaller extends CallerTraffic {
  day: KeyDay;
}

export interface TrafficOverview {
  at: string;
  range: TrafficRange;
  inFlight: number | null;
  /** Number of days, at most 15, with data for this hour of the day. */
  usualDays: number;
  callsPerSecond: Figure;
  calls: number;
  refused: number;
  refusedShare: Figure;
  p50Ms: number | null;
  p99Ms: Figure;
  /** Calls per second, and refusals per minute; `usual` has the baseline for each step, or null. */
  series: { calls: Series; refusedPerMinute: Series; usualLow: (number | null)[]; usualHigh: (number | null)[] };
  routes: RouteTraffic[];
  /** Overdue callers first, then by the latest call. */
  callers: CallerTraffic[];
}

/** A host (source address) that sent a key. */
export interface KeyHost {
  ip: string;
  /** Over the last 10 minutes. */
  calls: number;
  lastCallAt: string;
}

/**
 * A route that a key has called in the last 90 days. `route`: method and pattern as declared by the pipeline. A call
 * has passed if it was not refused.
 */
export interface KeyRoute {
  route: string;
  firstCallAt: string;
  lastCallAt: string;
  firstPassedAt: string | null;
  lastPassedAt: string | null;
}

/** Steps of one minute, five minutes or one hour. */
export const KEY_TRAFFIC_RANGES = ['2h', '8h', '7d'] as const;
export type KeyTrafficRange = (typeof KEY_TRAFFIC_RANGES)[number];

/** For the rotation page and the revoke dialog: the callers of this key and their traffic. */
export interface KeyTraffic {
  keyId: string;
  at: string;
  /** Over the last minute. */
  callsPerMinute: number | null;
  lastCall: { at: string; ip: string; route: string } | null;
  hosts: KeyHost[];
  /** Calls per minute during the range. */
  routes: KeyRoute[];
  /** Calls per minute over the range. */
  series: Series;
}

/** A node of the running revision, averaged over the last 10 s. */
export interface NodeTraffic {
  node: string;
  perSecond: number;
  p99Ms: number | null;
  errorShare: number;
  /** By output port, including `error`. */
  ports: Record<string, number>;
}

export interface PipelineTraffic {
  at: string;
  /** Null: it is not running, or the gateway is down; then there are no nodes. */
  revision: number | null;
  nodes: NodeTraffic[];
}
