import type { z } from 'zod';
import type { NodeCode } from '#common/errors/node-codes.ts';
import type { RuleSentence } from '#common/errors/rules.ts';
import type { CallInput, CallName, CallValue } from '#common/capabilities/calls.ts';
import type { Message, Reply } from '#common/model/message.ts';
import type { RehearsedWrite } from '#common/model/records.ts';
import type { TagValue } from '#common/model/tag.ts';
import type { Scope } from '#common/scopes.ts';

/** A message that leaves a node through one of its ports. */
export interface Emission {
  readonly port: string;
  readonly message: Message;
}

/** A node's result for a message: an emitted message, or undefined if it ended this path. */
export type Outcome = Emission | undefined;

/** The processing of one message in one node. */
export interface Run {
  /** Aborted when the run is cancelled: route timeout, pipeline stopped, gateway stopping. */
  readonly signal: AbortSignal;
  /** Milliseconds of the run's time that are left, on a monotonic clock. */
  remainingMs(): number;
  /** For work of many milliseconds that can be split: resolves when the run may use the event loop again. */
  nextTurn(): Promise<void>;
  /**
   * For a match that would block the event loop for too long (MATCH_WORK_AT_ONCE_MAX): done in the pattern thread.
   * Rejects with NodeError: `pattern_too_costly` if it takes too long there, `patterns_unavailable` if the thread does
   * not start or is lost, `call_cancelled` when the run is cancelled.
   */
  matches(pattern: string, text: string): Promise<PatternMatch>;
  /**
   * The caller's trace (W3C Trace Context, version 00), already validated; null without one, and for runs without a
   * request.
   */
  readonly traceparent: string | null;
  /** Replies to the caller. The first reply of a run is used; a later one is dropped with a warning. */
  reply(reply: Reply): void;
  log(level: LogLevel, message: string): void;
  /**
   * Tags, databases, historian, variables, files, scripts, messages: with the rights that the run has at the time of
   * each call.
   */
  readonly capabilities: Capabilities;
  readonly origin: RunOrigin;
  /** Null: writes are performed. Otherwise they are simulated and noted (docs/spec/capabilities.md#rehearsal). */
  readonly rehearsal: Rehearsal | null;
  /** Throws LimitMissingError for a target that the run may not call. */
  expectTarget(target: URL): void;
}

/** Collects the simulated writes of a run. */
export interface Rehearsal {
  note(write: RehearsedWrite): void;
}

/** The cause of a run, for the journal. A field that does not apply is absent. */
export interface RunOrigin {
  readonly keyId?: string;
  readonly keyName?: string;
  /** The user who made the change in the admin UI. */
  readonly user?: string;
  readonly requestId?: string;
  readonly ip?: string;
  readonly run?: string;
  /** The node that began the run, or `test`. */
  readonly trigger?: string;
  /** Its writes are simulated. */
  readonly rehearsal?: true;
}

/** The capabilities for one node's call. Every call is checked again; a missing scope throws ScopeMissingError. */
export interface Capabilities {
  call<N extends CallName>(name: N, args: CallInput<N>): Promise<CallValue<N>>;
  /** The same calls, limited to these scopes. */
  limitedTo(scopes: readonly Scope[]): Capabilities;
  /** The same calls for a third-party kind, with the targets and capabilities of its approval (`http.request`). */
  asPlugin(reach: PluginReach): Capabilities;
  /** For the sandbox: a call from a script, by name and with arguments in the declared order. */
  invoke(name: string, positional: readonly unknown[]): Promise<unknown>;
}

/** `targets`: `host:port` each, as approved by an administrator. */
export interface PluginReach {
  readonly id: string;
  readonly targets: readonly string[];
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface PatternMatch {
  readonly matches: boolean;
  /** CPU time that it took. */
  readonly cpuMs: number;
}

export interface NodeInstance {
  /**
   * Handles one message. Return synchronously if there is nothing to wait for: this makes the request path faster.
   * Throw `NodeError` to leave through the `error` port with a code; any other error leaves there as `node_failed`.
   */
  run(message: Message, run: Run): Outcome | Promise<Outcome>;
  /**
   * Only for triggers: called once the pipeline is live. Subscriptions end automatically with the pipeline; timers must
   * be cleared in `close`. The `run` of a trigger receives the message that it emitted and passes it on.
   */
  begin?(trigger: Trigger): void;
  /** Only for triggers: timeout of the runs that it begins, in seconds; default 30. */
  readonly runSeconds?: number;
  /** Releases the resources of `create`; called once, after the last run has ended. */
  close?(): void | Promise<void>;
}

/**
 * The functions with which a trigger node begins runs. Their rights are the pipeline's grants
 * (docs/spec/capabilities.md#rights-of-a-run).
 */
export interface Trigger {
  /** Begins a run whose message has this payload; false if too many are active, or if the pipeline is ending. */
  emit(payload: unknown): boolean;
  /** Number of active runs of this node. */
  readonly active: number;
  /** Begins a run for each message to this channel, with the sender's rights limited to the grants. */
  onMessages(channel: string): void;
  /** Reports changes of these tags (patterns allowed), starting with the current values. Needs the grant `tag:read`. */
  onTags(patterns: readonly string[], listener: (value: TagValue) => void): void;
  log(level: LogLevel, message: string): void;
}

/** Services of the gateway for a node while it is created. */
export interface NodeServices {
  /** ID of the node's project. */
  readonly project: string;
  readonly node: { readonly id: string; readonly name: string };
  readonly scripts: ScriptService;
  /** Access to HTTP targets: for the REST API kind in egress mode. */
  readonly egress: EgressService;
}

export interface EgressService {
  /**
   * Opens a connection to one target, for as long as the node exists; events that are stored for it are sent with these
   * headers from now on. Throws NodeError if the outbox cannot be opened or the TLS settings cannot be used.
   */
  open(line: EgressEndpoint): Promise<EgressLine>;
}

/** The target of a node and the settings for calling it. */
export interface EgressEndpoint {
  /** Scheme, host and port, as returned by `readEgressUrl`. */
  readonly origin: string;
  readonly method: string;
  /** Names as written; unencrypted values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** PEM texts. */
  readonly tls: { readonly ca: string | null; readonly certificate: string | null; readonly key: string | null } | null;
  /** False: nothing is stored; the call is sent immediately, or fails. */
  readonly storeAndForward: boolean;
}

export interface EgressLine {
  /**
   * Makes one call. A stored call resolves when the target accepted it, or with `queued` if that is impossible within
   * the node's timeout; it is then still delivered later, even after a restart. Throws NodeError `target_refused`,
   * `target_unreachable`, `target_timeout`, `answer_too_large`, `outbox_full`, `outbox_unavailable`, `dead_letter`,
   * `call_too_large`.
   */
  send(call: EgressCall, signal: AbortSignal): Promise<EgressOutcome>;
  close(): void;
}

export interface EgressCall {
  /** Path and query, percent-encoded, starting with `/`. */
  readonly path: string;
  /** Sent by the rules of docs/spec/nodes.md#http-response: JSON, text, bytes, or nothing for null and undefined. */
  readonly body: unknown;
  /** Null: the target's own order. */
  readonly orderingKey: string | null;
  readonly traceparent: string | null;
  /** The caller of the run: the ID of the key, or the address of a caller without one; null: a trigger. */
  readonly caller: string | null;
  readonly origin: RunOrigin;
  /** The run that makes the call. */
  readonly run: Pick<Run, 'rehearsal' | 'expectTarget'>;
}

/**
 * The body of a response, parsed like that of a request (docs/spec/requests.md#bodies); header names are lower-case.
 */
export type EgressOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: 'queued'; readonly eventId: string };

export interface ScriptService {
  /**
   * Compiles an ES module with one default-exported function; its calls count towards the project's share. Throws
   * `NodeError` (`script_invalid`) with line and reason.
   */
  compile(code: string, options: { deadlineSeconds: number; name: string; project?: string }): Promise<Script>;
}

export interface ScriptRun {
  readonly signal: AbortSignal;
  /** Null: none at all, not even `log`. */
  readonly capabilities: Capabilities | null;
}

export interface Script {
  /**
   * Calls the function with `input`; throws NodeError (`script_failed`, `script_deadline`, `script_memory`,
   * `script_stalled`), or ScopeMissingError if a capability call was refused and the script did not catch the error.
   */
  call(input: unknown, run: ScriptRun): Promise<unknown>;
  close(): void;
}

export interface Example<S> {
  readonly title: string;
  readonly settings: S;
  readonly payload: unknown;
  /** The results of capability calls in this example, by call. */
  readonly answers?: { readonly [N in CallName]?: CallValue<N> };
  /** The result of an egress call in this example: its outcome, or the code that it fails with. */
  readonly egress?: EgressOutcome | { readonly error: NodeCode };
  /** The expected result: the port and the payload there, or the reply. */
  readonly expect:
    { port: string; payload: unknown } | { reply: { status: number; body: unknown } } | { error: string };
}

export interface NodeKind<Input = unknown, Settings = unknown> {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly category: 'http' | 'flow' | 'data' | 'script' | 'plant' | 'database' | 'diagnostics';
  /** False for kinds that begin a path (ingress, triggers), and for those whose settings decide: see `inputFor`. */
  readonly input: boolean;
  /** For kinds whose setting `mode` decides whether a node has an input; use `takesInput`. */
  inputFor?(settings: Settings): boolean;
  readonly settings: z.ZodType<Settings, Input>;
  /** Output ports without `error` (every kind with an input has it). */
  ports(settings: Settings): readonly string[];
  /** Scopes of the capabilities that the node itself uses. */
  scopes(settings: Settings): readonly Scope[];
  /** Warnings about settings that are valid but probably not intended. */
  warnings?(settings: Settings): readonly SettingWarning[];
  readonly examples: readonly Example<Input>[];
  create(settings: Settings, services: NodeServices): NodeInstance | Promise<NodeInstance>;
}

/** `code` is lower_snake_case; `field` a setting, dotted. */
export interface SettingWarning {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** Whether a node with these settings has an input; otherwise it begins a path. */
export function takesInput(kind: NodeKind, settings: unknown): boolean {
  return kind.inputFor?.(settings) ?? kind.input;
}

/** A kind as declared. Ports and scopes that do not depend on the settings are lists. */
export interface KindDeclaration<Input, Settings> extends Omit<
  NodeKind<Input, Settings>,
  'input' | 'ports' | 'scopes'
> {
  /** Default: true. */
  readonly input?: boolean;
  /** Default: `out`. */
  readonly ports?: readonly string[] | NodeKind<Input, Settings>['ports'];
  /** Default: none. */
  readonly scopes?: readonly Scope[] | NodeKind<Input, Settings>['scopes'];
}

/** Declares a kind; types its settings from the schema. Frozen, so that it cannot be changed later. */
export function defineKind<Input, Settings>({
  input = true,
  ports = ['out'],
  scopes = [],
  ...kind
}: KindDeclaration<Input, Settings>): NodeKind<Input, Settings> {
  return Object.freeze({
    ...kind,
    input,
    ports: typeof ports === 'function' ? ports : () => ports,
    scopes: typeof scopes === 'function' ? scopes : () => scopes,
  });
}

/** A failure with a code of the catalogue (`common/errors/node-codes.ts`), reported to the `error` port and the journal. */
export class NodeError extends Error {
  readonly code: NodeCode;

  /** The message with its rule, if it is a declared sentence. */
  readonly sentence: RuleSentence | undefined;

  constructor(code: NodeCode, message: string | RuleSentence, options?: { cause?: unknown }) {
    super(typeof message === 'string' ? message : message.message, options);
    this.name = 'NodeError';
    this.code = code;
    this.sentence = typeof message === 'string' ? undefined : message;
  }
}

/**
 * A capability was called without its scope (docs/spec/capabilities.md#calls): the caller receives 403 and the names.
 */
export class ScopeMissingError extends NodeError {
  readonly missing: readonly Scope[];

  constructor(missing: readonly Scope[]) {
    super('scope_missing', `the run lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}`);
    this.name = 'ScopeMissingError';
    this.missing = missing;
  }
}

/** The part of the limits of a tag that refuses a write. */
export type LimitName = 'min' | 'max' | 'maxStep' | 'perSecond' | 'onlyWhile';

/** The comparison of a limit of the writes of a tag (docs/spec/nodes.md#write-limits). */
export interface RefusedWrite {
  readonly tag: string;
  readonly limit: LimitName;
  readonly expected: string;
  readonly found: string;
  /** Seconds; of the tag in a condition, if it has a time. */
  readonly age: number | null;
}

/** A limit of the tag refuses a write: the caller receives 409. */
export class InterlockError extends NodeError {
  readonly refused: RefusedWrite;

  constructor(refused: RefusedWrite) {
    const { tag, expected, found, age } = refused;
    const old = age === null ? '' : `, ${age} s old`;
    super('interlock', `a write limit of ${tag} expects ${expected}; found ${found}${old}`);
    this.name = 'InterlockError';
    this.refused = refused;
  }
}

/** Why a stop refuses every write; `of`: what is stopped, or the tag that stops the project. */
export interface StoppedWrite {
  readonly of: 'project' | 'device' | 'tag';
  readonly name: string;
  readonly reason: string;
  /** RFC 3339; null: until a user or the tag ends it. */
  readonly until: string | null;
}

/** Writes are stopped: the caller receives 409. */
export class WriteStoppedError extends NodeError {
  readonly stopped: StoppedWrite;

  constructor(tag: string, stopped: StoppedWrite) {
    const { of, name, reason, until } = stopped;
    const end = until === null ? '' : ` until ${until}`;
    const what = of === 'tag' ? `the tag ${name} stops writes` : `writes to the ${of} ${name} are stopped`;
    super('write_stopped', `${tag} is not written: ${what}${end}: ${reason}`);
    this.name = 'WriteStoppedError';
    this.stopped = stopped;
  }
}

/** Also of a call with several writes, one of which was refused; null: neither a limit of a tag nor a stop refused it. */
export function refusedWriteOf(error: Error): RefusedWrite | StoppedWrite | null {
  for (const one of [error, error.cause]) {
    if (one instanceof InterlockError) return one.refused;
    if (one instanceof WriteStoppedError) return one.stopped;
  }
  return null;
}

/**
 * A thing that a limit of the API key or of the pipeline does not include (docs/spec/keys.md#limits), with the entries of
 * the limit.
 */
export interface MissingLimit {
  /** A scope, or `targets`. */
  readonly scope: string;
  readonly thing: string;
  readonly entries: readonly string[];
  /** The owner of the limit. */
  readonly owner: 'key' | 'pipeline';
}

/** A thing outside of the limits of the API key or of the pipeline: the caller receives 403. */
export class LimitMissingError extends NodeError {
  readonly missing: MissingLimit;

  constructor(missing: MissingLimit) {
    const { scope, thing, owner } = missing;
    super('limit_missing', `the limits of the ${owner} for ${scope} do not include "${thing}"`);
    this.name = 'LimitMissingError';
    this.missing = missing;
  }
}
