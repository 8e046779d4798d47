import type { FieldError, ErrorCode } from '../errors/catalogue.ts';
import type { RuleSentence } from '../errors/rules.ts';
import type { ChainHead } from '../model/audit.ts';
import type { ConnectionDefinition } from '../model/connection.ts';
import type {
  EgressEdit,
  EgressEvent,
  EgressEventDetail,
  EgressEventState,
  EgressState,
  EgressTarget,
  ExportedEvent,
} from '../model/egress.ts';
import type { KeyLimits, ThingList } from '../model/key-limits.ts';
import type { LibraryScript } from '../model/library-script.ts';
import type { DatabaseSchema } from '../model/database-schema.ts';
import type { TestPart } from '../model/test-part.ts';
import type { NamedQuery, QueryResult } from '../model/named-query.ts';
import type { CheckResult, ErrorsWith200, PipelineDefinition, TriggerTrouble } from '../model/pipeline.ts';
import type { PluginLoad, PluginState } from '../model/plugin-manifest.ts';
import type { RouteMethod } from '../model/route-settings.ts';
import type { RunRecord } from '../model/records.ts';
import type { ProjectResources } from '../model/resources.ts';
import type { WriteStop } from '../model/write-stop.ts';
import type { Settings } from '../model/settings.ts';
import type { TagQuality } from '../model/tag.ts';
import type { PipelineTraffic } from '../model/traffic.ts';
import type { SightingKind } from '../model/records.ts';
import type { Scope } from '../scopes.ts';
import type { TrafficAnswer } from './traffic.ts';

/**
 * Messages between host and gateway over the child process's channel (docs/spec/processes.md#changes). After the first
 * snapshot only changes are sent, each with an epoch that the gateway acknowledges once the change is in force. All
 * values are JSON.
 */

/** A key as the gateway knows it: only its keyed hash (hex HMAC-SHA-256), never the value. */
export interface KeyEntry {
  id: string;
  hash: string;
  project: string;
  name: string;
  scopes: Scope[];
  limits: KeyLimits;
  /** The reason; null: not paused. */
  paused: string | null;
  /** Refused like an unknown key; its use is reported. */
  honey: boolean;
  revoked: boolean;
  /** The hash is under the pepper of the fleet, and the hub may have revoked the key without this machine's knowledge. */
  ofFleet?: true;
}

/** A pipeline revision that should run. */
export interface PipelineStart {
  project: string;
  revision: number;
  definition: PipelineDefinition;
}

/** A route of a stopped pipeline: for the journal, which distinguishes it from a route that never existed. */
export interface StoppedRoute {
  project: string;
  pipeline: string;
  method: RouteMethod;
  urlPattern: string;
}

export interface Snapshot {
  dataDir: string;
  settings: Settings;
  /** The host name of the PC, one of the hosts that count as the gateway's own origin. */
  machineName: string;
  /** Hex, 32 bytes: key for API key hashes, derived from the DB secret. */
  keyPepper: string;
  /** Hex, 32 bytes: key for the hashes of the fleet's keys; null outside of a fleet. */
  fleetPepper: string | null;
  /** Hex, 32 bytes: encrypts the events in the outbox, derived from the DB secret. */
  outboxKey: string;
  keys: KeyEntry[];
  pipelines: PipelineStart[];
  stoppedRoutes: StoppedRoute[];
  /** The resources of every project, with the secrets of its connections unencrypted. */
  resources: ProjectResources[];
  plugins: PluginLoad[];
  writeStops: WriteStop[];
  /**
   * True: every key is refused until an Administrator has confirmed an older vault
   * (docs/spec/storage.md#an-older-vault).
   */
  refuseAllKeys: boolean;
  /** True: keys of the fleet are refused until what the hub has revoked meanwhile is in force here. */
  refuseFleetKeys: boolean;
}

export type Change =
  | { kind: 'key'; key: KeyEntry }
  | { kind: 'key-revoked'; keyId: string }
  | { kind: 'key-limits'; keyId: string; limits: KeyLimits }
  /** `paused`: the reason; null: resumed. */
  | { kind: 'key-paused'; keyId: string; paused: string | null }
  | { kind: 'settings'; settings: Settings }
  /** Those of all projects. */
  | { kind: 'write-stops'; stops: WriteStop[] }
  | { kind: 'refuse-all-keys'; on: boolean }
  | { kind: 'refuse-fleet-keys'; on: boolean }
  /** Null: the project was deleted, and the gateway deletes its data too. */
  | { kind: 'resources'; project: string; resources: ProjectResources | null }
  | { kind: 'plugins'; plugins: PluginLoad[] }
  | { kind: 'start'; start: PipelineStart }
  | { kind: 'stop'; project: string; pipeline: string };

export interface Failure {
  code: ErrorCode;
  detail: string;
  /** `detail` with its rule, if it is a declared sentence. */
  sentence?: RuleSentence;
  errors?: FieldError[];
}

/** Questions that change nothing; each is answered by a `reply` with the same id. */
/** The user of a capability call or a test, for the rows of a write. */
export interface CallerOfWrite {
  user?: string;
  ip?: string;
}

export interface GatewayCalls {
  check: { args: { project: string; definition: PipelineDefinition }; value: CheckResult };
  test: {
    args: {
      project: string;
      revision: number;
      definition: PipelineDefinition;
      message: unknown;
      scopes: Scope[];
      part?: TestPart;
      who?: CallerOfWrite;
      /** Writes are simulated. */
      rehearsal?: boolean;
      /** Of the run, with their owner. */
      limits?: KeyLimits;
      limitsOf?: 'key' | 'pipeline';
    };
    value: RunRecord;
  };
  /** The things that a key used since `since`; null: the gateway does not know the key. */
  'key-things': {
    args: { keyId: string };
    value: { since: string; lists: Partial<Record<ThingList, { things: readonly string[]; more: boolean }>> } | null;
  };
  runs: { args: { project: string; pipeline: string }; value: RunRecord[] };
  run: { args: { project: string; pipeline: string; run: string }; value: RunRecord | null };
  /**
   * A capability call by a user, through the same broker with every scope: reading tags, writing a file. Bytes are sent
   * as `{ "base64": "…" }`, as the whole value or as `content`.
   */
  capability: { args: { project: string; name: string; args: unknown; who?: CallerOfWrite }; value: unknown };
  'connection-test': { args: { project: string; connection: ConnectionDefinition }; value: ConnectionTest };
  'database-schema': { args: { project: string; connection: string }; value: DatabaseSchema };
  /** Tests a draft, whatever is saved. */
  /** `readOnly`: in a mode in which the database refuses every change of data. */
  'query-test': {
    args: {
      project: string;
      query: NamedQuery;
      params: Record<string, unknown>;
      readOnly: boolean;
      who?: CallerOfWrite;
    };
    value: QueryResult;
  };
  'script-test': {
    args: { project: string; script: LibraryScript; args: unknown; scopes: Scope[]; who?: CallerOfWrite };
    value: { value: unknown; lines: { level: string; message: string }[] };
  };
  /** The reason why a library script can never run, such as a syntax error; null if none is known. */
  'script-check': { args: { script: LibraryScript }; value: { fault: string | null } };
  stats: { args: Record<string, never>; value: GatewayStats };
  /** Changes since the answer with `epoch` and `cursor`; null and 0 request everything that has not been reported. */
  traffic: { args: { epoch: string | null; cursor: number }; value: TrafficAnswer };
  /** Null: it is not running. */
  'node-traffic': {
    args: { project: string; pipeline: string };
    value: (Pick<PipelineTraffic, 'nodes'> & { revision: number }) | null;
  };
  'egress-state': { args: Record<string, never>; value: EgressState };
  /** `by` is the name of the user. Returns the updated target. Throws `unknown`, `conflict`. */
  'egress-target-act': { args: { target: string; act: EgressTargetAct; by: string }; value: EgressTarget };
  /** Oldest first. `payloads` only for users who may see them. */
  'egress-events': {
    args: {
      state: EgressEventState | null;
      target: string | null;
      cursor: string | null;
      limit: number;
      payloads: boolean;
    };
    value: { items: EgressEventDetail[]; next: string | null };
  };
  'egress-event': { args: { event: string; payload: boolean }; value: EgressEventDetail | null };
  /**
   * `retry` returns a dead event to its position in its queue; `discard` removes a dead event, or a queued one of a
   * paused target. Returns the updated event; null: it no longer exists. Throws `unknown`, `conflict`.
   */
  'egress-event-act': { args: { event: string; act: 'retry' | 'discard' }; value: EgressEvent | null };
  /** Edits a dead event, which gets a new Idempotency-Key. Throws `unknown`, `conflict`, `invalid`. */
  'egress-edit': { args: { event: string; edit: EgressEdit }; value: EgressEventDetail };
  /** Stores exported events as dead letters, all or none; existing ones are skipped. */
  'egress-import': { args: { events: ExportedEvent[] }; value: { imported: number; skipped: number } };
}

/** `try` sends the first event of a paused target once; `rehearse` blocks the target for a minute. */
export type EgressTargetAct = 'pause' | 'resume' | 'try' | 'rehearse';
/** `text` describes the response, or why there is none. */
export interface ConnectionTest {
  ok: boolean;
  text: string;
  durationMs: number;
}

export type GatewayCallName = keyof GatewayCalls;

export type HostToGateway =
  | { type: 'snapshot'; epoch: number; snapshot: Snapshot }
  | { type: 'change'; epoch: number; change: Change }
  | { type: 'call'; id: number; call: GatewayCallName; args: unknown }
  | { type: 'ping'; id: number }
  /** Finish in-flight requests (within `graceMs`), close, exit with code 0. */
  | { type: 'stop'; graceMs: number };

export type GatewayToHost =
  /** First message: the node kinds that this gateway can run. */
  | { type: 'hello'; version: string; pid: number; kinds: KindManifest[] }
  /**
   * A compilation or a change of settings is still in progress; counts as a heartbeat for pending changes and for the
   * snapshot.
   */
  | { type: 'progress'; epoch: number; done: number; total: number }
  | { type: 'ack'; epoch: number; error?: Failure }
  /** The first snapshot is live and the port listens. */
  | { type: 'ready'; port: number; plainHttpPort: number | null; failed: FailedStart[] }
  /** After plugins were loaded: all node kinds that this gateway can run now, and the state of each plugin. */
  | { type: 'kinds'; kinds: KindManifest[]; plugins: PluginState[] }
  | { type: 'reply'; id: number; value?: unknown; error?: Failure }
  | { type: 'pong'; id: number }
  | { type: 'head'; head: ChainHead; clean: boolean }
  /** The journal was opened after this batch. */
  | { type: 'journal-opened'; found: ChainHead }
  | { type: 'event'; event: GatewayEvent };

export interface FailedStart {
  project: string;
  pipeline: string;
  revision: number;
  errors: CheckResult['errors'];
}

/** A trigger node of a running revision that starts no runs, or fewer than it should. */
export interface TriggerFault extends TriggerTrouble {
  project: string;
  pipeline: string;
}

export type GatewayEvent =
  | { kind: 'refused'; requestId: string; code: string; status: number; route: string | null; at: string }
  | { kind: 'journal'; state: 'ok' | 'unavailable'; reason: string | null }
  /**
   * Sent when the warning begins, when its counts grow, and when a start or a stop has ended it; then no node is named.
   */
  | {
      kind: 'pipeline-warning';
      project: string;
      pipeline: string;
      code: string;
      message: string;
      errorsWith200: ErrorsWith200[];
    }
  /** Sent when they change, for all running pipelines. */
  | { kind: 'trigger-faults'; faults: TriggerFault[] }
  | { kind: 'egress'; egress: EgressNews }
  /** The largest recent writers, the largest first; sent when the list changes, at most once a second. */
  | { kind: 'disk-writers'; writers: DiskWriter[] }
  /** An exposed key, once for each kind, or the use of a honey key, at most once a minute. */
  | { kind: 'key-sighting'; sighting: KeySighting }
  /** Holders that use up shared limits; sent when the list changes. */
  | { kind: 'shares'; uses: ShareUse[] };

/** Where a key was seen. It never holds the value of the key. */
export interface KeySighting {
  keyId: string;
  how: SightingKind;
  /** RFC 3339. */
  at: string;
  ip: string;
  method: string;
  path: string;
}

/** A project or part that stores data for callers; `project` is null if it does not belong to one project. */
export interface DiskWriter {
  project: string | null;
  /** The pipeline that stored at least half of it; null: none did, or it is not known. */
  pipeline: string | null;
  kind: DiskWriterKind;
}

export type DiskWriterKind = 'files' | 'database' | 'variables' | 'tags' | 'history' | 'outbox' | 'journal' | 'uploads';

/** `name`: of the key, or the network of callers without a key; null: several holders of the project together. */
export interface ShareUse {
  cap: string;
  name: string | null;
  project: string;
}

/** Conditions of store-and-forward that raise alarms; sent when they change, at most once a second. */
export interface EgressNews {
  paused: { target: string; reason: string | null; by: string | null }[];
  dead: number;
  /** Of the buffer: 0 to 1. */
  filled: number;
  /** Why no event can be stored; null = they can. */
  trouble: string | null;
  /** Targets whose hanging calls occupy all slots for stored calls; at most a few, the worst first. */
  sendsHeldBy: string[];
  /** Holders that were refused because their share of the buffer was full, and still is; at most a few. */
  shareFull: { project: string; target: string }[];
  /** Targets whose direct calls were recently refused because a share was used up; at most a few. */
  callsRefusedTo: string[];
}

export interface RouteStats {
  project: string;
  pipeline: string;
  node: string;
  method: string;
  pattern: string;
  calls: number;
  refused: number;
  /** Replies with status 500 or above. */
  errors: number;
  /** 200 replies whose body has an `error` key. */
  errorsWith200: number;
}

/** Resource use of one process; times in seconds, sizes in bytes. */
export interface ProcessFigures {
  /** Since 1970. */
  startedAt: number;
  /** User and system time of all threads. */
  cpuSeconds: number;
  residentBytes: number;
  /** Of the main thread. */
  heapUsedBytes: number;
  heapLimitBytes: number;
  /** How late timers fired on the event loop of the main thread; null: not measured yet. */
  eventLoopDelay: { mean: number; p99: number; max: number } | null;
}

/** A connection to devices that has tags. */
export interface DeviceFigures {
  project: string;
  connection: string;
  /** `opcua`, `modbus`, `mqtt` */
  provider: string;
  /** Its tags by the quality of their current value. */
  tags: Record<TagQuality, number>;
}

/** Sessions of a connection to a database server that was used since the gateway started. */
export interface DatabaseFigures extends PoolFigures {
  project: string;
  connection: string;
}

export interface PoolFigures {
  max: number;
  held: number;
  idle: number;
  dialling: number;
  /** Calls that wait for a session. */
  waiting: number;
  /** Whether the last connection attempt succeeded; null: no attempt has ended yet. */
  reachable: boolean | null;
}

/** Runs of scripts since the gateway started. One that a native run left to the sandbox is a run of the sandbox. */
export interface ScriptRuns {
  native: number;
  sandbox: number;
}

export interface GatewayStats {
  connections: number;
  inFlight: number;
  bodyBytes: number;
  journal: { state: 'ok' | 'unavailable'; head: ChainHead | null };
  routes: RouteStats[];
  process: ProcessFigures;
  scripts: ScriptRuns;
  /** At most FIGURES_MAX of each. */
  devices: DeviceFigures[];
  databases: DatabaseFigures[];
}

/** Limit of the connections that the gateway reports. */
export const FIGURES_MAX = 300;

/** The data of a node kind that host and UI use. `settings` is a JSON Schema (2020-12) with titles. */
export interface KindManifest {
  id: string;
  version: string;
  title: string;
  summary: string;
  category: string;
  /** Whether every node of the kind has an input; false if it depends on `mode`: see `modes`. */
  input: boolean;
  ports: string[];
  scopes: Scope[];
  /** For kinds with a setting `mode`: whether a node in that mode has an input, and its possible ports. */
  modes?: Record<string, { input: boolean; ports: string[] }>;
  /** The ID of the third-party plugin that provides it; null: built in. */
  plugin: string | null;
  settings: unknown;
  examples: unknown[];
}
