import { Worker } from 'node:worker_threads';
import { NodeError, type PatternMatch } from '#sdk';
import { PATTERN_THREAD_CPU_MS_MAX, PATTERN_THREAD_HEAP_MB, PATTERN_THREAD_MS_MAX } from '../limits.ts';
import type { MatchBegun, MatchEnd, MatchJob, MatchNews } from './messages.ts';
import { limitTime } from './time-limit.ts';

interface Waiting extends MatchJob {
  readonly end: PromiseWithResolvers<PatternMatch>;
}

interface Options {
  readonly cpuMsMax?: number;
  readonly msMax?: number;
  /** The program of the thread. */
  readonly program?: URL;
}

/**
 * Runs matches that would block the event loop for too long in a separate thread, which is ended if one takes more CPU
 * time than PATTERN_THREAD_CPU_MS_MAX. CPU time does not depend on other programs; PATTERN_THREAD_MS_MAX is the last
 * resort, for a thread that gets no CPU time. Only texts are sent there, which are cheap to copy. Projects take turns.
 *
 * States: no thread → thread, with one job or none. It is started with the first job, and again after it was ended.
 * Limits: each job is an active run, which counts towards its caller's share.
 */
export class PatternThread {
  readonly #cpuMsMax: number;
  readonly #msMax: number;
  readonly #program: URL;
  /** By project, the next one first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #stopTime: (() => void) | null = null;

  constructor(options: Options = {}) {
    this.#cpuMsMax = options.cpuMsMax ?? PATTERN_THREAD_CPU_MS_MAX;
    this.#msMax = options.msMax ?? PATTERN_THREAD_MS_MAX;
    this.#program = options.program ?? new URL('./thread.ts', import.meta.url);
  }

  /**
   * Rejects with NodeError: `pattern_too_costly`, `patterns_unavailable` when the thread does not start or is lost,
   * `call_cancelled` when `signal` is aborted.
   */
  match(project: string, job: MatchJob, signal: AbortSignal): Promise<PatternMatch> {
    if (signal.aborted) return Promise.reject(cancelled());
    const waiting: Waiting = { ...job, end: Promise.withResolvers() };
    const ofProject = this.#waiting.get(project);
    if (ofProject) ofProject.add(waiting);
    else this.#waiting.set(project, new Set([waiting]));
    const cancel = (): void => {
      this.#waiting.get(project)?.delete(waiting);
      waiting.end.reject(cancelled());
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#next();
    return waiting.end.promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    for (const ofProject of this.#waiting.values()) for (const { end } of ofProject) end.reject(cancelled());
    this.#waiting.clear();
    await this.#endThread(cancelled());
  }

  #next(): void {
    while (this.#current === null) {
      const job = this.#takeNext();
      if (job === null) return;
      this.#current = job;
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ pattern: job.pattern, text: job.text } satisfies MatchJob);
      } catch (error) {
        this.#takeCurrent()?.end.reject(lost(error));
      }
    }
  }

  #takeNext(): Waiting | null {
    for (const [project, ofProject] of this.#waiting) {
      this.#waiting.delete(project);
      const [first] = ofProject;
      if (first === undefined) continue;
      ofProject.delete(first);
      if (ofProject.size > 0) this.#waiting.set(project, ofProject);
      return first;
    }
    return null;
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      name: 'patterns',
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: PATTERN_THREAD_HEAP_MB },
    });
    worker.unref();
    worker.on('message', (news: MatchNews) => ('begunCpuMs' in news ? this.#begun(worker, news) : this.#ended(news)));
    const end = (why: NodeError) => worker === this.#worker && void this.#endThread(why);
    worker.on('error', (error) => end(isOutOfMemory(error) ? tooCostly() : lost(error)));
    worker.on('exit', () => end(lost('it ended by itself')));
    return worker;
  }

  #begun(worker: Worker, { begunCpuMs }: MatchBegun): void {
    const limit = { sinceCpuMs: begunCpuMs, cpuMsMax: this.#cpuMsMax, msMax: this.#msMax };
    this.#stopTime = limitTime(worker, limit, () => void this.#endThread(tooCostly()));
  }

  #ended(end: MatchEnd): void {
    const job = this.#takeCurrent();
    if (end.ok) job?.end.resolve(end);
    else job?.end.reject(new NodeError(end.code, end.message));
    this.#next();
  }

  async #endThread(why: NodeError): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#takeCurrent()?.end.reject(why);
    worker?.removeAllListeners('message');
    this.#next();
    await worker?.terminate();
  }

  #takeCurrent(): Waiting | null {
    const job = this.#current;
    this.#current = null;
    this.#stopTime?.();
    this.#stopTime = null;
    return job;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooCostly(): NodeError {
  return new NodeError('pattern_too_costly', 'a match of a pattern took too long or too much memory and was ended');
}

function lost(cause: unknown): NodeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NodeError('patterns_unavailable', `the thread for patterns was lost: ${reason}`, { cause });
}

function cancelled(): NodeError {
  return new NodeError('call_cancelled', 'the run was cancelled');
}
