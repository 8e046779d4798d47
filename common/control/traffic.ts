import type { Counts } from '../traffic/counts.ts';

/**
 * The gateway's report of its traffic: changes since the last request, in parts, one per request. A part is repeated
 * until a request with its cursor confirms it, so that no call is lost or counted twice. Times are milliseconds since
 * 1970.
 */
export interface TrafficAnswer {
  /** Identifies this gateway process; the cursor of another process is not valid. */
  epoch: string;
  /** Sent with the next request. */
  cursor: number;
  inFlight: number;
  parts: TrafficPart[];
}

export interface TrafficPart {
  cursor: number;
  /** The length of the period that was counted. */
  spanMs: number;
  /** Refused before a route was found. */
  unrouted: number;
  routes: RouteDelta[];
  keys: KeyDelta[];
}

/** Replies are counted by these classes of their status. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

export interface RouteDelta {
  /** `project/pipeline/node` */
  id: string;
  method: string;
  pattern: string;
  /** All calls, including refused ones. */
  calls: number;
  refused: number;
  /** Replies with a status below 500 although the call's event was queued or became a dead letter. */
  undelivered: number;
  /** Replies by status class, in the order of STATUS_CLASSES. */
  statuses: readonly number[];
  /** Of the calls that ran. */
  durations: Counts;
  /** The sum of these durations. */
  durationMs: number;
  /** Null: no caller was authenticated. */
  last: { at: number; key: string | null; ip: string } | null;
}

export interface KeyDelta {
  id: string;
  calls: number;
  refused: number;
  codes: Record<string, number>;
  /** Between consecutive calls. */
  gaps: Counts;
  last: { at: number; ip: string; route: string };
  sources: { ip: string; calls: number; at: number }[];
  routes: KeyRouteDelta[];
}

/** The calls of a key to one route. */
export interface KeyRouteDelta {
  /** Method and pattern as the pipeline declares them, such as `POST /orders/:id`. */
  route: string;
  calls: number;
  refused: number;
  at: number;
}
