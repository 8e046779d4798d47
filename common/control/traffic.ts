import type { Counts } from '../traffic/counts.ts';

/**
 * What the gateway tells of its traffic: what happened since it was asked before, in parts, one per asking. A part is
 * told again until an asking with its cursor says that it has arrived, so that no call is lost or counted twice.
 * Times are milliseconds since 1970.
 */
export interface TrafficAnswer {
  /** Of this gateway process: a cursor of another one means nothing to it. */
  epoch: string;
  /** To be sent with the next asking. */
  cursor: number;
  inFlight: number;
  parts: TrafficPart[];
}

export interface TrafficPart {
  cursor: number;
  /** How long it counted. */
  spanMs: number;
  /** Refused before a route was found. */
  unrouted: number;
  routes: RouteDelta[];
  keys: KeyDelta[];
}

export interface RouteDelta {
  /** `project/pipeline/node` */
  id: string;
  /** All, refused ones too. */
  calls: number;
  refused: number;
  /** Ended with a status of 500 or above. */
  errors: number;
  /** Of those that ran. */
  durations: Counts;
  /** Null: no caller that was let in. */
  last: { at: number; key: string | null; ip: string } | null;
}

export interface KeyDelta {
  id: string;
  calls: number;
  refused: number;
  codes: Record<string, number>;
  /** Between one call and the one before it. */
  gaps: Counts;
  last: { at: number; ip: string; route: string };
  sources: { ip: string; calls: number; at: number }[];
}
