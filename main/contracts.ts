import type {
  Change,
  FailedStart,
  GatewayCallName,
  GatewayCalls,
  GatewayEvent,
  KindManifest,
  PipelineStart,
  Snapshot,
  TriggerFault,
} from '#common/control/messages.ts';
import type { AuditRow, ChainHead, Refusal } from '#common/model/audit.ts';
import type { CallOutcome } from '#common/model/call-outcome.ts';
import type { UnprovenBatches } from '#common/node/journal/verify.ts';
import type { CONNECTION_SECRETS, ConnectionDefinition } from '#common/model/connection.ts';
import type { Ingress } from '#common/model/ingress-routes.ts';
import type { LibraryScript } from '#common/model/library-script.ts';
import type { NamedQuery } from '#common/model/named-query.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import type { PluginState } from '#common/model/plugin-manifest.ts';
import type { ErrorsWith200, PipelineDefinition } from '#common/model/pipeline.ts';
import type {
  GatewayState,
  KeyRecord,
  Permission,
  ProjectRecord,
  RevisionRecord,
  RoleRecord,
  UserRecord,
} from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';
import type { KeyLimits } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';
import type { Database } from 'sql.js';
import type { OutsideTroubles } from './audit/outside-heads.ts';

/**
 * The seams of the host: what each part requires of the others. `host.ts` connects the real ones.
 */

// ── Vault (main/vault): one sealed sql.js image ─────────────────────────────────────────────────────────────────

export interface Vault {
  /** Reads from the live image. Synchronous; never keep the database. */
  read<T>(query: (db: Database) => T): T;
  /**
   * Changes the image in one transaction and resolves when the new generation is on disk; waiting mutations are
   * written together. When the write fails, the change is undone and the error thrown.
   */
  mutate<T>(change: (db: Database) => T): Promise<T>;
  /** Tries a change on a discarded copy of the image, to get the error that it would throw. */
  rehearse(change: (db: Database) => void): void;
  /** HKDF-SHA-256 of the DB secret for one purpose (`api-key-pepper`, `anchors`, `outbox`), 32 bytes. */
  derive(purpose: string): Buffer;
  readonly generation: number;
  readonly secretStore: 'keychain' | 'credential' | 'file';
  /** True when an older generation than the keychain's was opened (docs/spec/storage.md#an-older-vault). */
  readonly rolledBack: boolean;
  close(): Promise<void>;
}

export interface KeyStore {
  list(project?: string): KeyRecord[];
  get(keyId: string): KeyRecord | null;
  /** Stores and returns the value once. Throws SluiceError `conflict` when the name is taken in the project. */
  create(input: {
    project: string;
    name: string;
    scopes: Scope[];
    /** None if absent. */
    limits?: KeyLimits;
    by: string;
  }): Promise<{ value: string; record: KeyRecord }>;
  /** Replaces the limits. Throws SluiceError `unknown`, `conflict` for a revoked key, `invalid` for a scope it lacks. */
  limit(keyId: string, limits: KeyLimits): Promise<KeyRecord>;
  /** Shows the key as revoked from now on, before `revoke` has saved it. Throws SluiceError `unknown`. */
  holdRevoked(keyId: string, by: string): void;
  /** Takes back `holdRevoked`. */
  releaseRevoked(keyId: string): void;
  revoke(keyId: string, by: string): Promise<KeyRecord>;
  /** The successor, named "name (2)", "name (3)" …, with the same scopes and limits. */
  rotate(keyId: string, by: string): Promise<{ value: string; record: KeyRecord }>;
  /** For a new project, which must not get the revoked keys of a deleted one with its id. */
  forgetRevoked(project: string): Promise<void>;
  /** For the gateway's snapshot. */
  entries(): Snapshot['keys'];
  entry(keyId: string): Snapshot['keys'][number] | null;
}

export interface SettingsStore {
  /** Saved values over defaults, overrides (flags, environment) on top. */
  current(): Settings;
  overridden(): (keyof Settings)[];
  /** Which write-only settings have a value. */
  change(patch: Partial<Settings>, by: string): Promise<Settings>;
}

/** Owner of secrets: a project's connections, or the egress nodes of its pipelines. */
export type SecretOwner = 'connection' | 'egress';

/** Secrets of projects, each under an opaque reference that says nothing and is never used twice. */
export interface SecretVault {
  /** Stores the values; resolves with their references, in the same order, when the vault is on disk. */
  put(values: readonly string[], by: string, owner?: SecretOwner): Promise<string[]>;
  has(ref: string): boolean;
  /** Null if the vault has none for that reference, such as after an older vault was restored. */
  read(ref: string): string | null;
  remove(refs: readonly string[]): Promise<void>;
}

// ── Projects (main/projects): projects.sqlite ───────────────────────────────────────────────────────────────────

/** A secret of an egress node: `field` is `staticHeaders.<name>` or `tls.key`, `ref` its place in the vault. */
export interface HeldSecret {
  node: string;
  field: string;
  ref: string;
}

/** A definition as it is stored: null in the place of every secret, with references to the vault beside it. */
export interface StoredRevisionOf {
  definition: PipelineDefinition;
  secrets: HeldSecret[];
}

export type StoredRevision = RevisionRecord & StoredRevisionOf;
export type StoredStart = PipelineStart & StoredRevisionOf;

export interface StoredPipeline extends StoredRevisionOf {
  project: string;
  revision: number;
  updatedAt: string;
  updatedBy: string;
  /** The revision that is wanted running, or null. */
  wantedRevision: number | null;
  /** When it was started; null = nothing is wanted, or this is not known. */
  wantedSince: string | null;
  /** The last revision that was started by someone holding access_settings, or null. */
  approvedRevision: number | null;
}

export type SecretField = (typeof CONNECTION_SECRETS)[number];

/** A connection as it is stored: every secret field of the definition is null; `secrets` has references to the vault. */
export interface StoredConnection {
  definition: ConnectionDefinition;
  secrets: Partial<Record<SecretField, string>>;
}

export interface StoredResources {
  connections: StoredConnection;
  queries: NamedQuery;
  tags: TagDefinition;
  scripts: LibraryScript;
}
export type ResourceFamily = keyof StoredResources;
/** Families whose changes may have to wait for somebody with more permissions. */
export type DraftFamily = 'queries' | 'scripts';

/** Saved, and not in force: pipelines use what the family has by this id, if anything. */
export interface ResourceDraft<F extends DraftFamily> {
  resource: StoredResources[F];
  /** RFC 3339, UTC. */
  savedAt: string;
  savedBy: string;
}

/** The resources of a project other than pipelines. A resource is found by its id; a tag by its path. */
export interface ResourceStore {
  /** By id. Throws SluiceError `unknown` for a project that is not there, as all of these do. */
  list<F extends ResourceFamily>(family: F, project: string): StoredResources[F][];
  get<F extends ResourceFamily>(family: F, project: string, id: string): StoredResources[F] | null;
  /** Makes it or takes its place. Throws `conflict` beyond the family's limit or the project's bytes. */
  put<F extends ResourceFamily>(family: F, project: string, resource: StoredResources[F]): void;
  remove(family: ResourceFamily, project: string, id: string): void;
  /** All tags of the project at once, or none of it. */
  replaceTags(project: string, tags: readonly TagDefinition[]): void;
  /** By id, of the family alone. */
  drafts<F extends DraftFamily>(family: F, project: string): ResourceDraft<F>[];
  draft<F extends DraftFamily>(family: F, project: string, id: string): ResourceDraft<F> | null;
  /** Makes it or takes its place. Throws `conflict` as `put` does: drafts count against the same limits. */
  putDraft<F extends DraftFamily>(family: F, project: string, resource: StoredResources[F], by: string): void;
  removeDraft(family: DraftFamily, project: string, id: string): void;
  /** Tags whose path begins with `prefix` and comes after `after`, by path, at most `limit`. */
  tagsAfter(project: string, prefix: string, after: string, limit: number): TagDefinition[];
}

/** Resources and pipelines as the gateway gets them, with secrets in clear. */
export interface ClearResources {
  of(project: string): ProjectResources;
  all(): ProjectResources[];
  pipeline(stored: StoredStart): PipelineStart;
  /** A draft that is not saved, with the secrets that saving it over `before` would keep. */
  draft(definition: PipelineDefinition, before: StoredPipeline): PipelineStart;
  /** Every pipeline that is wanted running. */
  wanted(): PipelineStart[];
}

export interface SaveOptions {
  ifRevision?: number | undefined;
  /**
   * Saved while somebody is drawing: takes the place of the newest revision if that was saved so too, by the same
   * person, within the last half hour, and was never started. Numbers of revisions are never used twice.
   */
  passing?: boolean;
}

/** Which revisions of a pipeline count, without its definition. */
export interface PipelineStamp {
  project: string;
  id: string;
  revision: number;
  wantedRevision: number | null;
  updatedAt: string;
}

export interface ProjectStore {
  readonly resources: ResourceStore;
  /** Several changes as one: all of them, or, when `work` throws, none. */
  atOnce<T>(work: () => T): T;
  projects(): ProjectRecord[];
  project(id: string): ProjectRecord | null;
  createProject(input: { id: string; name: string }): ProjectRecord;
  renameProject(id: string, name: string): ProjectRecord;
  /** The caller has made sure that nothing runs and no key is valid. Its folder waits for removal from then on. */
  deleteProject(id: string): void;
  /** Projects that are deleted, but whose folder may still be there. */
  removals(): string[];
  /** The folder of a deleted project is gone. */
  removed(id: string): void;
  pipelines(project: string): StoredPipeline[];
  /** Of every project, by project and id. */
  stamps(): PipelineStamp[];
  pipeline(project: string, id: string): StoredPipeline | null;
  createPipeline(
    project: string,
    definition: PipelineDefinition,
    by: string,
    secrets?: readonly HeldSecret[],
  ): StoredPipeline;
  /**
   * Saves a new revision; `ifRevision` other than the newest throws `revision_changed`. The newest 50, the wanted and
   * the approved one are kept.
   */
  savePipeline(
    project: string,
    definition: PipelineDefinition,
    by: string,
    options?: SaveOptions,
    secrets?: readonly HeldSecret[],
  ): StoredPipeline;
  deletePipeline(project: string, id: string): void;
  revisions(project: string, id: string): StoredRevision[];
  revision(project: string, id: string, revision: number): StoredRevision | null;
  /** References of every revision that is kept: of all projects, of one, or of one pipeline; each once. */
  secretRefs(project?: string, id?: string): string[];
  /** References that a change dropped and nothing in the store has any more, since the last `secretsRemoved`. */
  droppedSecrets(): string[];
  /** The vault has none of `droppedSecrets` any more. */
  secretsRemoved(): void;
  /** Throws when it cannot be written. */
  setWanted(project: string, id: string, revision: number | null): void;
  /**
   * Shows the pipeline as not wanted from now on, until something is saved for it or `releaseStopped` is called.
   */
  holdStopped(project: string, id: string): void;
  isStopHeld(project: string, id: string): boolean;
  /** Saves a stop that is held. Does nothing when a later start took its place. Throws when it cannot be written. */
  saveStopped(project: string, id: string): void;
  releaseStopped(project: string, id: string): void;
  /**
   * Remembers the revision's routes as the ones that were approved last, in place of earlier ones of the same route.
   */
  setApproved(project: string, id: string, revision: number): void;
  /** Routes as they were approved last, of one project or of every one; also of pipelines that are deleted. */
  approvedRoutes(project?: string): Ingress[];
  /** Every pipeline that should run, with the definition of its desired revision. */
  wanted(): StoredStart[];
  /**
   * Pipelines that were started once and are not wanted running, at most STOPPED_PIPELINES_MAX of them, with the
   * definition that was approved last.
   */
  stopped(): Pick<StoredStart, 'project' | 'definition'>[];
  close(): void;
}

// ── People (main/people) ────────────────────────────────────────────────────────────────────────────────────────

export interface Session {
  readonly user: UserRecord;
  readonly permissions: ReadonlySet<Permission>;
  readonly csrfToken: string;
  readonly expiresAt: string;
}

/** The users to create in a set-up from the command line. */
export interface FirstUsers {
  administrator: { name: string; password: string };
  roles: { name: string; permissions: Permission[] }[];
  users: { name: string; password: string; roles: string[] }[];
}

/** The user whose rights a change needs. */
export interface Actor {
  readonly user: Pick<UserRecord, 'id'>;
}

/** Rights that a user or the holders of a role have lost: log-ins, roles, permissions. Role names; `active`: false. */
export type HeldRestriction =
  | {
      readonly kind: 'user';
      readonly user: string;
      readonly active?: boolean | undefined;
      readonly roles?: readonly string[] | undefined;
    }
  | { readonly kind: 'role'; readonly role: string; readonly permissions: readonly Permission[] };

/** A restriction that is in force in memory. */
export interface RightsHold {
  /** The parts of it that are still held: log-in, roles and permissions. A later change may have replaced some. */
  left(): HeldRestriction[];
  release(): void;
}

export interface People {
  /** True until the first Administrator exists. */
  readonly setupNeeded: boolean;
  setup(input: { token: string; name: string; password: string }): Promise<UserRecord>;
  /** Throws SluiceError `login_slowed` or `setup_token_wrong` if `setup` would try no token now. */
  expectSetupAttempt(): void;
  users(): UserRecord[];
  createUser(input: { name: string; password: string; roles: string[] }, by: Session): Promise<UserRecord>;
  /** Throws what `changeUser` or `changeRole` would refuse now, with every held restriction counted. Changes nothing. */
  checkRestriction(restriction: HeldRestriction, by: Actor): void;
  /**
   * Ends the sessions of those whom it concerns and keeps the restriction in force in memory alone, until it is
   * released, or a later `changeUser` or `changeRole` has replaced it.
   */
  hold(restriction: HeldRestriction): RightsHold;
  /**
   * Saves what is left of a restriction that was allowed when it was held, and releases it. Its author may have lost the
   * right since, and others may have taken more away: it takes from what is stored then, and never gives.
   */
  saveHeld(hold: RightsHold): Promise<void>;
  changeUser(
    userId: string,
    patch: { roles?: string[]; active?: boolean; password?: string },
    by: Actor,
    /** Called in the transaction; throws to refuse the change. */
    mayChange?: () => void,
  ): Promise<UserRecord>;
  roles(): RoleRecord[];
  createRole(input: { name: string; permissions: Permission[] }, by: Session): Promise<RoleRecord>;
  changeRole(
    roleId: string,
    patch: { name?: string; permissions?: Permission[] },
    by: Actor,
    mayChange?: () => void,
  ): Promise<RoleRecord>;
  /**
   * Throws `login_failed` (one text for every cause) or `login_slowed`. Returns the cookie's value too. `uid`: the user
   * of a program on this PC that calls; null = unknown.
   */
  logIn(name: string, password: string, ip: string, uid?: number | null): Promise<{ session: Session; cookie: string }>;
  session(cookie: string): Session | null;
  logOut(cookie: string): void;
  /** Every session of the user ends; a new one takes the place of the one that asked. */
  changeOwnPassword(session: Session, old: string, next: string): Promise<{ session: Session; cookie: string }>;
  /** For the command line, which proves itself by owning the data folder. */
  resetPassword(name: string, password: string): Promise<void>;
  addUser(input: { name: string; password: string; roles: string[] }): Promise<UserRecord>;
  /**
   * A session with every permission and no user behind it, for a set-up from the command line. It ends with the first
   * Administrator, or with the next one that is opened. Throws `conflict` when there is an Administrator.
   */
  openSetupSession(): { cookie: string; session: Session };
  endSetupSession(): void;
  /** The first Administrator, roles and other users, in one transaction. Throws `conflict` when there is an Administrator. */
  setUpAll(input: FirstUsers): Promise<UserRecord>;
  /** Called when sessions end early (deactivation, roles or password changed): live streams close. */
  onSessionsEnded(listener: (userId: string) => void): void;
  /** Ends sessions whose 12 hours are over. They admit nobody before that either. */
  endExpiredSessions(): void;
  /** Called when a session ends that nobody ended: it `expired`, or was `displaced` by newer ones past the limits. */
  onSessionOver(listener: (user: UserRecord, cause: 'expired' | 'displaced') => void): void;
}

// ── Audit (main/audit): reads both chains, writes the host's ────────────────────────────────────────────────────

export interface AuditFilter {
  from?: string;
  to?: string;
  project?: string;
  keyId?: string;
  route?: string;
  code?: string;
  requestId?: string;
  type?: AuditRow['type'];
  /** Words that each occur in the row. */
  find?: string;
  /** An address or a range of addresses. */
  address?: string;
  outcome?: CallOutcome;
  cursor?: string;
  /** 1 to 1,000; default 100. */
  limit?: number;
}

export interface AuditPage {
  items: AuditRow[];
  next: string | null;
  /** Rows down to this time were looked at; null: all. */
  searchedTo: string | null;
  /** The time of the newest row of the journal; null: there are no rows. */
  newest: string | null;
}

export interface FacetCount {
  value: string;
  /** For people. */
  name?: string;
  calls: number;
}

interface FacetCounts {
  values: FacetCount[];
  /** Calls that have no such value. */
  without: number;
  /** Calls of values that are not listed. */
  others: number;
}

/** Counts of calls (docs/spec/journal.md#counts). With `next` they cover a part of the range. */
export interface AuditSummary {
  from: string;
  to: string;
  stepMs: number;
  bars: ({ at: string } & Record<CallOutcome, number>)[];
  outcomes: Record<CallOutcome, number>;
  consumers: FacetCounts;
  routes: FacetCounts;
  addresses: FacetCounts;
  next: string | null;
}

export interface VerifyReport {
  ok: boolean;
  chains: { chain: 'gateway' | 'host'; segments: number; batches: number; rows: number; head: ChainHead | null }[];
  /** Faults, each as a plain sentence that names segment and batch. */
  findings: string[];
  /**
   * Rows that no anchor covers, after an unclean stop or, `sealed`, forged after a clean one; 1,000 are listed at most.
   */
  unproven: (UnprovenBatches & { chain: 'gateway' | 'host' })[];
  /** Tails that an unclean stop may have shortened, each with its window. */
  uncleanStops: { chain: 'gateway' | 'host'; from: string; to: string; bytesDropped: number }[];
  /** The proof that was verified with the journal, if it is genuine. */
  proof?: { at: string; by: string; rows: number };
}

/** Evidence that a person kept outside the data folder, as its text. */
export interface KeptEvidence {
  /** Lines with heads. */
  heads?: string;
  /** A proof of a verification. */
  proof?: string;
}

/** The last verification that was recorded. */
export interface Verification {
  at: string;
  by: string;
  ok: boolean;
  rows: number;
  findingCount: number;
}

export interface JournalTroubles {
  /** Lasting findings, each a sentence. */
  tampered: readonly string[];
  /** Rows behind the last anchor that were found since the start. */
  unproven: readonly { chain: 'gateway' | 'host'; from: number; to: number; rows: number }[];
  /** Of the file outside the data folder that keeps heads; null: none is set. */
  outside: OutsideTroubles | null;
  /** Rows that wait for room on the disk. */
  spareRows: number;
}

export interface JournalUsage {
  /** Bytes of both chains, pruned segments included. */
  bytes: number;
  /** Bytes that today's rate makes in a day. */
  bytesPerDay: number;
  /** Time of the oldest rows; null = there are none. */
  oldest: string | null;
}

export interface Audit {
  /**
   * Records an administrative act in the host's chain; resolves when it is in the file. `mayUseSpare`: on a full disk it
   * may be in the file of spare rows until there is room. Not for rows that any caller can cause.
   */
  record(
    row: Omit<AuditRow, 'time' | 'type'> & { type?: AuditRow['type'] },
    options?: { readonly mayUseSpare?: boolean },
  ): Promise<void>;
  /** Newest first. Sees every row that is in the files at the time of the call. */
  query(filter: AuditFilter): Promise<AuditPage>;
  /** Counts of calls, page by page. */
  summary(filter: AuditFilter): Promise<AuditSummary>;
  export(filter: AuditFilter, format: 'csv' | 'jsonl'): AsyncIterable<string>;
  refusal(requestId: string): Promise<Refusal | null>;
  /** keyId → time of its last use, from the journal. */
  lastUsed(): Promise<Map<string, string>>;
  /** Does not write to the journal. */
  verify(kept?: KeptEvidence): Promise<VerifyReport>;
  /** One at a time; records a row and creates a proof (docs/spec/journal.md#proof). */
  verifyAndRecord(who: Partial<AuditRow> & { user: string }): Promise<VerifyReport>;
  /** Whether a recorded verification is running. */
  verifying(): boolean;
  lastVerification(): Verification | null;
  /** The proof of the last verification, as a file. */
  proof(): string | null;
  /** The size of the journal and its growth. */
  usage(): Promise<JournalUsage>;
  /** A head reported by the gateway, to go into the next anchors. */
  head(head: ChainHead, clean: boolean): void;
  /** A gateway opened its chain after this batch. */
  opened(found: ChainHead): void;
  /** The gateway's process ended. */
  ended(): void;
  /** The newest anchored heads of both chains. */
  heads(): ChainHead[];
  /** Uses the file outside the data folder now if another one was set or it is time. */
  lookOutside(): Promise<void>;
  /** Faults of the journal that this start, or an earlier one, found; for alarms. */
  troubles(): JournalTroubles;
  close(): Promise<void>;
}

// ── Desktop (main/desktop): the window around the host, if there is one ─────────────────────────────────────────

/** Calls of the admin API to the desktop window. Absent in service mode. */
export interface DesktopPort {
  /** The window fills the screen, and nothing but the UI can be reached from it. */
  kiosk(): boolean;
  /** Resolves when the desired state is on disk and the window has adopted it. */
  setKiosk(on: boolean): Promise<void>;
}

// ── Gateway (main/supervisor, main/publish) ─────────────────────────────────────────────────────────────────────

/** Times are RFC 3339. `ended`: the process ended by itself; `refused`: it did not apply a change in time. */
export interface GatewayOutage {
  readonly from: string;
  readonly to: string;
  readonly cause: OutageCause;
}

export type OutageCause = 'silent' | 'refused' | 'ended';

export interface GatewayLink {
  readonly state: GatewayState;
  readonly since: string;
  readonly pid: number | null;
  readonly port: number | null;
  readonly restarts: number;
  /** Time since the gateway last sent a message; null without a process. */
  readonly silentMs: number | null;
  /** The last time in which no gateway served, once the next one serves; null: none since the host started. */
  readonly lastOutage: GatewayOutage | null;
  readonly kinds: KindManifest[];
  /** The state of each approved plugin. */
  readonly plugins: PluginState[];
  readonly failed: FailedStart[];
  /** Of the gateway that runs now. */
  readonly triggerFaults: readonly TriggerFault[];
  /** Of the gateway that runs now, by `project/pipeline`. */
  readonly errorsWith200: ReadonlyMap<string, ErrorsWith200[]>;
  /**
   * Applies a change. Revocations and stops resolve when acknowledged or when the gateway that did not
   * acknowledge within 2 s was killed; settings then when the next one serves with them, and throw SluiceError when it
   * does not. Without a gateway they resolve immediately and apply when one serves. Starts throw SluiceError (`invalid`,
   * `route_clash`, `gateway_down`).
   */
  change(change: Change): Promise<void>;
  /** Throws SluiceError `gateway_down` without a gateway. */
  call<C extends GatewayCallName>(call: C, args: GatewayCalls[C]['args']): Promise<GatewayCalls[C]['value']>;
  on(listener: (event: GatewayEvent | { kind: 'state' }) => void): () => void;
  /** Resolves when the first snapshot is live; rejects with the reason when the port cannot be opened. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
