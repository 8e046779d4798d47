import type { Phrase } from '../alarms/phrase.ts';
import type { AlarmSeverity } from '../alarms/severity.ts';
import type { Scope } from '../scopes.ts';
import type { WriteKind } from './audit.ts';
import type { KeyLimits } from './key-limits.ts';
import type { ErrorsWith200, PipelineDefinition, PipelineState, TriggerTrouble } from './pipeline.ts';

/** Records of the admin API (docs/spec/admin-api.md#conventions). Times are RFC 3339 in UTC. */
export interface KeyRecord {
  id: string;
  project: string;
  name: string;
  scopes: Scope[];
  /** Without lists: as far as the scopes reach. */
  limits: KeyLimits;
  /** Null: not paused. */
  paused: KeyPause | null;
  /** Never accepted; its use is an alarm. */
  honey: boolean;
  /** Null: not seen at such a place. */
  exposed: KeyExposure | null;
  createdAt: string;
  createdBy: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
}

/** Where the value of a key was seen, or how it was used unexpectedly (docs/spec/keys.md#exposed-keys). */
export const SIGHTING_KINDS = ['honey', 'query', 'authorization', 'body', 'plain_http', 'second_host'] as const;
export type SightingKind = (typeof SIGHTING_KINDS)[number];

/** The request in which a key was seen at a place where others can read it; of a honey key, its last use. */
export interface KeyExposure {
  at: string;
  how: SightingKind;
  ip: string;
  method: string;
  path: string;
}

/** The key is refused until it is resumed. */
export interface KeyPause {
  at: string;
  by: string;
  reason: string;
  /** It waits for another user than `by` (docs/spec/keys.md#a-second-user). */
  second?: true;
}

export interface ProjectRecord {
  id: string;
  name: string;
  createdAt: string;
}

export interface PipelineRecord extends PipelineDefinition {
  project: string;
  revision: number;
  state: PipelineState;
  runningRevision: number | null;
  /** When it was started; null if it is not running, or if the time is unknown. */
  runningSince: string | null;
  triggerFaults: TriggerTrouble[];
  errorsWith200: ErrorsWith200[];
  /**
   * The last revision that a user with `access_settings` started: a revision that widens access beyond it needs that
   * permission again.
   */
  approvedRevision: number | null;
  updatedAt: string;
  updatedBy: string;
}

export interface RevisionRecord {
  revision: number;
  savedAt: string;
  savedBy: string;
  definition: PipelineDefinition;
}

export interface UserRecord {
  id: string;
  name: string;
  roles: string[];
  active: boolean;
  createdAt: string;
  lastLoginAt: string | null;
}

export const PERMISSIONS = [
  'access_settings',
  'manage_keys',
  'manage_users',
  'edit_pipelines',
  'run_pipelines',
  'view_audit',
  'view',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A service token of the admin API (docs/spec/users.md#service-tokens), without its value. Times are RFC 3339. */
export interface TokenRecord {
  id: string;
  name: string;
  /** As they were given. */
  permissions: Permission[];
  /** Those that its creator still holds; none while the creator is deactivated. */
  permissionsNow: Permission[];
  /** Null: all projects. */
  project: string | null;
  /** Addresses and networks from which it may be used; null: all. */
  addresses: string[] | null;
  createdAt: string;
  /** The name of the user. */
  createdBy: string;
  endsAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
}

export interface RoleRecord {
  id: string;
  name: string;
  permissions: Permission[];
  builtIn: boolean;
}

export type GatewayState = 'starting' | 'running' | 'draining' | 'stopping' | 'dead';

export interface Alarm {
  code: string;
  severity: AlarmSeverity;
  /** In English. */
  text: string;
  /** Values in the text, for a translation. */
  values: Record<string, string | number>;
  /** Values of the text that are phrases, for a translation (common/alarms/phrase.ts). */
  phrases?: Record<string, Phrase[]>;
  since: string;
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
  /** Until when the alarm is hidden, and by whom; null: it is shown. */
  shelvedUntil: string | null;
  shelvedBy: string | null;
  /** The comment of the acknowledgement or shelving. */
  note: string | null;
}

/** A past alarm; `endedAt` is null while it is still raised. */
export interface PastAlarm extends Alarm {
  id: number;
  endedAt: string | null;
}

export interface StatusRecord {
  version: string;
  startedAt: string;
  /** This PC: its name, and the address that callers on the network use; null: it has only loopback addresses. */
  machine: { name: string; address: string | null };
  gateway: {
    pid: number | null;
    state: GatewayState;
    since: string;
    restarts: number;
    port: number | null;
    /** Time since the last heartbeat of the gateway, which it sends every 2 s; null: there is no process. */
    silentMs: number | null;
  };
  pipelines: { running: number; failed: number };
  alarms: Alarm[];
  /**
   * The window that contains the host: whether it is the full screen of a panel. Absent: there is no window, as in a
   * service.
   */
  desktop?: { kiosk: boolean };
  /** Absent outside of a fleet. */
  fleet?: 'hub' | 'edge';
}

export interface RunStep {
  node: string;
  kind: string;
  port: string | null;
  /** Microseconds since the start of the run. */
  startedUs: number;
  durationUs: number;
  input: unknown;
  output: unknown;
  error?: { code: string; message: string };
}

/** A write that was simulated. */
export interface RehearsedWrite {
  node: string;
  kind: WriteKind;
  /** As in the journal: the path of a tag, the name of a variable … */
  thing: string;
  /** JSON, clipped; absent where values are not journaled, and for readers without `edit_pipelines`. */
  to?: string;
}

export interface RunRecord {
  id: string;
  requestId: string;
  pipeline: string;
  revision: number;
  /** Null: a public route, a trigger or a test. */
  caller: { keyId: string; name: string } | null;
  /** Method and pattern, such as "POST /api/v1/orders"; null: a trigger or a test. */
  route: string | null;
  startedAt: string;
  durationMs: number;
  outcome: 'replied' | 'failed' | 'timeout' | 'cancelled' | 'ended';
  status: number | null;
  error: { node: string | null; code: string; message: string } | null;
  test: boolean;
  steps: RunStep[];
  /** True if payloads were too large to keep, or if the reader may not see them. */
  payloadsOmitted: boolean;
  /** Present if writes were simulated; `writes` has the first ones. */
  rehearsal?: { count: number; writes: RehearsedWrite[] };
}
