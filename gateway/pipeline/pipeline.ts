/**
 * A compiled pipeline: its graph, its entries, its runs under way.
 *
 * States: live → retired → closed. A retired pipeline takes no more messages (a start is answered `cancelled` at
 * once; whoever holds an old entry looks the route up again). Its nodes are closed when its last run has ended.
 * Limits: each run is bounded by its route's timeout, replied or not, so a soft retirement ends.
 */
import type { CheckFinding, PipelineDefinition } from '#common/model/pipeline.ts';
import type { Message } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import { type ScopeMask, scopeMask } from '#common/scopes.ts';
import type { LogLevel } from '#sdk';
import { closeGraph } from './compile.ts';
import type { CompiledPipeline, Entry, RunResult } from './contract.ts';
import type { GraphNode } from './graph.ts';
import type { RunHistory, Ring } from './history.ts';
import { maskText, secretsOf } from './mask.ts';
import { PipelineRun, type RunOwner } from './run.ts';
import type { BoundedLog } from './run-log.ts';

export interface PipelineParts {
  readonly project: string;
  readonly revision: number;
  readonly definition: PipelineDefinition;
  readonly warnings: readonly CheckFinding[];
  readonly graph: ReadonlyMap<string, GraphNode>;
  readonly routes: readonly { readonly node: string; readonly settings: RouteSettings }[];
  readonly history: RunHistory;
  readonly log: BoundedLog;
  readonly listeners: PipelineListeners;
}

export interface PipelineListeners {
  /** Told of each run's end; a test waits for it. */
  readonly onEnded?: (run: PipelineRun) => void;
  /** Told once, when the nodes are closed. */
  readonly onClosed?: () => void;
}

type Done = (result: RunResult) => void;

export class LivePipeline implements CompiledPipeline, RunOwner {
  readonly project: string;
  readonly id: string;
  readonly revision: number;
  readonly grants: ScopeMask;
  readonly runAs: 'caller' | 'pipeline';
  readonly entries: readonly Entry[];
  readonly warnings: CheckFinding[];
  active = 0;

  readonly #parts: PipelineParts;
  readonly #ring: Ring;
  readonly #label: { readonly pipeline: string; readonly revision: number };
  /** Runs that wait for something; one that ends within its start never gets here. */
  readonly #held = new Set<PipelineRun>();
  #retired: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.project = parts.project;
    this.id = parts.definition.id;
    this.revision = parts.revision;
    this.grants = scopeMask(parts.definition.grants);
    this.runAs = parts.definition.runAs;
    this.warnings = [...parts.warnings];
    this.#label = { pipeline: this.id, revision: this.revision };
    this.#ring = parts.history.ring(parts.project, this.id);
    this.entries = parts.routes.map((route) => this.#entry(route.node, route.settings));
  }

  #entry(node: string, settings: RouteSettings): Entry {
    const target = this.#parts.graph.get(node);
    const timeoutMs = settings.timeout * 1000;
    return {
      node,
      settings,
      start: (message, rights, done) => this.#start(target, timeoutMs, message, rights, done, false),
    };
  }

  /** Runs a message from one entry as a test: it ends as soon as nothing is left to do. */
  startTest(node: string, message: Message, rights: ScopeMask): void {
    const route = this.#parts.routes.find((one) => one.node === node);
    const timeoutMs = (route?.settings.timeout ?? 0) * 1000;
    this.#start(this.#parts.graph.get(node), timeoutMs, message, rights, () => undefined, true);
  }

  #start(
    entry: GraphNode | undefined,
    timeoutMs: number,
    message: Message,
    rights: ScopeMask,
    done: Done,
    test: boolean,
  ): void {
    if (entry === undefined || this.#retired !== null) {
      done({ kind: 'cancelled' });
      return;
    }
    this.active++;
    new PipelineRun({ owner: this, message, rights, timeoutMs, test, done }).start(entry);
  }

  log(level: LogLevel, message: string, run: PipelineRun, node?: string): void {
    this.#parts.log.line(
      level,
      maskText(message, run.secrets ?? secretsOf(run.message)),
      node,
      run.message.request?.id,
    );
  }

  held(run: PipelineRun): void {
    this.#held.add(run);
  }

  ended(run: PipelineRun): void {
    this.active--;
    if (this.#held.size > 0) this.#held.delete(run);
    this.#parts.history.add(this.#ring, this.#label, run);
    this.#parts.listeners.onEnded?.(run);
    if (this.active === 0) this.#drained?.();
  }

  retire(options: { hard: boolean }): Promise<void> {
    this.#retired ??= this.#close();
    if (options.hard) for (const run of this.#held) run.cancel();
    return this.#retired;
  }

  async #close(): Promise<void> {
    if (this.active > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await closeGraph(this.#parts.graph.values(), (node, message) => {
      this.#parts.log.line('error', `node "${node}" did not close: ${message}`, node, undefined);
    });
    this.#parts.listeners.onClosed?.();
  }
}
