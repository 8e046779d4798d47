import { Worker } from 'node:worker_threads';
import { NodeError, type PatternMatch } from '#sdk';
import { PATTERN_THREAD_HEAP_MB, PATTERN_THREAD_MS_MAX } from '../limits.ts';
import type { MatchEnd, MatchJob, MatchNews } from './messages.ts';

interface Waiting extends MatchJob {
  readonly end: PromiseWithResolvers<PatternMatch>;
}

/**
 * Matches that would hold the event loop for too long, in a thread that is ended when one takes more than
 * PATTERN_THREAD_MS_MAX. Only texts go there, which are cheap to copy. Projects take turns.
 *
 * States: no thread → thread, with one job or none. It is started with the first job and after it was ended.
 * Limits: each job is a run under way, which counts in its caller's share.
 */
export class PatternThread {
  readonly #msMax: number;
  /** By project, the next one first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(msMax = PATTERN_THREAD_MS_MAX) {
    this.#msMax = msMax;
  }

  /** Rejects with NodeError `pattern_too_costly`, and when `signal` is aborted. */
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
    if (this.#current !== null) return;
    const job = this.#takeNext();
    if (job === null) return;
    this.#current = job;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ pattern: job.pattern, text: job.text } satisfies MatchJob);
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
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'patterns',
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: PATTERN_THREAD_HEAP_MB },
    });
    worker.unref();
    worker.on('message', (news: MatchNews) => (news === 'begun' ? this.#begun() : this.#ended(news)));
    // Out of memory, or it could not be started.
    worker.on('error', (error) => {
      if (this.#worker === worker) void this.#endThread(new NodeError('pattern_too_costly', error.message));
    });
    return worker;
  }

  #begun(): void {
    this.#timer = setTimeout(() => void this.#endThread(tooCostly()), this.#msMax);
    this.#timer.unref();
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
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return job;
  }
}

function tooCostly(): NodeError {
  return new NodeError('pattern_too_costly', 'a match of a pattern took too long and was ended');
}

function cancelled(): NodeError {
  return new NodeError('call_cancelled', 'the run was cancelled');
}
