import type { CallArgs, CallName, CallValue } from '#common/capabilities/calls.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { LogLevel, PluginReach, Rehearsal, RunOrigin } from '#sdk';
import type { Principal } from './principal.ts';
import type { KnownThing, WritingCall } from './writes/planned-write.ts';

/** The caller and its run: created once for each node call of a run. */
export interface CallContext {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly principal: Principal;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds that the run has left; 0 once it has ended, for whatever reason. */
  remainingMs(): number;
  /** Nesting depth of library scripts. */
  readonly depth: number;
  /** Length of the chain of messages that led here, each started by the one before. */
  readonly hops: number;
  log(level: LogLevel, message: string): void;
  /** The cause of the run. */
  origin(): RunOrigin;
  /** Null: writes are performed; otherwise they are simulated and noted there. */
  rehearsal(): Rehearsal | null;
  /** Masks secrets of the run in a text. */
  mask(text: string): string;
  /** For a third-party kind: the targets and capabilities of its approval, in addition to the scopes. */
  readonly plugin?: PluginReach;
}

/**
 * Performs a call that the broker has accepted. Throws a NodeError with its own lower_snake_case code. `signal` ends it
 * if the run is cancelled or the time of the call is over; the call must then release everything that it holds.
 */
export type Perform<N extends CallName> = (
  args: CallArgs<N>,
  context: CallContext,
  signal: AbortSignal,
) => CallValue<N> | Promise<CallValue<N>>;

/** One family of calls and their implementation (tags, databases, …). */
export interface Capability<N extends CallName = CallName> {
  readonly calls: { readonly [K in N]: Perform<K> };
  /**
   * The calls that write, simulated: the checks and the result of the call as far as they are known without the write.
   * Reads are performed. A writing call that is missing here cannot be rehearsed.
   */
  readonly rehearsals?: { readonly [K in N & WritingCall]: Perform<K> };
  /** The known state of a thing that a call is about to write, for the journal; null: nothing. Never throws. */
  known?(project: string, name: string): KnownThing | null;
  /**
   * The resources of a project changed; null: the project was deleted. Called before the change is acknowledged, so it
   * must return quickly.
   */
  configure?(project: string, resources: ProjectResources | null): void | Promise<void>;
  close(): Promise<void>;
}
