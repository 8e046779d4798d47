import { WorkerThread } from '#common/node/worker-thread.ts';
import { CallTable } from './call-table.ts';
import { WINDOW_CALLS, WINDOW_CHARS, WINDOW_MS, WORKER_RESOURCES } from './limits.ts';
import { type Call, handOver, leftMs } from './script-queue.ts';
import { freeBuffer } from './spare-buffers.ts';
import type {
  Batch,
  CallItem,
  FromWorker,
  ResultItem,
  ResumeItem,
  ScriptSource,
  ToWorker,
  WorkerInit,
} from './thread-messages.ts';

export interface WorkerEvents {
  ready(thread: WorkerHandle): void;
  results(thread: WorkerHandle, results: readonly ResultItem[]): void;
  /** It ended unexpectedly. */
  lost(thread: WorkerHandle, cause: unknown): void;
}

export interface WorkerCode {
  readonly wasm: WebAssembly.Module;
  readonly prelude: string;
}

/** `ms` counts from when the current phase of the call was first observed. */
export interface Running {
  readonly slot: number;
  readonly call: Call;
  readonly ms: number;
  readonly limitMs: number;
  readonly hostWork: boolean;
}

/** The main thread's view of one sandbox worker: its posted calls, its current call, and the messages to be sent. */
export class WorkerHandle {
  readonly table = new CallTable();
  readonly startedAt = performance.now();
  ready = false;
  /** It runs a long call, or one of a slow script. No quick calls are posted to it. */
  occupied = false;
  idleSince = performance.now();
  readonly calls = new Map<number, Call>();
  readonly #thread: WorkerThread<ToWorker, FromWorker>;
  #hasEnded = false;
  readonly #free = Array.from({ length: WINDOW_CALLS }, (_, index) => WINDOW_CALLS - 1 - index);
  readonly #known = new Set<number>();
  #phase = 0;
  /** When that phase was first observed, on this thread's clock. */
  #phaseSince = 0;
  /** The expected duration of each posted call, by slot. */
  readonly #costs: number[] = [];
  #postedMs = 0;
  #postedChars = 0;
  #define: ScriptSource[] = [];
  #forget: number[] = [];
  #outbox: CallItem[] = [];

  constructor({ wasm, prelude }: WorkerCode, events: WorkerEvents) {
    const init: WorkerInit = { wasm, prelude, table: this.table.buffer };
    this.#thread = new WorkerThread(
      new URL('./worker.ts', import.meta.url),
      {
        name: 'sandbox',
        workerData: init,
        // The thread inherits nothing of the process.
        env: {},
        argv: [],
        resourceLimits: WORKER_RESOURCES,
      },
      {
        onMessage: (message) => this.#received(message, events),
        onLost: (_reason, cause) => events.lost(this, cause),
      },
    );
  }

  get idle(): boolean {
    return this.calls.size === 0;
  }

  knows(script: number): boolean {
    return this.#known.has(script);
  }

  /** Room for another quick call, which would wait behind WINDOW_MS of work at most. */
  hasRoom(): boolean {
    if (!this.ready || this.occupied) return false;
    return this.idle || (this.#free.length > 0 && this.#postedMs < WINDOW_MS && this.#postedChars < WINDOW_CHARS);
  }

  assign(call: Call): void {
    const slot = this.#free.pop();
    if (slot === undefined) throw new Error('the worker has no free slot');
    const { source } = call.script;
    if (!this.#known.has(source.script)) {
      this.#known.add(source.script);
      this.#define.push(source);
    }
    if (call.script.slow) this.occupied = true;
    this.table.post(slot);
    const resume = this.#resumeOf(slot, call);
    this.calls.set(slot, call);
    this.#costs[slot] = call.script.meanMs;
    this.#count(slot, call, 1);
    this.#outbox.push(itemOf(slot, call, resume));
  }

  /** An idle worker gets the memory immediately: nothing can run before it, so the call has begun. */
  #resumeOf(slot: number, call: Call): ResumeItem {
    if (call.image === null) return null;
    return this.idle && this.table.begin(slot) ? handOver(call) : 'later';
  }

  /** The worker has begun a run that waited. */
  handOver(slot: number): void {
    const call = this.calls.get(slot);
    const resume = call === undefined ? null : handOver(call);
    this.#thread.post({ resume }, buffersOf(resume));
  }

  /** Sends everything that was assigned since the last time. */
  flush(): void {
    if (this.#outbox.length === 0 && this.#forget.length === 0) return;
    const batch: Batch = { define: this.#define, forget: this.#forget, calls: this.#outbox };
    this.#define = [];
    this.#forget = [];
    this.#outbox = [];
    this.#thread.post(
      batch,
      batch.calls.flatMap(([, , , , , , resume]) => buffersOf(resume)),
    );
  }

  forget(script: number): void {
    if (!this.#known.delete(script)) return;
    this.#forget.push(script);
  }

  /** Removes a call; undefined if it was already recalled. */
  finish(slot: number): Call | undefined {
    const call = this.calls.get(slot);
    this.calls.delete(slot);
    this.#free.push(slot);
    if (call !== undefined) this.#count(slot, call, -1);
    return call;
  }

  /** Recalls calls that have not begun. Their slots become free when the worker reaches them. */
  recall(concerns: (call: Call) => boolean = () => true): Call[] {
    const recalled: Call[] = [];
    for (const [slot, call] of this.calls) {
      if (!concerns(call) || !this.table.recall(slot)) continue;
      this.calls.delete(slot);
      this.#count(slot, call, -1);
      recalled.push(call);
    }
    return recalled;
  }

  /** The running call, and how long it has been observed. */
  running(now: number): Running | null {
    const phase = this.table.phase();
    const call = phase === null ? undefined : this.calls.get(phase.slot);
    if (phase === null || call === undefined) return null;
    if (phase.count !== this.#phase) {
      this.#phase = phase.count;
      this.#phaseSince = now;
    }
    const { slot, limitMs, hostWork } = phase;
    return { slot, call, ms: now - this.#phaseSince, limitMs, hostWork };
  }

  /** Ends the thread immediately, whatever it does. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#thread.terminate();
  }

  #received(message: FromWorker, events: WorkerEvents): void {
    if (this.#hasEnded) return dropImages(message);
    if (message !== 'ready') return events.results(this, message);
    this.ready = true;
    events.ready(this);
  }

  #count(slot: number, call: Call, sign: 1 | -1): void {
    call.script.posted += sign;
    this.#postedMs += sign * (this.#costs[slot] ?? 0);
    this.#postedChars += sign * (call.input?.text.length ?? 0);
  }
}

function itemOf(slot: number, call: Call, resume: ResumeItem): CallItem {
  const { input, deadlineMs } = call;
  return [slot, call.script.source.script, leftMs(call), deadlineMs, input?.text ?? null, input?.chunks ?? [], resume];
}

/** Buffers that are transferred without a copy. */
function buffersOf(resume: ResumeItem): ArrayBuffer[] {
  return resume === null || resume === 'later' ? [] : [resume.image.buffer];
}

/** Buffers of a worker that was ended: its runs are not continued. */
function dropImages(message: FromWorker): void {
  if (message === 'ready') return;
  for (const [, , , , , calls] of message) if (calls?.image) freeBuffer(calls.image.buffer);
}
