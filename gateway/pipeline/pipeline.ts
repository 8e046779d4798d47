/**
 * A compiled pipeline: its graph, its entries, its active runs.
 *
 * States: live → retired → closed. A retired pipeline accepts no more messages (a start returns `cancelled`
 * immediately; a holder of an old entry looks up the route again). Its nodes are closed when its last run has ended.
 * Limits: each run is bounded by its route's timeout, replied or not, so a soft retirement ends.
 */
import { type RuleSentence, stated } from '#common/errors/rules.ts';
import { maskKeys } from '#common/api-key.ts';
import { clip } from '#common/clip.ts';
import type { CheckFinding, ErrorsWith200, PipelineDefinition, TriggerTrouble } from '#common/model/pipeline.ts';
import type { NodeTraffic } from '#common/model/traffic.ts';
import type { Message } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import { scopeMask } from '#common/scopes.ts';
import { type Capabilities, type LogLevel, type PatternMatch, RUN_SECONDS_DEFAULT, type RunOrigin } from '#sdk';
import { CapabilityAccess } from '../capabilities/access.ts';
import type { CapabilityBroker } from '../capabilities/capability-broker.ts';
import type { MessageBus } from '../capabilities/messages/bus.ts';
import type { Pace } from '../capabilities/pace.ts';
import { heldLimits } from '../capabilities/limits.ts';
import { grantsPrincipal, type Principal } from '../capabilities/principal.ts';
import type { Tags } from '../capabilities/tags/contract.ts';
import { closeGraph } from './compile.ts';
import type { CompiledPipeline, Entry, RunResult } from './contract.ts';
import type { GraphNode } from './graph.ts';
import type { RunHistory, Ring } from './history.ts';
import { maskText, secretsOf } from './mask.ts';
import { CAUSE_CHARS_MAX } from './limits.ts';
import { asNodeError } from './node-error.ts';
import { PipelineRun, type RunOptions, type RunOwner, type Step } from './run.ts';
import type { BoundedLog } from './run-log.ts';
import type { PatternThread } from './patterns/pattern-thread.ts';
import type { RunTurns } from './run-turns.ts';
import { PipelineTrigger } from './trigger.ts';

/** External services that pipelines use. */
export interface Surroundings {
  readonly door: CapabilityBroker;
  readonly bus: MessageBus;
  readonly pace: Pace;
  readonly tags: Tags;
}

export interface PipelineParts {
  readonly project: string;
  readonly revision: number;
  readonly definition: PipelineDefinition;
  readonly warnings: readonly CheckFinding[];
  readonly graph: ReadonlyMap<string, GraphNode>;
  readonly routes: readonly { readonly node: string; readonly settings: RouteSettings }[];
  readonly history: RunHistory;
  readonly surroundings: Surroundings;
  readonly turns: RunTurns;
  readonly patterns: PatternThread;
  readonly log: BoundedLog;
  readonly listeners: PipelineListeners;
}

export interface PipelineListeners {
  /** Called at the end of each run; a test waits for it. */
  readonly onEnded?: (run: PipelineRun) => void;
  /** Called once, when the nodes are closed. */
  readonly onClosed?: () => void;
}

type Done = (result: RunResult) => void;

/** Shared by all waiting callers. */
const REQUEST = { test: false, attended: true, hops: 0, origin: {} } as const;
/** The run was not started from outside, so there is nothing to trace. */
const UNTRACED = { traceparent: null } as const;

export class LivePipeline implements CompiledPipeline, RunOwner {
  readonly project: string;
  readonly id: string;
  readonly revision: number;
  readonly grants: Principal;
  readonly runAs: 'caller' | 'pipeline';
  readonly entries: readonly Entry[];
  readonly warnings: CheckFinding[];
  active = 0;

  readonly #parts: PipelineParts;
  readonly #ring: Ring;
  readonly #label: { readonly pipeline: string; readonly revision: number };
  /** Runs that wait for something; a run that ends synchronously is never added. */
  readonly #held = new Set<PipelineRun>();
  readonly #triggers = new Map<string, PipelineTrigger>();
  readonly #notBegun: TriggerTrouble[] = [];
  #retired: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.project = parts.project;
    this.id = parts.definition.id;
    this.revision = parts.revision;
    const { grants, rehearsal, limits = {} } = parts.definition;
    this.grants = grantsPrincipal(scopeMask(grants), rehearsal, heldLimits(limits, 'pipeline').limits);
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
      start: (message, rights, { done, over = null, traceparent = null }) => {
        const begun = this.#start(target, { message, rights, timeoutMs, traceparent, done, ended: over, ...REQUEST });
        if (!begun) over?.();
      },
    };
  }

  /** Runs a message from one entry as a test: it ends when no work is left. */
  startTest(node: string, message: Message, rights: Principal, who: RunOrigin = {}): void {
    const route = this.#parts.routes.find((one) => one.node === node);
    const target = this.#parts.graph.get(node);
    const seconds = route?.settings.timeout ?? target?.instance.runSeconds ?? RUN_SECONDS_DEFAULT;
    const done: Done = () => undefined;
    const timeoutMs = seconds * 1000;
    const unattended = { test: true, attended: false, hops: 0, ended: null, origin: { ...who, trigger: 'test' } };
    this.#start(target, { message, rights, timeoutMs, done, ...UNTRACED, ...unattended });
  }

  #start(entry: GraphNode | undefined, options: Omit<RunOptions, 'owner'>): boolean {
    if (entry === undefined || this.#retired !== null) {
      options.done({ kind: 'cancelled' });
      return false;
    }
    this.active++;
    new PipelineRun({ owner: this, ...options }).start(entry);
    return true;
  }

  traffic(): NodeTraffic[] {
    const nowMs = performance.now();
    return [...this.#parts.graph.values()].map(({ id, traffic }) => ({ node: id, ...traffic.read(nowMs) }));
  }

  errorsWith200(): ErrorsWith200[] {
    const nodes = [...this.#parts.graph.values()];
    return nodes
      .filter(({ traffic }) => traffic.errorsWith200 > 0)
      .map(({ id, traffic }) => ({ node: id, count: traffic.errorsWith200 }));
  }

  begin(): void {
    if (this.#retired !== null) return;
    for (const node of this.#parts.graph.values()) {
      if (node.instance.begin === undefined) continue;
      const trigger = this.#trigger(node);
      this.#triggers.set(node.id, trigger);
      try {
        node.instance.begin(trigger);
      } catch (error) {
        trigger.halt();
        this.#triggers.delete(node.id);
        const { code, message } = asNodeError(error);
        this.#notBegun.push({ node: node.id, code, message: maskKeys(clip(message, CAUSE_CHARS_MAX)) });
        this.#parts.log.line('error', `the trigger "${node.id}" did not begin: ${message}`, node.id, undefined);
      }
    }
  }

  faults(): readonly TriggerTrouble[] {
    // Most pipelines have only routes, and a site may have thousands of them.
    if (this.#triggers.size === 0) return this.#notBegun;
    const waiting = [...this.#triggers].flatMap(([node, trigger]) => {
      const missing = trigger.missingTags();
      return missing.length === 0 ? [] : [{ node, code: 'tag_unknown', ...noTags(missing) }];
    });
    return [...this.#notBegun, ...waiting];
  }

  halt(): void {
    const triggers = [...this.#triggers.values()];
    this.#triggers.clear();
    for (const trigger of triggers) trigger.halt();
  }

  #trigger(node: GraphNode): PipelineTrigger {
    const { project, surroundings, log } = this.#parts;
    const timeoutMs = (node.instance.runSeconds ?? RUN_SECONDS_DEFAULT) * 1000;
    return new PipelineTrigger({
      project,
      pipeline: this.id,
      node: node.id,
      grants: this.grants,
      bus: surroundings.bus,
      pace: surroundings.pace,
      tags: surroundings.tags,
      run: (payload, rights, { hops, origin }, ended) => {
        const message: Message = { payload, request: null, caller: null };
        const options = { message, rights, timeoutMs, ...UNTRACED, test: false, attended: false, hops, ended, origin };
        return this.#start(node, { ...options, done: () => undefined });
      },
      log: (level, text) => log.line(level, text, node.id, undefined),
    });
  }

  capabilities(step: Step): Capabilities {
    const { run, node } = step;
    return new CapabilityAccess(this.#parts.surroundings.door, {
      project: this.project,
      pipeline: this.id,
      node: node.id,
      principal: run.rights,
      signal: step.signal,
      remainingMs: () => step.remainingMs(),
      depth: 0,
      hops: run.hops,
      log: (level, text) => step.log(level, text),
      origin: () => step.origin,
      rehearsal: () => run.rehearsal,
      mask: (text) => this.#mask(text, run),
    });
  }

  nameOf(run: PipelineRun): string {
    return this.#parts.history.nameOf(run);
  }

  #mask(text: string, run: PipelineRun): string {
    return maskText(text, run.secrets ?? secretsOf(run.message));
  }

  log(level: LogLevel, message: string, run: PipelineRun, node?: string): void {
    this.#parts.log.line(level, this.#mask(message, run), node, run.message.request?.id);
  }

  hasTurn(): boolean {
    return this.#parts.turns.has(this.project);
  }

  spent(ms: number): void {
    this.#parts.turns.spent(this.project, ms);
  }

  inLaterTurn(next: () => void): void {
    this.#parts.turns.later(this.project, next);
  }

  nextTurn(): Promise<void> {
    return this.#parts.turns.next(this.project);
  }

  matches(pattern: string, text: string, signal: AbortSignal): Promise<PatternMatch> {
    return this.#parts.patterns.match(this.project, { pattern, text }, signal);
  }

  held(run: PipelineRun): void {
    this.#held.add(run);
  }

  ended(run: PipelineRun): void {
    this.active--;
    if (this.#held.size > 0) this.#held.delete(run);
    this.#parts.history.add(this.#ring, this.#label, run);
    run.onEnded?.();
    this.#parts.listeners.onEnded?.(run);
    if (this.active === 0) this.#drained?.();
  }

  retire(options: { hard: boolean }): Promise<void> {
    this.halt();
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

const TAGS_NAMED_MAX = 3;

function noTags(paths: readonly string[]): RuleSentence {
  const named = paths.slice(0, TAGS_NAMED_MAX).map((path) => `"${path}"`);
  const more = paths.length > TAGS_NAMED_MAX ? ` and ${paths.length - TAGS_NAMED_MAX} more` : '';
  return stated('tag_missing', { tags: clip(`${named.join(', ')}${more}`, CAUSE_CHARS_MAX) });
}
