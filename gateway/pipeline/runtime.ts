/**
 * The pipeline runtime: checks and compiles definitions and keeps the newest runs. All decisions that do not depend on
 * a message are made here (docs/spec/requests.md#steps), so that a run only follows references.
 */
import type { PipelineStart } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { activePart } from '#common/model/active-part.ts';
import type { CheckFinding, CheckFindings, PipelineDefinition } from '#common/model/pipeline.ts';
import type { RunRecord } from '#common/model/records.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import type { TestPart } from '#common/model/test-part.ts';
import type { Principal } from '../capabilities/principal.ts';
import type { NodePlace } from '../egress/contract.ts';
import type { EgressService, NodeKind, RunOrigin, ScriptService } from '#sdk';
import { checkPipeline } from './check.ts';
import { buildGraph, invalidPipeline } from './compile.ts';
import type { PipelineRuntime } from './contract.ts';
import { RunHistory } from './history.ts';
import { TESTS_MAX } from './limits.ts';
import { LivePipeline, type PipelineListeners, type Surroundings } from './pipeline.ts';
import { cutForTest, pinNodes } from './partial-test.ts';
import { PatternThread } from './patterns/pattern-thread.ts';
import { type KindTable, readPipeline, type ReadPipeline } from './read.ts';
import type { PipelineRun } from './run.ts';
import { BoundedLog, type RunLog } from './run-log.ts';
import { RunTurns } from './run-turns.ts';
import type { RunWatch } from './run-watch/run-watch.ts';
import { readTestMessage } from './test-run.ts';

export interface PipelineRuntimeOptions {
  readonly kinds: readonly NodeKind[];
  readonly scripts: ScriptService;
  egress(place: NodePlace): EgressService;
  readonly surroundings: Surroundings;
  readonly watch: Pick<RunWatch, 'mark'>;
  readonly log: RunLog;
}

export function createPipelineRuntime(options: PipelineRuntimeOptions): PipelineRuntime {
  return new Runtime(options);
}

class Runtime implements PipelineRuntime {
  #kinds: KindTable;
  readonly #scripts: ScriptService;
  readonly #egress: PipelineRuntimeOptions['egress'];
  readonly #surroundings: Surroundings;
  readonly #watch: PipelineRuntimeOptions['watch'];
  readonly #log: RunLog;
  readonly #history = new RunHistory(`r${Date.now().toString(36)}`);
  readonly #live = new Set<LivePipeline>();
  readonly #turns = new RunTurns();
  readonly #patterns = new PatternThread();
  #tests = 0;

  constructor({ kinds, scripts, egress, surroundings, watch, log }: PipelineRuntimeOptions) {
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
    this.#scripts = scripts;
    this.#egress = egress;
    this.#surroundings = surroundings;
    this.#watch = watch;
    this.#log = log;
  }

  setKinds(kinds: readonly NodeKind[]): void {
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]));
  }

  check(definition: PipelineDefinition): CheckFindings {
    const active = activePart(definition);
    return checkPipeline(active, readPipeline(active, this.#kinds));
  }

  async compile(start: PipelineStart): Promise<LivePipeline> {
    const pipeline = await this.#build(start, false, this.#readValid(start), {
      onClosed: () => this.#live.delete(pipeline),
    });
    this.#live.add(pipeline);
    return pipeline;
  }

  /** `who`: the user, for the rows of writes. */
  async test(
    start: PipelineStart,
    message: unknown,
    rights: Principal,
    part: TestPart = {},
    who: RunOrigin = {},
  ): Promise<RunRecord> {
    if (this.#tests >= TESTS_MAX)
      throw new SluiceError('conflict', `${TESTS_MAX} tests are running already; try again when one has ended`);
    this.#tests++;
    try {
      return await this.#test(start, message, { rights, who }, part);
    } finally {
      this.#tests--;
    }
  }

  async #test(
    start: PipelineStart,
    message: unknown,
    { rights, who }: { rights: Principal; who: RunOrigin },
    part: TestPart,
  ): Promise<RunRecord> {
    const active = activePart(start.definition);
    const whole = readPipeline(active, this.#kinds);
    // Faults outside of the tested part do not matter.
    if (part.upTo === undefined && part.only === undefined) this.#readValid(start);
    const wanted = readTestMessage(message, routesOf(whole), triggersOf(whole), rights.scopes);
    const definition = cutForTest(active, wanted.node, part);
    const { promise, resolve } = Promise.withResolvers<PipelineRun>();
    const valid = this.#readValid({ ...start, definition });
    const pipeline = await this.#build(start, true, valid, { onEnded: resolve }, part.pins);
    const first = part.only ?? wanted.node;
    const given = part.only === undefined ? wanted.message : { ...wanted.message, payload: wanted.given };
    const rehearsal = rights.rehearsal || pipeline.grants.rehearsal;
    pipeline.startTest(first, given, { ...rights, rehearsal }, who);
    const ended = await promise;
    await pipeline.retire({ hard: true });
    return this.#history.render({ pipeline: pipeline.id, revision: pipeline.revision }, ended);
  }

  #readValid(start: PipelineStart): ValidPipeline {
    const definition = activePart(start.definition);
    const read = readPipeline(definition, this.#kinds);
    const { errors, warnings } = checkPipeline(definition, read);
    if (errors.length > 0) throw invalidPipeline(definition, errors);
    return { read, warnings };
  }

  async #build(
    start: PipelineStart,
    test: boolean,
    { read, warnings }: ValidPipeline,
    listeners: PipelineListeners,
    pins: TestPart['pins'] = {},
  ): Promise<LivePipeline> {
    const { project, definition } = start;
    const place = { project, pipeline: definition.id, test };
    const graph = await buildGraph(read, {
      project,
      scripts: this.#scripts,
      egress: (node) => this.#egress({ ...place, node }),
      mark: (node) => this.#watch.mark({ ...place, node }),
    });
    pinNodes(graph, pins);
    const log = new BoundedLog(this.#log, { project: start.project, pipeline: start.definition.id });
    return new LivePipeline({
      ...start,
      warnings,
      graph,
      routes: routesOf(read),
      history: this.#history,
      surroundings: this.#surroundings,
      turns: this.#turns,
      patterns: this.#patterns,
      log,
      listeners,
    });
  }

  runs(project: string, pipeline: string): RunRecord[] {
    return this.#history.list(project, pipeline);
  }

  run(project: string, pipeline: string, run: string): RunRecord | null {
    return this.#history.find(project, pipeline, run);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live].map((pipeline) => pipeline.retire({ hard: true })));
    this.#live.clear();
    await this.#patterns.close();
  }
}

interface ValidPipeline {
  readonly read: ReadPipeline;
  readonly warnings: readonly CheckFinding[];
}

function routesOf(read: ReadPipeline): { node: string; settings: RouteSettings }[] {
  return [...read.nodes.values()].flatMap(({ id, route }) => (route === null ? [] : [{ node: id, settings: route }]));
}

/** Nodes that begin paths without a request. */
function triggersOf(read: ReadPipeline): string[] {
  return [...read.nodes.values()].filter(({ input, route }) => !input && route === null).map(({ id }) => id);
}
