import type {
  Change,
  FailedStart,
  GatewayCallName,
  GatewayCalls,
  GatewayEvent,
  KindManifest,
  PipelineStart,
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
  Permission,
  ProjectRecord,
  RevisionRecord,
  RoleRecord,
  TokenRecord,
  UserRecord,
} from '#common/model/records.ts';
import type { NewToken } from '#common/contract/token.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Database } from 'sql.js';
import type { OutsideTroubles } from './audit/outside-heads.ts';
import type { WriteStops } from './projects/write-stops.ts';

/** The interfaces between the parts of the host. `host.ts` connects the real ones. */

// ── Vault (main/vault): one encrypted sql.js image ──────────────────────────────────────────────────────────────

export interface Vault {
  /** Reads from the current image. Synchronous; never keep the database. */
  read<T>(query: (db: Database) => T): T;
  /**
   * Changes the image in one transaction and resolves when the new generation is on disk; waiting mutations are written
   * together. If the write fails, the change is undone and the error is thrown.
   */
  mutate<T>(change: (db: Database) => T): Promise<T>;
  /** Tries a change on a discarded copy of the image, to get the error that it would throw. */
  rehearse(change: (db: Database) => void): void;
  /** HKDF-SHA-256 of the DB secret for one purpose (`api-key-pepper`, `service-token-pepper`, `anchors`, `outbox`), 32 bytes. */
  derive(purpose: string): Buffer;
  readonly generation: number;
  readonly secretStore: 'keychain' | 'credential' | 'file';
  /** True if an older generation than that in the keychain was opened (docs/spec/storage.md#an-older-vault). */
  readonly rolledBack: boolean;
  close(): Promise<void>;
}

export interface SettingsStore {
  /** Saved values replace defaults; overrides (flags, environment) take precedence over both. */
  current(): Settings;
  overridden(): (keyof Settings)[];
  /** Which write-only settings have a value. */
  change(patch: Partial<Settings>, by: string): Promise<Settings>;
}

/** The owner of secrets: a connection of a project, or the egress nodes of its pipelines. */
export type SecretOwner = 'connection' | 'egress';

/** Secrets of projects, each with an opaque reference that reveals nothing and is never reused. */
export interface SecretVault {
  /** Stores the values; resolves with their references, in the same order, when the vault is on disk. */
  put(values: readonly string[], by: string, owner?: SecretOwner): Promise<string[]>;
  has(ref: string): boolean;
  /** Null if the vault has none for that reference, such as after an older vault was restored. */
  read(ref: string): string | null;
  remove(refs: readonly string[]): Promise<void>;
}

// ── Projects (main/projects): projects.sqlite ───────────────────────────────────────────────────────────────────

/** A secret of an egress node: `field` is `staticHeaders.<name>` or `tls.key`, `ref` its reference in the vault. */
export interface HeldSecret {
  node: string;
  field: string;
  ref: string;
}

/** A definition as stored: null in place of every secret, with references to the vault beside it. */
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
  /** The revision that should run, or null. */
  wantedRevision: number | null;
  /** When it was started; null: nothing should run, or this is unknown. */
  wantedSince: string | null;
  /** The last revision that was started by a user with access_settings, or null. */
  approvedRevision: number | null;
}

export type SecretField = (typeof CONNECTION_SECRETS)[number];

/** A connection as stored: every secret field of the definition is null; `secrets` has references to the vault. */
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
/** Types of resources whose changes may have to wait for a user with more permissions. */
export type DraftFamily = 'queries' | 'scripts';

/** Saved, but not active: pipelines use the active version with this ID, if there is one. */
export interface ResourceDraft<F extends DraftFamily> {
  resource: StoredResources[F];
  /** RFC 3339, UTC. */
  savedAt: string;
  savedBy: string;
}

/** The resources of a project other than pipelines. A resource is identified by its ID; a tag by its path. */
export interface ResourceStore {
  /** By ID. Throws SluiceError `unknown` if the project does not exist, like all methods here. */
  list<F extends ResourceFamily>(family: F, project: string): StoredResources[F][];
  get<F extends ResourceFamily>(family: F, project: string, id: string): StoredResources[F] | null;
  /** Creates or replaces it. Throws `conflict` beyond the limit of the type or the project's bytes. */
  put<F extends ResourceFamily>(family: F, project: string, resource: StoredResources[F]): void;
  remove(family: ResourceFamily, project: string, id: string): void;
  /** All tags of the project in one transaction. */
  replaceTags(project: string, tags: readonly TagDefinition[]): void;
  /** By ID, only of this type. */
  drafts<F extends DraftFamily>(family: F, project: string): ResourceDraft<F>[];
  draft<F extends DraftFamily>(family: F, project: string, id: string): ResourceDraft<F> | null;
  /** Creates or replaces it. Throws `conflict` like `put`: drafts count towards the same limits. */
  putDraft<F extends DraftFamily>(family: F, project: string, resource: StoredResources[F], by: string): void;
  removeDraft(family: DraftFamily, project: string, id: string): void;
  /** Tags whose path begins with `prefix` and comes after `after`, by path, at most `limit`. */
  tagsAfter(project: string, prefix: string, after: string, limit: number): TagDefinition[];
}

/** Resources and pipelines as the gateway receives them, with unencrypted secrets. */
export interface ClearResources {
  of(project: string): ProjectResources;
  all(): ProjectResources[];
  pipeline(stored: StoredStart): PipelineStart;
  /** An unsaved draft, with the secrets that saving it over `before` would keep. */
  draft(definition: PipelineDefinition, before: StoredPipeline): PipelineStart;
  /** Every pipeline that should run. */
  wanted(): PipelineStart[];
}

export interface SaveOptions {
  ifRevision?: number | undefined;
  /**
   * An automatic save from the editor: replaces the newest revision if that was saved in the same way, by the same
   * user, within the last half hour, and was never started. Revision numbers are never reused.
   */
  passing?: boolean;
}

/** The relevant revisions of a pipeline, without its definition. */
export interface PipelineStamp {
  project: string;
  id: string;
  revision: number;
  wantedRevision: number | null;
  updatedAt: string;
}

export interface ProjectStore {
  readonly resources: ResourceStore;
  readonly writeStops: WriteStops;
  /** Several changes in one transaction: all of them or, if `work` throws, none. */
  atOnce<T>(work: () => T): T;
  projects(): ProjectRecord[];
  project(id: string): ProjectRecord | null;
  createProject(input: { id: string; name: string }): ProjectRecord;
  renameProject(id: string, name: string): ProjectRecord;
  /** The caller must ensure that nothing runs and no key is valid. From then on its folder waits for removal. */
  deleteProject(id: string): void;
  /** Deleted projects whose folder may still exist. */
  removals(): string[];
  /** The folder of a deleted project was removed. */
  removed(id: string): void;
  pipelines(project: string): StoredPipeline[];
  /** The stamps of all projects, by project and ID. */
  stamps(): PipelineStamp[];
  pipeline(project: string, id: string): StoredPipeline | null;
  createPipeline(
    project: string,
    definition: PipelineDefinition,
    by: string,
    secrets?: readonly HeldSecret[],
  ): StoredPipeline;
  /**
   * Saves a new revision; `ifRevision` other than the newest throws `revision_changed`. The newest 50, the desired and
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
  /** References of all kept revisions: of all projects, of one, or of one pipeline, without duplicates. */
  secretRefs(project?: string, id?: string): string[];
  /** References that a change dropped and the store no longer contains, since the last `secretsRemoved`. */
  droppedSecrets(): string[];
  /** The vault no longer contains any of `droppedSecrets`. */
  secretsRemoved(): void;
  /** Throws if it cannot be written. */
  setWanted(project: string, id: string, revision: number | null): void;
  /** Shows the pipeline as stopped from now on, until something is saved for it or `releaseStopped` is called. */
  holdStopped(project: string, id: string): void;
  isStopHeld(project: string, id: string): boolean;
  /** Saves a held stop. Does nothing if a later start has replaced it. Throws if it cannot be written. */
  saveStopped(project: string, id: string): void;
  releaseStopped(project: string, id: string): void;
  /** Stores the revision's routes as the last approved ones, in place of earlier ones of the same route. */
  setApproved(project: string, id: string, revision: number): void;
  /** The last approved routes, of one project or of all; including those of deleted pipelines. */
  approvedRoutes(project?: string): Ingress[];
  /** Every pipeline that should run, with the definition of its desired revision. */
  wanted(): StoredStart[];
  /**
   * Pipelines that were started once and should not run, at most STOPPED_PIPELINES_MAX, with their last approved
   * definition.
   */
  stopped(): Pick<StoredStart, 'project' | 'definition'>[];
  close(): void;
}

// ── People (main/people) ────────────────────────────────────────────────────────────────────────────────────────

export interface Session {
  readonly user: UserRecord;
  readonly permissions: ReadonlySet<Permission>;
  /** Of a service token: '' */
  readonly csrfToken: string;
  readonly expiresAt: string;
  /** Present: a program called with a service token; the user is its actor in the journal. */
  readonly token?: Pick<TokenRecord, 'id' | 'project'> & { readonly addresses: readonly string[] | null };
}

/** Service tokens of programs (docs/spec/users.md#service-tokens). */
export interface ServiceTokens {
  /** The session of a credential with a valid token, whatever the address; null: it has none. */
  session(credential: string): Session | null;
  /** Throws SluiceError `token_invalid`, or `login_slowed` after too many refusals of the network. */
  admit(credential: string, ip: string): Session;
  /** Throws like `admit` for a token that is not valid. */
  refuse(ip: string, rule?: 'token_invalid' | 'token_and_cookie'): never;
  list(): TokenRecord[];
  /** Throws SluiceError `unknown`. */
  get(id: string): TokenRecord;
  /** The user IDs in the sessions of the tokens that the user created. */
  actorsOf(userId: string): string[];
  /**
   * Returns the value once. Throws SluiceError `invalid` for the end, `conflict` for the name or too many tokens, and
   * `permission_missing` for permissions that `by` does not have.
   */
  create(input: NewToken, by: Actor): Promise<{ value: string; record: TokenRecord }>;
  /** The token is refused from now on, before `revoke` has saved it. Throws SluiceError `unknown`. */
  holdRevoked(id: string, by: string): void;
  /** Reverses `holdRevoked`. */
  releaseRevoked(id: string): void;
  revoke(id: string, by: string): Promise<void>;
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

/** A restriction that is in effect in memory. */
export interface RightsHold {
  /** The parts of it that are still held: log-in, roles and permissions. A later change may have replaced some. */
  left(): HeldRestriction[];
  release(): void;
}

export interface People {
  /** True until the first Administrator exists. */
  readonly setupNeeded: boolean;
  setup(input: { token: string; name: string; password: string }): Promise<UserRecord>;
  /** Throws SluiceError `login_slowed` or `setup_token_wrong` if `setup` would fail now without checking the token. */
  expectSetupAttempt(): void;
  users(): UserRecord[];
  createUser(input: { name: string; password: string; roles: string[] }, by: Session): Promise<UserRecord>;
  /**
   * Throws the errors with which `changeUser` or `changeRole` would fail now, taking all held restrictions into
   * account. Changes nothing.
   */
  checkRestriction(restriction: HeldRestriction, by: Actor): void;
  /**
   * Ends the sessions of the affected users and keeps the restriction in memory only, until it is released, or a later
   * `changeUser` or `changeRole` has replaced it.
   */
  hold(restriction: HeldRestriction): RightsHold;
  /**
   * Saves the remaining part of a restriction that was allowed when it was held, and releases it. Its author may have
   * lost the right since, and others may have removed more: it only removes rights from the stored state, and never
   * adds any.
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
   * Throws `login_failed` (the same text for every cause) or `login_slowed`. Also returns the value of the cookie.
   * `uid`: the user of a calling program on this PC; null: unknown.
   */
  logIn(name: string, password: string, ip: string, uid?: number | null): Promise<{ session: Session; cookie: string }>;
  readonly tokens: ServiceTokens;
  /** `credential`: a session cookie, or a service token as `tokenCredential` makes it. */
  session(credential: string): Session | null;
  logOut(cookie: string): void;
  /** Ends every session of the user; a new one replaces the session of the caller. */
  changeOwnPassword(session: Session, old: string, next: string): Promise<{ session: Session; cookie: string }>;
  /** For the command line, which is authorized by owning the data folder. */
  resetPassword(name: string, password: string): Promise<void>;
  addUser(input: { name: string; password: string; roles: string[] }): Promise<UserRecord>;
  /**
   * A session with every permission and without a user, for a set-up from the command line. It ends with the first
   * Administrator, or when the next one is opened. Throws `conflict` if there is an Administrator.
   */
  openSetupSession(): { cookie: string; session: Session };
  endSetupSession(): void;
  /**
   * The first Administrator, roles and other users, in one transaction. Throws `conflict` if there is an Administrator.
   */
  setUpAll(input: FirstUsers): Promise<UserRecord>;
  /** Called when sessions end early (deactivation, roles or password changed): live streams close. */
  onSessionsEnded(listener: (userId: string) => void): void;
  /** Ends sessions after their 12 hours. They are not valid after that in any case. */
  endExpiredSessions(): void;
  /** Called when a session ends automatically: it `expired`, or was `displaced` by newer ones because of the limits. */
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
  /** The kind and name of what was written, such as `tag:line7/filler/setpoint`. */
  thing?: string;
  /** Words that all occur in the row. */
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
  /** Rows back to this time were searched; null: all. */
  searchedTo: string | null;
  /** The time of the newest row of the journal; null: there are no rows. */
  newest: string | null;
}

export interface FacetCount {
  value: string;
  /** For users. */
  name?: string;
  calls: number;
}

interface FacetCounts {
  values: FacetCount[];
  /** Calls without such a value. */
  without: number;
  /** Calls with values that are not listed. */
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
  /** Rows without an anchor, after an unclean stop or, `sealed`, forged after a clean one; at most 1,000 are listed. */
  unproven: (UnprovenBatches & { chain: 'gateway' | 'host' })[];
  /** Tails that an unclean stop may have shortened, each with its time range. */
  uncleanStops: { chain: 'gateway' | 'host'; from: string; to: string; bytesDropped: number }[];
  /** The proof that was verified with the journal, if it is genuine. */
  proof?: { at: string; by: string; rows: number };
}

/** Evidence that a user kept outside the data folder, as text. */
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
  /** Permanent findings, each a sentence. */
  tampered: readonly string[];
  /** Rows after the last anchor that were found since the start. */
  unproven: readonly { chain: 'gateway' | 'host'; from: number; to: number; rows: number }[];
  /** The file outside the data folder that keeps heads; null: none is set. */
  outside: OutsideTroubles | null;
  /** Rows that wait for space on the disk. */
  spareRows: number;
}

export interface JournalUsage {
  /** Bytes of both chains, including pruned segments. */
  bytes: number;
  /** Bytes per day at today's rate. */
  bytesPerDay: number;
  /** Time of the oldest rows; null: there are none. */
  oldest: string | null;
}

export interface Audit {
  /**
   * Records an audited action in the host's chain; resolves when it is in the file. `mayUseSpare`: on a full disk it
   * can be stored in the file of spare rows until there is space. Not for rows that any caller can cause.
   */
  record(
    row: Omit<AuditRow, 'time' | 'type'> & { type?: AuditRow['type'] },
    options?: { readonly mayUseSpare?: boolean },
  ): Promise<void>;
  /** Newest first. Includes every row that is in the files at the time of the call. */
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
  /** A head reported by the gateway, for the next anchors. */
  head(head: ChainHead, clean: boolean): void;
  /** A gateway opened its chain after this batch. */
  opened(found: ChainHead): void;
  /** The gateway's process ended. */
  ended(): void;
  /** The newest anchored heads of both chains. */
  heads(): ChainHead[];
  /** Accesses the file outside the data folder now if another one was set or if it is due. */
  lookOutside(): Promise<void>;
  /** Faults of the journal found by this start or an earlier one, for alarms. */
  troubles(): JournalTroubles;
  close(): Promise<void>;
}

// ── Desktop (main/desktop): the window of the host, if there is one ─────────────────────────────────────────────

/** Calls of the admin API to the desktop window. Absent in service mode. */
export interface DesktopPort {
  /** The window fills the screen, and only the UI can be reached from it. */
  kiosk(): boolean;
  /** Resolves when the desired state is on disk and the window has adopted it. */
  setKiosk(on: boolean): Promise<void>;
}

// ── Gateway (main/supervisor, main/publish) ─────────────────────────────────────────────────────────────────────

/** Times are RFC 3339. `ended`: the process ended unexpectedly; `refused`: it did not apply a change in time. */
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
  /** The last outage of the gateway, once the next one serves; null: none since the host started. */
  readonly lastOutage: GatewayOutage | null;
  readonly kinds: KindManifest[];
  /** The state of each approved plugin. */
  readonly plugins: PluginState[];
  readonly failed: FailedStart[];
  /** Of the running gateway. */
  readonly triggerFaults: readonly TriggerFault[];
  /** Counted by the running gateway, by `project/pipeline`. */
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
