import type { CallArgs, CallName, CallValue } from '#common/capabilities/calls.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import type { LogLevel, PluginReach } from '#sdk';
import type { Principal } from './principal.ts';

/** The caller and its run: created once for each node call of a run. */
export interface CallContext {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly principal: Principal;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds that the run has left; 0 once it is over, however it ended. */
  remainingMs(): number;
  /** How many library scripts run inside each other already. */
  readonly depth: number;
  /** How many messages led here, one started by the other. */
  readonly hops: number;
  log(level: LogLevel, message: string): void;
  /** Set for a third-party kind: what its approval lets it reach beyond the scopes. */
  readonly plugin?: PluginReach;
}

/**
 * Performs a call that the broker has accepted. Throws NodeError with a lower_snake_case code of its own.
 * `signal` ends it: the run was cancelled or the call's time is over; whatever it holds must be given back then.
 */
export type Perform<N extends CallName> = (
  args: CallArgs<N>,
  context: CallContext,
  signal: AbortSignal,
) => CallValue<N> | Promise<CallValue<N>>;

/** One family of calls and their implementation (tags, databases, …). */
export interface Capability<N extends CallName = CallName> {
  readonly calls: { readonly [K in N]: Perform<K> };
  /** A project's resources changed; null = the project is gone. Called before the change is acknowledged: be quick. */
  configure?(project: string, resources: ProjectResources | null): void | Promise<void>;
  close(): Promise<void>;
}
