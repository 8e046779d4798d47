import type { CheckResult, ErrorsWith200, PipelineDefinition, TriggerTrouble } from '#common/model/pipeline.ts';
import type { Message, Reply } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import type { RunRecord } from '#common/model/records.ts';
import type { NodeTraffic } from '#common/model/traffic.ts';
import type { PipelineStart } from '#common/control/messages.ts';
import type { Scope, ScopeMask } from '#common/scopes.ts';
import type { NodeKind } from '#sdk';
import type { Principal } from '../capabilities/principal.ts';

/** How a run ended, told once to whoever started it. `node` is the node that was running or failed. */
export type RunResult =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'failed';
      readonly code: 'pipeline_failed' | 'scope_missing' | 'value_invalid';
      readonly cause: string;
      /** The node's own code, such as `param_invalid`. */
      readonly nodeCode: string;
      readonly node: string | null;
      readonly missing: readonly Scope[];
    }
  | { readonly kind: 'timeout'; readonly node: string | null }
  /** The pipeline or the gateway was stopped hard while it ran. */
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

/** Who starts a run. */
export interface RunCaller {
  /** Called exactly once, synchronously when nothing in the graph waits. */
  done(result: RunResult): void;
  /** Called exactly once, when the run is over; it may go on after its reply. */
  over?(): void;
  /** The caller's, valid. */
  readonly traceparent?: string | null;
}

export interface CompiledPipeline {
  readonly project: string;
  readonly id: string;
  readonly revision: number;
  /** The pipeline's own rights: of runs without a caller, or of all with `runAs: "pipeline"`. */
  readonly grants: Principal;
  readonly runAs: 'caller' | 'pipeline';
  readonly entries: readonly Entry[];
  readonly warnings: CheckResult['warnings'];
  /** Runs under way. */
  readonly active: number;
  /** Of every node, a mean of the last 10 s. */
  traffic(): NodeTraffic[];
  /** The nodes that replied to a caller so, and how often since the pipeline was compiled. */
  errorsWith200(): ErrorsWith200[];
  /** The pipeline is live: its triggers begin. */
  begin(): void;
  /** Triggers that did not begin, or wait for tags that there are not now. */
  faults(): readonly TriggerTrouble[];
  /** Its triggers end at once; runs under way go on. */
  halt(): void;
  /** Halts, waits for runs under way (each is bounded by its route's timeout), then closes the nodes; `hard` cancels them. */
  retire(options: { hard: boolean }): Promise<void>;
}

export interface PipelineRuntime {
  /** The kinds that pipelines are checked and compiled with from now on. */
  setKinds(kinds: readonly NodeKind[]): void;
  /** Checks a definition against the kinds; never runs node code. Route clashes are the routing table's to tell. */
  check(definition: PipelineDefinition): CheckResult;
  /** Compiles; throws SluiceError `invalid` with field errors when `check` finds errors or a node cannot be created. */
  compile(start: PipelineStart): Promise<CompiledPipeline>;
  /** Runs a draft once, without HTTP; nodes are created for it and closed after. */
  test(start: PipelineStart, message: unknown, scopes: ScopeMask): Promise<RunRecord>;
  /** Newest first, from the bounded ring; payloads masked (docs/spec/pipelines.md#runs). */
  runs(project: string, pipeline: string): RunRecord[];
  run(project: string, pipeline: string, run: string): RunRecord | null;
  close(): Promise<void>;
}
