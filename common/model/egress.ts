import type { Series, TrafficRange } from './traffic.ts';

/** Records of store-and-forward (docs/spec/egress.md#targets). Times are RFC 3339 in UTC. */

export type EgressTargetState = 'open' | 'paused';

export interface EgressTarget {
  /** Opaque. */
  id: string;
  /** Scheme, host and port: `https://mes.example:8443`. */
  target: string;
  state: EgressTargetState;
  /** Why it is paused, or why its first event waits, in plain text; null: no problem. */
  reason: string | null;
  /** The user who paused it, or null if Sluice did. */
  pausedBy: string | null;
  pausedAt: string | null;
  queued: number;
  dead: number;
  /** Bytes of its events in the buffer, including dead ones. */
  bytes: number;
  oldestAt: string | null;
  nextTryAt: string | null;
  /** Seconds until the buffer is full at this target's current rates; null: it does not fill up. */
  fullInSeconds: number | null;
  /** During the last minute. */
  acceptedPerMinute: number;
  deliveredPerMinute: number;
  lastAnswer: EgressAnswer | null;
  rehearsal: Rehearsal | null;
}

export interface EgressAnswer {
  at: string;
  /** Null: no response was received; `text` contains the reason. */
  status: number | null;
  /** Plain text, at most 200 characters: the start of the response body, or the error. */
  text: string;
  durationMs: number;
}

/** All targets share one buffer. */
export interface EgressBuffer {
  bytes: number;
  bytesMax: number;
  events: number;
  eventsMax: number;
  /** Null: unknown. */
  diskFreeBytes: number | null;
  diskReserveBytes: number;
  fullInSeconds: number | null;
  /** Why no event can be stored now; null: events can be stored. */
  trouble: string | null;
}

/** The fuller of its two limits, 0 to 1. */
export function filledShare({ bytes, bytesMax, events, eventsMax }: EgressBuffer): number {
  return Math.min(1, Math.max(bytes / bytesMax, events / eventsMax));
}

/** The greatest values of each step; null where the gateway did not answer. */
export interface Backlog {
  /** Scheme, host and port. */
  target: string;
  range: TrafficRange;
  at: string;
  /** Events that waited for the target. */
  waiting: Series;
  /** The share of the buffer of all targets that was in use, 0 to 1. */
  filled: Series;
}

export interface EgressState {
  buffer: EgressBuffer;
  targets: EgressTarget[];
}

export type EgressEventState = 'queued' | 'dead';

export interface EgressEvent {
  id: string;
  state: EgressEventState;
  /** The ID of the target, and the target itself. */
  target: string;
  origin: string;
  project: string;
  pipeline: string;
  node: string;
  method: string;
  /** Bytes of the body. */
  bodyBytes: number;
  acceptedAt: string;
  attempts: number;
  nextTryAt: string | null;
  lastAnswer: EgressAnswer | null;
  /** Why it is dead, in plain text. */
  reason: string | null;
  diedAt: string | null;
}

/** The content of an event, for users who may see payloads. */
export interface EgressPayload {
  /** Sent with every attempt; changes when the event is edited. */
  idempotencyKey: string;
  orderingKey: string | null;
  /** Path and query. */
  path: string;
  contentType: string | null;
  /** Exactly one of the two is set; `text` if the body is UTF-8. Both are null for an event without a body. */
  text: string | null;
  base64: string | null;
  traceparent: string | null;
}

/**
 * `payload` is null if it was not requested, or if the reader may not see it. `tries`: the first and the latest ones,
 * oldest first; `attempts` counts all of them.
 */
export type EgressEventDetail = EgressEvent & { payload: EgressPayload | null; tries: EgressAnswer[] };

/** Absent: unchanged. */
export type EgressEdit = Partial<Pick<EgressPayload, 'path' | 'contentType' | 'text' | 'base64'>>;

/**
 * One line of an export, from which the event can be created again on this or another machine. It never contains values
 * of headers.
 */
export interface ExportedEvent {
  id: string;
  origin: string;
  project: string;
  pipeline: string;
  node: string;
  method: string;
  acceptedAt: string;
  payload: EgressPayload;
}

/** A target is blocked for a while, to test what happens when it is down. */
export interface Rehearsal {
  /** blocked: nothing is sent; draining: waiting events are sent; done: the result is final. */
  state: 'blocked' | 'draining' | 'done';
  by: string;
  startedAt: string;
  blockedUntil: string;
  doneAt: string | null;
  /** Events accepted while the target was blocked, and those that waited before. */
  accepted: number;
  waitedBefore: number;
  delivered: number;
  dead: number;
  /** How many of `accepted + waitedBefore` still wait. */
  waiting: number;
  backlogMost: number;
  /** Events that are neither delivered, dead nor waiting; 0 proves that nothing was lost. */
  lost: number;
  /** Deliveries that overtook an older event of the same queue; 0 proves that the order was kept. */
  reordered: number;
  /** The number of waiting events, sampled once a second, at most 600 times. */
  samples: { at: string; waiting: number }[];
}
