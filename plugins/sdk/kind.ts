import type { z } from 'zod';
import type { Message, Reply } from '#common/model/message.ts';
import type { Scope } from '#common/scopes.ts';

/** A message on its way out of a node by one of its ports. */
export interface Emission {
  readonly port: string;
  readonly message: Message;
}

/** What a node did with a message: emitted it, or (undefined) ended this path. */
export type Outcome = Emission | undefined;

/** One message's journey through one node. */
export interface Run {
  /** Aborted when the run is cancelled: route timeout, pipeline stopped, gateway stopping. */
  readonly signal: AbortSignal;
  /** Milliseconds of the run's time that are left, on a monotonic clock. */
  remainingMs(): number;
  /** Answers the caller. The first reply of a run wins; a later one is dropped with a warning. */
  reply(reply: Reply): void;
  log(level: LogLevel, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface NodeInstance {
  /**
   * Handles one message. Answer synchronously when nothing is waited for: the request path is faster for it.
   * Throw `NodeError` to leave by the `error` port with a code; any other throw leaves there as `node_failed`.
   */
  run(message: Message, run: Run): Outcome | Promise<Outcome>;
  /** Frees what `create` took; called once, after the last run has ended. */
  close?(): void | Promise<void>;
}

/** What the gateway lends to a node while it is created. */
export interface NodeServices {
  readonly node: { readonly id: string; readonly name: string };
  readonly scripts: ScriptService;
}

export interface ScriptService {
  /** Compiles an ES module with one default-exported function. Throws `NodeError` (`script_invalid`) with line and reason. */
  compile(code: string, options: { deadlineSeconds: number; name: string }): Promise<Script>;
}

export interface Script {
  /** Calls the function with `message`; throws `NodeError` (`script_failed`, `script_deadline`, `script_memory`, `script_stalled`). */
  call(message: Message, run: Run): Promise<unknown>;
  close(): void;
}

export interface Example<S> {
  readonly title: string;
  readonly settings: S;
  readonly payload: unknown;
  /** What must come out: the port and the payload there, or the reply. */
  readonly expect:
    { port: string; payload: unknown } | { reply: { status: number; body: unknown } } | { error: string };
}

export interface NodeKind<Input = unknown, Settings = unknown> {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly category: 'http' | 'flow' | 'data' | 'script' | 'plant' | 'diagnostics';
  /** False for kinds that begin a path (ingress, triggers). */
  readonly input: boolean;
  readonly settings: z.ZodType<Settings, Input>;
  /** Out ports, `error` not counted (every kind with an input has it). */
  ports(settings: Settings): readonly string[];
  /** Scopes whose capabilities the node uses by itself. */
  scopes(settings: Settings): readonly Scope[];
  readonly examples: readonly Example<Input>[];
  create(settings: Settings, services: NodeServices): NodeInstance | Promise<NodeInstance>;
}

/** Declares a kind; types its settings from the schema. Frozen, so that no one changes it later. */
export function defineKind<Input, Settings>(kind: NodeKind<Input, Settings>): NodeKind<Input, Settings> {
  return Object.freeze(kind);
}

/** A failure with a code of its own, told to the `error` port and the journal. Codes are lower_snake_case. */
export class NodeError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'NodeError';
    this.code = code;
  }
}

/** A capability was called without its scope (behaviour 5): the caller is told 403 and the names. */
export class ScopeMissingError extends NodeError {
  readonly missing: readonly Scope[];

  constructor(missing: readonly Scope[]) {
    super('scope_missing', `the run lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}`);
    this.name = 'ScopeMissingError';
    this.missing = missing;
  }
}
