/**
 * One run: the path of a message through the graph.
 *
 * States: open → closed, once. While open, `#queue` has the node calls that are due and `#waiting` those whose node has
 * not responded yet. A run whose nodes all respond synchronously starts, ends and reports its result within `start`,
 * without a timer or a promise. Any other run is kept until its nodes have responded, or until the timeout of its
 * route. Order: the path of the first wire is followed until it ends or waits, then the second wire's, and so on.
 * Limits: steps, copies and time on the event loop (limits.ts). Known weakness: a node that never responds after its
 * signal was aborted keeps its own memory, but not that of the run.
 */
import { clip } from '#common/clip.ts';
import type { Message, Reply } from '#common/model/message.ts';
import {
  type Capabilities,
  type LogLevel,
  NodeError,
  type Outcome,
  type PatternMatch,
  type Run,
  type RunOrigin,
} from '#sdk';
import { expectUse, type Principal } from '../capabilities/principal.ts';
import { targetThing } from '#common/capabilities/target-thing.ts';
import { asNodeError } from './node-error.ts';
import type { RunFailure, RunOutcome } from './run-end.ts';
import { originOf } from './run-origin.ts';
import { RunRehearsal } from '../capabilities/writes/rehearsal.ts';
import type { RunResult } from './contract.ts';
import { type CopyBudget, copyMessage } from './copy.ts';
import { failedResult } from './failed-result.ts';
import { ERROR_PORT, type GraphNode } from './graph.ts';
import { maskText, secretsOf } from './mask.ts';
import {
  CAUSE_CHARS_MAX,
  COPIED_BYTES_PER_RUN_MAX,
  SLICE_MS_MAX,
  SLICE_STEPS_MIN,
  STEPS_KEPT_MAX,
  STEPS_PER_RUN_MAX,
} from './limits.ts';

/** The kind that stores events, and the port that it uses while an event waits. */
const STORING_KIND = 'rest-api';
const QUEUED_PORT = 'queued';

const REHEARSAL = { rehearsal: true } as const;

/** The components of its pipeline that a run uses. */
export interface RunOwner {
  log(level: LogLevel, message: string, run: PipelineRun, node?: string): void;
  /** The capabilities for one call of a node, with the rights of the run. */
  capabilities(step: Step): Capabilities;
  /** Whether the run may use the event loop now, and how long it has used it. */
  hasTurn(): boolean;
  spent(ms: number): void;
  /** Calls `next` in a later turn of the event loop that has time for the project. */
  inLaterTurn(next: () => void): void;
  nextTurn(): Promise<void>;
  nameOf(run: PipelineRun): string;
  /** See `Run.matches`. */
  matches(pattern: string, text: string, signal: AbortSignal): Promise<PatternMatch>;
  /** The run waits: it can be cancelled from now on. */
  held(run: PipelineRun): void;
  /** The run is over; called before `done` if the reply was the last step. */
  ended(run: PipelineRun): void;
}

export interface RunOptions {
  readonly owner: RunOwner;
  readonly message: Message;
  readonly rights: Principal;
  readonly timeoutMs: number;
  /** The trace of the caller, already validated; null: there is none. */
  readonly traceparent: string | null;
  readonly test: boolean;
  /** A caller waits for a reply until the timeout. Otherwise the run ends as soon as nothing is left to do. */
  readonly attended: boolean;
  /** Length of the chain of messages that led here. */
  readonly hops: number;
  readonly origin: RunOrigin;
  /** Called when the run has ended, with or without a reply; null: nobody waits. */
  readonly ended: (() => void) | null;
  readonly done: (result: RunResult) => void;
}

/** One message in one node: the `run` argument of the node, and the record of the step. Times in milliseconds. */
export class Step implements Run {
  readonly run: PipelineRun;
  readonly node: GraphNode;
  input: Message;
  startedMs = 0;
  /** -1 while the node has not responded. */
  endedMs = -1;
  port: string | null = null;
  output: Message | null = null;
  error: RunFailure | null = null;
  #capabilities: Capabilities | null = null;

  constructor(run: PipelineRun, node: GraphNode, input: Message) {
    this.run = run;
    this.node = node;
    this.input = input;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  get traceparent(): string | null {
    return this.run.traceparent;
  }

  remainingMs(): number {
    return this.run.remainingMs();
  }

  get origin(): RunOrigin {
    return this.run.describe();
  }

  get rehearsal(): RunRehearsal | null {
    return this.run.rehearsal;
  }

  expectTarget(target: URL): void {
    expectUse(this.run.rights, 'targets', [targetThing(target)]);
  }

  /** Created on first use: most nodes never need them. */
  get capabilities(): Capabilities {
    this.#capabilities ??= this.run.owner.capabilities(this);
    return this.#capabilities;
  }

  nextTurn(): Promise<void> {
    return this.run.owner.nextTurn();
  }

  matches(pattern: string, text: string): Promise<PatternMatch> {
    return this.run.owner.matches(pattern, text, this.signal);
  }

  reply(reply: Reply): void {
    this.run.take(reply, this);
  }

  log(level: LogLevel, message: string): void {
    this.run.owner.log(level, message, this.run, this.node.id);
  }
}

export class PipelineRun {
  readonly owner: RunOwner;
  message: Message;
  readonly rights: Principal;
  readonly traceparent: string | null;
  readonly test: boolean;
  readonly attended: boolean;
  readonly hops: number;
  readonly onEnded: (() => void) | null;
  /** True if the run is kept without its payloads. */
  payloadsOmitted = false;
  /** Secrets that must stay masked in texts after their payload was dropped. */
  secrets: readonly string[] | null = null;
  readonly startedAtMs = Date.now();
  readonly startedMs = performance.now();
  readonly steps: Step[] = [];
  endedMs = 0;
  outcome: RunOutcome = 'ended';
  error: RunFailure | null = null;
  reply: Reply | null = null;
  /** A stored event was not delivered while its node waited. */
  undelivered = false;
  /** Set by the history, at the end or when it is asked for; 0 before. */
  id = 0;

  readonly #origin: RunOrigin;
  readonly #timeoutMs: number;
  #done: ((result: RunResult) => void) | null;
  #open = true;
  #driving = false;
  #resuming = false;
  #stepCount = 0;
  #queue: Step[] = [];
  #waiting: Set<Step> | null = null;
  #budget: CopyBudget | null = null;
  #controller: AbortController | null = null;
  #rehearsal: RunRehearsal | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: RunOptions) {
    this.owner = options.owner;
    this.message = options.message;
    this.rights = options.rights;
    this.traceparent = options.traceparent;
    this.test = options.test;
    this.attended = options.attended;
    this.hops = options.hops;
    this.onEnded = options.ended;
    this.#origin = options.origin;
    this.#timeoutMs = options.timeoutMs;
    this.#done = options.done;
  }

  start(entry: GraphNode): void {
    this.#queue.push(new Step(this, entry, this.message));
    this.#driveInTurn(this.startedMs);
  }

  get open(): boolean {
    return this.#open;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (!this.#open) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Null: its writes are performed. */
  get rehearsal(): RunRehearsal | null {
    if (this.rights.rehearsal) this.#rehearsal ??= new RunRehearsal();
    return this.#rehearsal;
  }

  remainingMs(): number {
    return this.#open ? Math.max(0, this.startedMs + this.#timeoutMs - performance.now()) : 0;
  }

  take(reply: Reply, step: Step): void {
    if (!this.#open) return;
    if (this.reply !== null) {
      this.owner.log('warn', 'a second reply was dropped: the first one wins', this, step.node.id);
      return;
    }
    this.reply = reply;
    if (reply.errorWith200 && this.attended) step.node.traffic.errorsWith200 += 1;
    if (!this.#driving) this.#tell(this.#replied(reply));
  }

  describe(): RunOrigin {
    return {
      ...originOf(this.message),
      ...this.#origin,
      ...(this.rehearsal !== null && REHEARSAL),
      run: this.owner.nameOf(this),
    };
  }

  /** Stops the run immediately; its caller receives `cancelled` unless it already has a result. */
  cancel(): void {
    if (this.#open) this.#close('cancelled', { kind: 'cancelled' });
  }

  /** Drops the inputs and outputs of the nodes; for a run that is over and too large to keep whole. */
  omitPayloads(): void {
    const bare: Message = { payload: null, request: this.message.request, caller: this.message.caller };
    this.payloadsOmitted = true;
    this.secrets = secretsOf(this.message);
    this.message = bare;
    this.reply = this.reply === null ? null : { ...this.reply, body: null };
    for (const step of this.steps) {
      step.input = bare;
      step.output = null;
    }
  }

  /** Runs without a caller already have their share of each turn (pace.ts). */
  #driveInTurn(now: number): void {
    if (!this.attended || this.owner.hasTurn()) this.#drive(now);
    else this.#pause();
  }

  #drive(now: number): void {
    const beganMs = now;
    const sliceEndMs = now + SLICE_MS_MAX;
    const sliceEndStep = this.#stepCount + SLICE_STEPS_MIN;
    this.#driving = true;
    for (let step = this.#queue.pop(); step !== undefined; step = this.#queue.pop()) {
      now = this.#call(step, now);
      if (!this.#open) break;
      if (this.reply !== null && this.#done !== null && this.#queue.length > 0) this.#tell(this.#replied(this.reply));
      if (now > sliceEndMs && this.#stepCount >= sliceEndStep && this.#queue.length > 0) {
        this.#pause();
        break;
      }
    }
    this.#driving = false;
    this.owner.spent(now - beganMs);
    if (this.#open && !this.#resuming) this.#rest();
  }

  /** Calls a node; returns the time after it. */
  #call(step: Step, now: number): number {
    if (++this.#stepCount + this.#queue.length > STEPS_PER_RUN_MAX) {
      const message = `the run took more than ${STEPS_PER_RUN_MAX} steps; do wires form a circle?`;
      this.#fail(step.node.id, new NodeError('too_many_steps', message));
      return now;
    }
    if (this.#stepCount <= STEPS_KEPT_MAX) this.steps.push(step);
    step.startedMs = now;
    step.node.traffic.entered(now);
    let outcome: Outcome | Promise<Outcome>;
    const outer = step.node.mark.enter();
    try {
      outcome = step.node.instance.run(step.input, step);
    } catch (error) {
      step.endedMs = performance.now();
      step.node.traffic.left(step.endedMs, step.endedMs - now);
      this.#broke(step, error);
      return step.endedMs;
    } finally {
      step.node.mark.leave(outer);
    }
    if (outcome instanceof Promise) {
      this.#await(step, outcome);
      return performance.now();
    }
    step.endedMs = performance.now();
    step.node.traffic.left(step.endedMs, step.endedMs - now);
    this.#leave(step, outcome);
    return step.endedMs;
  }

  #await(step: Step, outcome: Promise<Outcome>): void {
    this.#waiting ??= new Set();
    this.#waiting.add(step);
    outcome.then(
      (value) => this.#answered(step, value, undefined, false),
      (error: unknown) => this.#answered(step, undefined, error, true),
    );
  }

  #answered(step: Step, outcome: Outcome, error: unknown, failed: boolean): void {
    if (!this.#open) return;
    this.#waiting?.delete(step);
    step.endedMs = performance.now();
    step.node.traffic.left(step.endedMs, step.endedMs - step.startedMs);
    if (failed) this.#broke(step, error);
    else this.#leave(step, outcome);
    if (this.#open && !this.#resuming) this.#driveInTurn(step.endedMs);
  }

  #leave(step: Step, outcome: Outcome): void {
    if (outcome === undefined) return;
    const out = step.node.outs.get(outcome.port);
    if (out === undefined) {
      this.#broke(step, new Error(`the node left by the port "${outcome.port}", which it does not have`));
      return;
    }
    step.node.traffic.emitted(out.index);
    step.port = outcome.port;
    if (outcome.port === QUEUED_PORT && step.node.kind === STORING_KIND) this.undelivered = true;
    step.output = outcome.message;
    if (out.targets.length === 0) return;
    try {
      this.#spread(out.targets, outcome.message);
    } catch (error) {
      this.#fail(step.node.id, asNodeError(error));
    }
  }

  /** Queues the targets so that the first wire's comes first; it gets the message itself, the others get copies. */
  #spread(targets: readonly GraphNode[], message: Message): void {
    for (let i = targets.length - 1; i > 0; i--) {
      this.#budget ??= { bytesLeft: COPIED_BYTES_PER_RUN_MAX };
      const target = targets[i];
      if (target !== undefined) this.#queue.push(new Step(this, target, copyMessage(message, this.#budget)));
    }
    const first = targets[0];
    if (first !== undefined) this.#queue.push(new Step(this, first, message));
  }

  #broke(step: Step, thrown: unknown): void {
    const error = asNodeError(thrown);
    const failure: RunFailure = { node: step.node.id, code: error.code, message: clip(error.message, CAUSE_CHARS_MAX) };
    step.error = failure;
    if (failure.code === 'dead_letter') this.undelivered = true;
    step.node.traffic.broke();
    const out = step.node.outs.get(ERROR_PORT);
    if (out === undefined || out.targets.length === 0) {
      if (out !== undefined) step.node.traffic.emitted(out.index);
      this.#fail(step.node.id, error);
      return;
    }
    const { payload, request, caller } = step.input;
    const nodeError = { node: step.node.id, code: failure.code, message: failure.message };
    this.#leave(step, { port: ERROR_PORT, message: { payload, request, caller, error: nodeError } });
  }

  #fail(node: string, error: NodeError): void {
    // The journal keeps it. Masked before it is clipped: a cut could leave half of a secret.
    const cause = clip(maskText(error.message, secretsOf(this.message)), CAUSE_CHARS_MAX);
    this.error = { node, code: error.code, message: cause };
    if (this.reply !== null) this.owner.log('error', `the run failed after its reply: ${cause}`, this, node);
    this.#close('failed', failedResult(node, error, cause));
  }

  /** No node call is due. The run has ended if it replied and waits for no node. */
  #rest(): void {
    const waits = this.#waiting !== null && this.#waiting.size > 0;
    if (!waits && (this.reply !== null || !this.attended)) {
      this.#close('ended', null);
      return;
    }
    if (this.reply !== null) this.#tell(this.#replied(this.reply));
    if (this.#open) this.#hold();
  }

  #hold(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(expire, Math.max(1, this.remainingMs()), this);
    this.owner.held(this);
  }

  /** Lets the event loop run; the queue continues in the next turn of the project. */
  #pause(): void {
    this.#resuming = true;
    this.#hold();
    this.owner.inLaterTurn(() => this.resume());
  }

  resume(): void {
    this.#resuming = false;
    if (this.#open) this.#drive(performance.now());
  }

  expire(): void {
    if (!this.#open) return;
    const oldest = this.#waiting?.values().next().value;
    const node = oldest?.node.id ?? null;
    if (this.reply !== null) {
      this.owner.log(
        'warn',
        'the run continued after its reply until the timeout and was cancelled',
        this,
        node ?? undefined,
      );
    }
    this.#close('timeout', { kind: 'timeout', node });
  }

  /** `result` is reported to the caller unless a reply was made. */
  #close(outcome: RunOutcome, result: RunResult | null): void {
    this.#open = false;
    this.endedMs = performance.now();
    this.outcome = this.reply === null ? outcome : 'replied';
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (outcome === 'timeout') this.#countWaiting();
    this.#queue = [];
    this.#waiting = null;
    if (outcome !== 'ended') this.#controller?.abort();
    const sent: RunResult | null = this.reply === null ? result : this.#replied(this.reply);
    this.owner.ended(this);
    this.#tell(sent);
  }

  /** A node that did not respond in time counts with that time. */
  #countWaiting(): void {
    for (const { node, startedMs } of this.#waiting ?? []) {
      node.traffic.left(this.endedMs, this.endedMs - startedMs);
      node.traffic.broke();
    }
  }

  #replied(reply: Reply): RunResult {
    return { kind: 'reply', reply, undelivered: this.undelivered, rehearsed: this.rehearsal?.count ?? null };
  }

  #tell(result: RunResult | null): void {
    const done = this.#done;
    this.#done = null;
    if (done === null || result === null) return;
    try {
      done(result);
    } catch (error) {
      this.owner.log('error', `the run's end could not be reported: ${asNodeError(error).message}`, this);
    }
  }
}

/** Module-level, so that a timer needs no closure per run. */
function expire(run: PipelineRun): void {
  run.expire();
}
