/** Rows of the audit journal (docs/spec/journal.md#what-is-recorded). A field that does not apply is absent. */
export const AUDIT_TYPES = ['use', 'outcome', 'refusal', 'admin', 'test', 'prune', 'write', 'written'] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** Things that a run or a user can write (docs/spec/journal.md#writes). */
export const WRITE_KINDS = ['tag', 'variable', 'file', 'database', 'message', 'call'] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

/** `unknown`: nobody knows whether the write took effect. `rehearsed`: it was simulated. */
export const WRITE_RESULTS = ['done', 'failed', 'unknown', 'not_performed', 'rehearsed'] as const;
export type WriteResult = (typeof WRITE_RESULTS)[number];

/** The version of the fields of rows of the types `write` and `written`. */
export const WRITE_FORM = 1;

/** Fields of a row before (`write`) and after (`written`) a write. Values are JSON, clipped; never a secret. */
export interface WriteFields {
  form: number;
  /** The same in both rows; unique in the chain. */
  write: string;
  kind: WriteKind;
  /** The path of a tag, the name of a variable … (docs/spec/journal.md#writes). */
  thing: string;
  /** The connection through which it is written. */
  device?: string;
  node?: string;
  run?: string;
  /** The node that began the run, or `test`. */
  trigger?: string;
  /** The last known value before the write. */
  from?: string;
  to?: string;
  /** Of a row with a `count`: the first value; `to` is the last one. */
  first?: string;
  /** The write is simulated. */
  rehearsal?: true;
  /** Of `written` rows. */
  result?: WriteResult;
  /** Of a row with a `count`: how many were not `done`. */
  failed?: number;
}

export interface AuditRow extends Partial<WriteFields> {
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
