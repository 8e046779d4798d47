import type { RunRefusal } from '#common/errors/node-codes.ts';
import type { TestPart } from '#common/model/test-part.ts';
import type { CheckFindings, ErrorsWith200, PipelineDefinition, TriggerTrouble } from '#common/model/pipeline.ts';
import type { Message, Reply } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import type { RunRecord } from '#common/model/records.ts';
import type { NodeTraffic } from '#common/model/traffic.ts';
import type { CallerOfWrite, PipelineStart } from '#common/control/messages.ts';
import type { Scope } from '#common/scopes.ts';
import type { MissingLimit, NodeKind, RefusedWrite, StoppedWrite } from '#sdk';
import type { Principal } from '../capabilities/principal.ts';

/** The outcome of a run, reported once to its starter. `node` is the node that was running or failed. */
export type RunResult =
  | {
      readonly kind: 'reply';
      readonly reply: Reply;
      /** An event of the run was queued, or became a dead letter, before the reply. */
      readonly undelivered: boolean;
      /** The number of writes that were simulated before the reply; null: writes are performed. */
      readonly rehearsed: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly code: RunRefusal;
      readonly cause: string;
      /** The code of the node, such as `param_invalid`. */
      readonly nodeCode: string;
      readonly node: string | null;
      readonly missing: readonly Scope[];
      /** With `limit_missing`; otherwise null. */
      readonly limit: MissingLimit | null;
      /** With `interlock` and `write_stopped`, if it is known; otherwise null. */
      readonly refusedWrite: RefusedWrite | StoppedWrite | null;
    }
  | { readonly kind: 'timeout'; readonly node: string | null }
  /** The pipeline or the gateway was stopped during the run. */
  | { readonly kind: 'cancelled' };

/** One ingress node of a compiled pipeline. */
export interface Entry {
  readonly node: string;
  readonly settings: RouteSettings;
  /**
   * Dispatches a message. The route's timeout counts from here. `rights` is the run's principal
   * (docs/spec/capabilities.md#rights-of-a-run).
   */
  start(message: Message, rights: Principal, caller: RunCaller): void;
}

/** The code that starts a run. */
export interface RunCaller {
  /** Called exactly once; synchronously if no node waits. */
  done(result: RunResult): void;
  /** Called exactly once, when the run has ended, which can be after its reply. */
  over?(): void;
  /** The trace of the caller, already validated. */
  readonly traceparent?: string | null;
}

export interface CompiledPipeline {
  readonly project: string;
  readonly id: string;
  readonly revision: number;
  /** The pipeline's own rights: for runs without a caller, or for all runs with `runAs: "pipeline"`. */
  readonly grants: Principal;
  readonly runAs: 'caller' | 'pipeline';
  readonly entries: readonly Entry[];
  readonly warnings: CheckFindings['warnings'];
  /** Runs in progress. */
  readonly active: number;
  /** For every node, averaged over the last 10 s. */
  traffic(): NodeTraffic[];
  /** The nodes that replied 200 with an `error` key to a caller, and how often since the pipeline was compiled. */
  errorsWith200(): ErrorsWith200[];
  /** The pipeline is live: its triggers start. */
  begin(): void;
  /** Triggers that did not start, or that wait for tags that do not exist yet. */
  faults(): readonly TriggerTrouble[];
  /** Its triggers end immediately; active runs continue. */
  halt(): void;
  /**
   * Halts, waits for active runs (each is bounded by its route's timeout), then closes the nodes; `hard` cancels the
   * runs.
   */
  retire(options: { hard: boolean }): Promise<void>;
}

export interface PipelineRuntime {
  /** The kinds with which pipelines are checked and compiled from now on. */
  setKinds(kinds: readonly NodeKind[]): void;
  /** Checks a definition against the kinds; never runs node code. Route clashes are reported by the routing table. */
  check(definition: PipelineDefinition): CheckFindings;
  /** Compiles; throws SluiceError `invalid` with field errors if `check` finds errors or a node cannot be created. */
  compile(start: PipelineStart): Promise<CompiledPipeline>;
  /** Runs a draft once, without HTTP; nodes are created for it and closed afterwards. */
  test(
    start: PipelineStart,
    message: unknown,
    rights: Principal,
    part?: TestPart,
    who?: CallerOfWrite,
  ): Promise<RunRecord>;
  /** Newest first, from the bounded ring; payloads masked (docs/spec/pipelines.md#runs). */
  runs(project: string, pipeline: string): RunRecord[];
  run(project: string, pipeline: string, run: string): RunRecord | null;
  close(): Promise<void>;
}
