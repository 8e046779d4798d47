import type { FailedStart, PipelineStart, Snapshot, TriggerFault } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { PipelineDefinition } from '#common/model/pipeline.ts';
import type { GatewayContext } from '../http/gateway-context.ts';
import type { PipelineRuntime } from '../pipeline/contract.ts';
import { liveRoutes, type RunningPipeline } from '../routing/live-route.ts';
import { readStoppedRoute, RoutingTable, stoppedRoutesOf } from '../routing/table.ts';

/** The number of reported trigger errors, enough for a user to read. */
const FAULTS_MAX = 1_000;
/** Time for runs in progress when their pipeline is stopped. */
export const STOP_GRACE_MS = 10_000;

/** Removed from the table, with unfinished requests or runs. */
interface Leaving {
  readonly pipeline: RunningPipeline;
  /** The last of them has ended, and its nodes are closed. */
  readonly gone: Promise<void>;
}

/**
 * Adds pipelines to the live table and removes them. A start compiles in parallel with the running revision and swaps
 * when it is ready; a stop takes effect immediately, on every revision with unfinished work, and invalidates a start
 * that is still compiling. Requests matched before a swap finish on the revision that they were matched to.
 */
export class PipelineDeployer {
  readonly #edge: GatewayContext;
  readonly #runtime: PipelineRuntime;
  readonly #definitions = new Map<string, PipelineDefinition>();
  /** Counts starts and stops of each pipeline, so that an older start that compiles longer does not win. */
  readonly #turns = new Map<string, number>();
  /** By pipeline; a stop also affects its older revisions. */
  readonly #leaving = new Map<string, Set<Leaving>>();

  constructor(edge: GatewayContext, runtime: PipelineRuntime) {
    this.#edge = edge;
    this.#runtime = runtime;
  }

  /** The definition that runs, or null. */
  running(project: string, pipeline: string): PipelineDefinition | null {
    return this.#definitions.get(`${project}/${pipeline}`) ?? null;
  }

  /** Starts many pipelines before anything is served; the event loop runs after each. */
  async startAll(
    { pipelines: starts, stoppedRoutes }: Pick<Snapshot, 'pipelines' | 'stoppedRoutes'>,
    progress: (done: number) => void,
  ): Promise<FailedStart[]> {
    const failed: FailedStart[] = [];
    const table = new RoutingTable();
    table.addStopped(stoppedRoutes.flatMap(readStoppedRoute));
    const turns = new Map(this.#turns);
    let done = 0;
    for (const start of starts) {
      const { project, revision, definition } = start;
      try {
        refuseClash(start, table);
        table.put(`${project}/${definition.id}`, await this.#compile(start));
        this.#definitions.set(`${project}/${definition.id}`, definition);
      } catch (error) {
        failed.push({ project, pipeline: definition.id, revision, errors: findings(error) });
        table.addStopped(stoppedRoutesOf(start));
      }
      progress(++done);
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const start of starts) {
      const id = `${start.project}/${start.definition.id}`;
      if (this.#turns.get(id) !== turns.get(id)) this.#dropUnpublished(start, table);
    }
    this.#edge.table = table;
    for (const { compiled } of table.pipelines.values()) compiled.begin();
    return failed;
  }

  /** Faults of all running pipelines. After FAULTS_MAX faults, no further pipeline is checked. Called with each start and stop. */
  faults(): TriggerFault[] {
    const faults: TriggerFault[] = [];
    for (const { compiled } of this.#edge.table.pipelines.values()) {
      if (faults.length >= FAULTS_MAX) break;
      const { project, id } = compiled;
      for (const fault of compiled.faults()) faults.push({ project, pipeline: id, ...fault });
    }
    return faults;
  }

  /** Waits for `ready`; a stop in the meantime invalidates the start. */
  async start(start: PipelineStart, ready: Promise<void> = Promise.resolve()): Promise<void> {
    const id = `${start.project}/${start.definition.id}`;
    const before = this.#turns.get(id);
    await ready;
    if (this.#turns.get(id) !== before) throw outdated();
    const turn = this.#nextTurn(id);
    refuseClash(start, this.#edge.table);
    const next = await this.#compile(start);
    try {
      if (this.#turns.get(id) !== turn) throw outdated();
      refuseClash(start, this.#edge.table);
    } catch (error) {
      void next.compiled.retire({ hard: true });
      throw error;
    }
    const replaced = this.#edge.table.pipelines.get(id);
    this.#definitions.set(id, start.definition);
    this.#edge.table.put(id, next);
    // In one turn, so that no run is begun by both; in this order, so that waiting messages find the new revision.
    next.compiled.begin();
    if (replaced) this.#leave(id, replaced);
  }

  stop(project: string, pipeline: string): void {
    const id = `${project}/${pipeline}`;
    this.#nextTurn(id);
    const before = this.#edge.table.pipelines.get(id);
    const definition = this.#definitions.get(id);
    if (!before || !definition) return;
    this.#definitions.delete(id);
    this.#edge.table.remove(id, stoppedRoutesOf({ project, definition }));
    this.#leave(id, before);
    for (const leaving of this.#leaving.get(id) ?? []) endSoon(leaving);
  }

  /** Every run ends, and its caller gets a reply; new runs are refused with the same error. */
  cancelRuns(): void {
    const leaving = [...this.#leaving.values()].flatMap((all) => [...all].map(({ pipeline }) => pipeline));
    for (const { compiled } of [...this.#edge.table.pipelines.values(), ...leaving])
      void compiled.retire({ hard: true });
  }

  /** Its triggers no longer start runs. It is removed together with its last request and run. */
  #leave(id: string, pipeline: RunningPipeline): void {
    pipeline.compiled.halt();
    const idle = new Promise<void>((resolve) => whenIdle(pipeline, resolve));
    const leaving = { pipeline, gone: idle.then(() => pipeline.compiled.retire({ hard: false })) };
    const all = this.#leaving.get(id) ?? new Set();
    this.#leaving.set(id, all.add(leaving));
    void leaving.gone.then(() => {
      all.delete(leaving);
      if (all.size === 0) this.#leaving.delete(id);
    });
  }

  /** A pipeline that was stopped while the first snapshot compiled is never added to the table. */
  #dropUnpublished(start: PipelineStart, table: RoutingTable): void {
    const id = `${start.project}/${start.definition.id}`;
    void table.pipelines.get(id)?.compiled.retire({ hard: true });
    table.remove(id, stoppedRoutesOf(start));
    this.#definitions.delete(id);
  }

  #nextTurn(id: string): number {
    const turn = (this.#turns.get(id) ?? 0) + 1;
    this.#turns.set(id, turn);
    return turn;
  }

  async #compile(start: PipelineStart): Promise<RunningPipeline> {
    const compiled = await this.#runtime.compile(start);
    const running: RunningPipeline = { compiled, routes: [], claims: 0, stopped: false, onIdle: null };
    running.routes = liveRoutes(running, this.#edge.table.routes, performance.now());
    return running;
  }
}

function outdated(): SluiceError {
  return new SluiceError('conflict', 'The pipeline was started or stopped again meanwhile.');
}

function refuseClash(start: PipelineStart, table: RoutingTable): void {
  const clash = table.clash(start);
  if (!clash) return;
  const detail = `The route ${clash.route} is already answered by the running pipeline "${clash.pipeline}" of project "${clash.project}".`;
  throw new SluiceError('route_clash', detail);
}

/** Requests that have not begun to run are refused from now on; active runs have a little time. */
function endSoon({ pipeline, gone }: Leaving): void {
  if (pipeline.stopped) return;
  pipeline.stopped = true;
  const hard = setTimeout(() => void pipeline.compiled.retire({ hard: true }), STOP_GRACE_MS).unref();
  void gone.then(() => clearTimeout(hard));
}

function whenIdle(pipeline: RunningPipeline, then: () => void): void {
  if (pipeline.claims === 0) then();
  else pipeline.onIdle = then;
}

function findings(error: unknown): FailedStart['errors'] {
  if (!(error instanceof SluiceError))
    return [{ code: 'internal', message: 'The pipeline could not be compiled; the log has the cause.' }];
  if (error.errors)
    return error.errors.map(({ path, ...sentence }) => ({ code: error.code, field: path, ...sentence }));
  return [{ code: error.code, message: error.message }];
}
