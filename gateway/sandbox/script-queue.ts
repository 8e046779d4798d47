import type { NodeCode } from '#common/errors/node-codes.ts';
import { type Capabilities, NodeError } from '#sdk';
import { LONG_MS } from './limits.ts';
import type { MessageText } from './message-text.ts';
import type { RunCalls } from './run-calls.ts';
import type { Image, Resume, ScriptSource } from './thread-messages.ts';

/** One call from its acceptance until its promise settles. */
export interface Call {
  readonly script: ScriptQueue;
  /** Null: only start the script; and once its run has begun. */
  input: MessageText | null;
  readonly signal: AbortSignal | null;
  readonly capabilities: Capabilities | null;
  readonly deadlineMs: number;
  readonly resolve: (result: MessageText) => void;
  readonly reject: (error: Error) => void;
  /** How often it was lost with its worker before it began. */
  attempts: number;
  settled: boolean;
  /** Running time of its code so far, without waits. */
  usedMs: number;
  /** Set with its first capability call. */
  calls: RunCalls | null;
  /** Its guest while it waits, and `release` to free it and its share of the limits. */
  image: Image | null;
  release: (() => void) | null;
}

/**
 * The memory and the responses with which a worker continues the call; from now on the worker owns them. Null: the call
 * does not wait.
 */
export function handOver(call: Call): Resume | null {
  const { image, calls } = call;
  if (image === null) return null;
  const answers = calls?.takeAnswers() ?? [];
  call.image = null;
  call.release?.();
  return { image, answers };
}

/** Minimum time for a resumed run, so that its own interrupt ends it. */
const LEFT_MS_MIN = 1;

export function leftMs(call: Call): number {
  return Math.max(LEFT_MS_MIN, call.deadlineMs - call.usedMs);
}

const MEAN_WEIGHT = 0.2;
const MEAN_MS_FIRST = 1;

/** A script in the pool: its source, the calls that wait for a worker, and the duration of its runs. */
export class ScriptQueue {
  readonly source: ScriptSource;
  /** For the log. */
  readonly name: string;
  /** Null: the script does not belong to a single project and has no share. */
  project: string | null;
  readonly waiting: Call[] = [];
  /** Script jobs that were passed to a worker. */
  posted = 0;
  closed = false;
  meanMs = MEAN_MS_FIRST;

  constructor(source: ScriptSource, name: string, project: string | null = null) {
    this.source = source;
    this.name = name;
    this.project = project;
  }

  /** Considered long-running: its calls run alone, on workers that quick scripts do not wait for. */
  get slow(): boolean {
    return this.meanMs >= LONG_MS;
  }

  ran(ms: number): void {
    this.meanMs += (ms - this.meanMs) * MEAN_WEIGHT;
  }

  /** It has already run for `ms`: recorded immediately, so that no second call of it blocks a quick script. */
  runsLong(ms: number): void {
    this.meanMs = Math.max(this.meanMs, ms);
  }
}

export function fail(call: Call, code: NodeCode, message: string): void {
  failWith(call, new NodeError(code, message));
}

export function failWith(call: Call, error: NodeError): void {
  if (settle(call)) call.reject(error);
}

export function succeed(call: Call, result: MessageText): void {
  if (settle(call)) call.resolve(result);
}

function settle(call: Call): boolean {
  if (call.settled) return false;
  call.settled = true;
  call.release?.();
  call.calls?.end();
  return true;
}
