/** Rows of the audit journal (docs/spec/journal.md#what-is-recorded). A field that does not apply is absent. */
export type AuditType = 'use' | 'outcome' | 'refusal' | 'admin' | 'test' | 'prune';

export interface AuditRow {
  /** RFC 3339, UTC, milliseconds. */
  time: string;
  type: AuditType;
  requestId?: string;
  clientRequestId?: string;
  keyId?: string;
  keyName?: string;
  user?: string;
  project?: string;
  pipeline?: string;
  route?: string;
  method?: string;
  /** Without the query string. */
  path?: string;
  ip?: string;
  code?: string;
  status?: number;
  durationMs?: number;
  bytesIn?: number;
  bytesOut?: number;
  /** The number of events that the row represents, if more than one. */
  count?: number;
  /** For audited actions: the action (`key.create`), its object, and the changes. Never a secret. */
  act?: string;
  target?: string;
  detail?: string;
  /** For refusals: the compared values, so that "Why was this refused?" can be answered later. */
  why?: RefusalWhy;
}

export interface RefusalWhy {
  /** The step of docs/spec/requests.md#steps that refused the request, 0 to 11. */
  step: number;
  /**
   * The true cause (`route_stopped`, `key_revoked`, `scope_missing` …); the response to the caller may contain less.
   */
  cause: string;
  /** The compared values, by name. Never a secret. */
  compared: Record<string, string | number | boolean | null>;
}

/** The response of `GET /refusals/:requestId`. */
export interface Refusal {
  requestId: string;
  step: number;
  code: string;
  compared: Record<string, string | number | boolean | null>;
  /** Remedy: what would let the request pass, in plain text. */
  mend: string;
  time?: string;
  status?: number;
  cause?: string;
  /** The call, as far as it was known at the time of the refusal; `route` is its URL pattern. */
  method?: string;
  path?: string;
  ip?: string;
  project?: string;
  pipeline?: string;
  route?: string;
  keyId?: string;
  keyName?: string;
}

export type ChainName = 'gateway' | 'host';

/** The newest sealed batch of a chain: `seq` counts its batches from 1. */
export interface ChainHead {
  chain: ChainName;
  seq: number;
  /** Hex SHA-256. */
  hash: string;
  time: string;
}
