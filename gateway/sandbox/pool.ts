/**
 * The sandbox's workers and the calls that wait for them.
 *
 * A call is waiting (here, in its script's queue) → posted (to a worker, not begun) → running → settled. A posted call
 * can be recalled and moved to another worker; one that has begun cannot, and fails when its worker is ended. Scripts
 * take turns, those of the project with fewest calls in the workers first, so the queue of one script or project does
 * not delay others. Quick calls are posted to the first worker with room, up to WINDOW_CALLS in its queue (a batch
 * costs less than half of single posts). A call that has run for LONG_MS makes its worker `occupied`: calls behind it
 * are recalled, a spare worker is started if no other is left, and from then on the script counts as slow: its calls
 * run alone, on at most half of the cores, and never on the last worker.
 *
 * A run that waits for capability calls is returned as the memory of its guest and occupies no worker: it is suspended,
 * and posted again, to any worker, when a response has arrived. The memory itself stays here until a worker begins.
 * Waiting runs therefore cannot occupy all workers (even nested library scripts find one), and a worker that another
 * script keeps busy neither delays nor loses them.
 *
 * Limits: QUEUE_LIMITS for waiting calls, WORKERS_MAX threads, ATTEMPTS_MAX lost workers per call. Security: a running
 * call is ended from outside a quarter of its deadline after it, whatever it does; so is a cancelled call that does not
 * react. Known weaknesses: runs are watched every WATCH_MS, so a run is ended from outside up to that much later. More
 * slow scripts than WORKERS_MAX - 1 wait for each other.
 */
import { availableParallelism } from 'node:os';
import type { NodeCode } from '#common/errors/node-codes.ts';
import type { LogLevel } from '#sdk';
import { CallingRuns } from './calling-runs.ts';
import type { HeldImages } from './held-images.ts';
import {
  ATTEMPTS_MAX,
  CANCEL_GRACE_MS,
  LONG_MS,
  type QueueLimits,
  SLOW_PER_PROJECT_MAX,
  SPARE_IDLE_MS,
  WATCH_MS,
  WORKER_START_MS,
  WORKERS_MAX,
} from './limits.ts';
import { RestartDelay } from './restart-delay.ts';
import { type Call, fail, type ScriptQueue, succeed } from './script-queue.ts';
import type { ResultItem } from './thread-messages.ts';
import { WaitingCalls } from './waiting-calls.ts';
import { type Running, type WorkerCode, WorkerHandle } from './worker-handle.ts';

export interface PoolOptions {
  readonly code: WorkerCode;
  /** Permanent workers; more are started only while long runs are active. */
  readonly workers: number;
  /** True: one worker, for the instances of one plugin, which is restarted with back-off. */
  readonly isolated: boolean;
  readonly limits: QueueLimits;
  /** Shared by all pools of the sandbox. */
  readonly held: HeldImages;
  log(level: LogLevel, message: string): void;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #slowPerScript = Math.max(1, Math.floor(availableParallelism() / 2));
  readonly #cancelledAt = new WeakMap<Call, number>();
  #threads: WorkerHandle[] = [];
  readonly #waiting: WaitingCalls;
  readonly #calling: CallingRuns;
  /** Number of consecutive workers that ended before they had started. */
  #failedStarts = 0;
  #pumpAsked = false;
  #watch: NodeJS.Timeout | null = null;
  #closed = false;
  readonly #restart = new RestartDelay();
  #restartTimer: NodeJS.Timeout | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#waiting = new WaitingCalls(options.limits);
    this.#calling = new CallingRuns({
      limits: options.limits,
      held: options.held,
      log: (level, message) => options.log(level, message),
      resume: (call) => {
        this.#requeue(call);
        this.#askPump();
      },
    });
  }

  /** Accepts a call, or fails it with `script_overloaded`. */
  submit(call: Call): void {
    if (this.#closed || call.script.closed) return fail(call, 'script_failed', 'the script is closed');
    if (this.#waiting.full(call)) return fail(call, 'script_overloaded', 'too many calls of scripts are waiting');
    this.#waiting.add(call);
    this.#askPump();
  }

  /** Ends the calls of a script and removes it everywhere. */
  remove(script: ScriptQueue): void {
    script.closed = true;
    for (const call of this.#waiting.removeScript(script)) fail(call, 'script_cancelled', 'the script was closed');
    this.#calling.failScript(script);
    for (const thread of this.#threads) {
      this.#cancel(thread, (call) => call.script === script);
      thread.forget(script.source.script);
    }
    this.#askPump();
  }

  /** Fails all calls and ends every thread. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWatch();
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    const threads = this.#threads;
    this.#threads = [];
    const begun = threads.flatMap((thread) => [...thread.calls.values()]);
    for (const call of [...this.#waiting.removeAll(), ...begun])
      fail(call, 'script_cancelled', 'the sandbox was closed');
    this.#calling.failAll();
    await Promise.all(threads.map((thread) => thread.end()));
  }

  /** Once per turn of the event loop, so that the calls of a turn are posted together. */
  #askPump(): void {
    if (this.#pumpAsked) return;
    this.#pumpAsked = true;
    setImmediate(() => {
      this.#pumpAsked = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#closed) return;
    this.#keepWorkers();
    this.#handOut();
    this.#keepOneFree();
    for (const thread of this.#threads) thread.flush();
    if (this.#threads.some((thread) => !thread.idle || !thread.ready)) this.#startWatch();
  }

  /** Until none of the scripts with waiting calls finds a worker. */
  #handOut(): void {
    const without = new Set<ScriptQueue>();
    const posted = this.#postedByProject();
    const mayRun = (script: ScriptQueue): boolean => !without.has(script);
    for (;;) {
      const script = this.#waiting.next(mayRun, (project) => posted.get(project) ?? 0);
      if (script === null) return;
      const thread = this.#place(script);
      const call = thread && this.#waiting.take(script);
      if (thread && call) {
        thread.assign(call);
        posted.set(script.project, (posted.get(script.project) ?? 0) + 1);
      } else without.add(script);
    }
  }

  #postedByProject(): Map<string | null, number> {
    const posted = new Map<string | null, number>();
    for (const { calls } of this.#threads)
      for (const { script } of calls.values()) posted.set(script.project, (posted.get(script.project) ?? 0) + 1);
    return posted;
  }

  #place(script: ScriptQueue): WorkerHandle | undefined {
    return script.slow && !this.#options.isolated
      ? this.#placeForSlow(script)
      : this.#threads.find((thread) => thread.hasRoom());
  }

  /** An idle worker, provided that another one is left for quick calls. */
  #placeForSlow(script: ScriptQueue): WorkerHandle | undefined {
    if (script.posted >= this.#slowPerScript || this.#slowOf(script.project) >= SLOW_PER_PROJECT_MAX) return undefined;
    const free = this.#threads.filter((thread) => !thread.occupied);
    if (free.length < 2) {
      this.#startSpare();
      return undefined;
    }
    return free.findLast((thread) => thread.ready && thread.idle);
  }

  /** Workers that slow scripts of the project use. */
  #slowOf(project: string | null): number {
    if (project === null) return 0;
    return this.#threads.filter(({ calls }) =>
      calls.values().some(({ script }) => script.slow && script.project === project),
    ).length;
  }

  /** No worker runs before it is needed; then all are started, so that one is free when another is busy. */
  #keepWorkers(): void {
    if (this.#waiting.count === 0 || this.#restartsLater()) return;
    while (this.#threads.length < this.#options.workers) this.#start();
  }

  #restartsLater(): boolean {
    const ms = this.#options.isolated ? this.#restart.leftMs(performance.now()) : 0;
    if (ms === 0) return false;
    this.#restartTimer ??= setTimeout(() => {
      this.#restartTimer = null;
      this.#askPump();
    }, ms);
    return true;
  }

  /** During long runs there is always a worker for quick calls, started before it is needed. */
  #keepOneFree(): void {
    if (this.#threads.length > 0 && this.#threads.every((thread) => thread.occupied)) this.#startSpare();
  }

  #startSpare(): void {
    if (this.#options.isolated) return;
    if (this.#threads.length < WORKERS_MAX && this.#threads.every((thread) => thread.ready)) this.#start();
  }

  #start(): void {
    this.#threads = [
      ...this.#threads,
      new WorkerHandle(this.#options.code, {
        ready: () => this.#started(),
        results: (thread, results) => this.#results(thread, results),
        lost: (thread, cause) => this.#lost(thread, cause),
      }),
    ];
  }

  #started(): void {
    this.#failedStarts = 0;
    this.#askPump();
  }

  #results(thread: WorkerHandle, results: readonly ResultItem[]): void {
    for (const result of results) this.#result(thread, result);
    if (thread.idle) this.#rest(thread);
    if (this.#waiting.count > 0) this.#pump();
  }

  #result(thread: WorkerHandle, result: ResultItem): void {
    if (result[1] === 'begun') return thread.handOver(result[0]);
    const call = thread.finish(result[0]);
    if (call === undefined) return;
    if (result[1] === null) return this.#retry(call);
    const [, code, text, chunks, ms, calls] = result;
    call.script.ran(ms);
    if (call.settled) return this.#calling.drop(calls?.image ?? null);
    call.usedMs += ms;
    if (calls !== undefined) return this.#calling.result(call, code, { text, chunks }, calls);
    // Only a run with calls can be suspended.
    if (code !== '' && code !== 'suspended') return fail(call, code, text);
    succeed(call, { text, chunks });
  }

  /** A worker without calls: open to all again; a spare one is ended after it was idle for a while. */
  #rest(thread: WorkerHandle): void {
    thread.occupied = false;
    thread.idleSince = performance.now();
    if (this.#hasSpare()) this.#startWatch();
  }

  #startWatch(): void {
    this.#watch ??= setInterval(() => this.#look(), WATCH_MS);
  }

  #stopWatch(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }

  #look(): void {
    const now = performance.now();
    for (const call of this.#waiting.cancelled()) fail(call, 'script_cancelled', 'the run was cancelled');
    // `#threads` is replaced, never changed in place, when one of them ends.
    for (const thread of this.#threads) this.#lookAt(thread, now);
    if (this.#quiet()) this.#stopWatch();
  }

  #quiet(): boolean {
    return (
      !this.#hasSpare() && this.#waiting.count === 0 && this.#threads.every((thread) => thread.idle && thread.ready)
    );
  }

  #hasSpare(): boolean {
    return this.#threads.length > this.#options.workers;
  }

  #lookAt(thread: WorkerHandle, now: number): void {
    this.#cancel(thread, (call) => call.signal?.aborted === true);
    const running = thread.running(now);
    if (running !== null) return this.#lookAtRunning(thread, running, now);
    const tooLate = !thread.ready && now - thread.startedAt > WORKER_START_MS;
    if (tooLate) return this.#lost(thread, new Error('it did not start in time'));
    const unused = thread.ready && thread.idle && now - thread.idleSince > SPARE_IDLE_MS;
    if (unused && this.#hasSpare()) this.#end(thread);
  }

  #lookAtRunning(thread: WorkerHandle, running: Running, now: number): void {
    const { slot, call, ms, limitMs, hostWork } = running;
    if (ms >= LONG_MS && !hostWork) call.script.runsLong(ms);
    if (ms >= LONG_MS) this.#giveWay(thread);
    const overdue = ms >= limitMs;
    if (overdue) return this.#kill(thread, slot, 'script_deadline', 'it did not end within its deadline');
    const deaf = now - (this.#cancelledAt.get(call) ?? now) > CANCEL_GRACE_MS;
    if (deaf) this.#kill(thread, slot, 'script_cancelled', 'the run was cancelled');
  }

  /** A long run: calls that wait behind it are moved. */
  #giveWay(thread: WorkerHandle): void {
    thread.occupied = true;
    const recalled = thread.recall();
    for (const waiting of recalled.toReversed()) this.#requeue(waiting);
    if (recalled.length > 0) this.#askPump();
    this.#keepOneFree();
  }

  #kill(thread: WorkerHandle, slot: number, code: NodeCode, message: string): void {
    const call = thread.finish(slot);
    if (call !== undefined) {
      call.script.runsLong(LONG_MS);
      fail(call, code, message);
      this.#options.log(
        'warn',
        `sandbox: a worker was ended because the script of "${call.script.name.slice(0, 60)}" would not stop`,
      );
    }
    this.#disband(thread, 'its worker was ended because of another run of the same script');
  }

  #lost(thread: WorkerHandle, cause: unknown): void {
    if (!this.#threads.includes(thread)) return;
    const detail = cause instanceof Error ? cause.message : 'it ended';
    this.#options.log('error', `sandbox: a worker was lost: ${detail.slice(0, 200)}`);
    if (!thread.ready) this.#failedStarts += 1;
    if (this.#failedStarts >= ATTEMPTS_MAX) this.#giveUp();
    this.#disband(thread, 'its sandbox worker was lost');
  }

  /** Workers do not start: waiting calls fail now, and the next call tries again. */
  #giveUp(): void {
    this.#failedStarts = 0;
    for (const call of this.#waiting.removeAll()) fail(call, 'script_failed', 'the sandbox cannot start its workers');
  }

  /** Ends a thread and moves its calls: those that had begun fail, the rest are tried again. */
  #disband(thread: WorkerHandle, reason: string): void {
    this.#restart.lost(thread.startedAt, performance.now());
    for (const call of thread.recall().toReversed()) {
      call.attempts += 1;
      this.#retry(call);
    }
    for (const call of thread.calls.values()) {
      call.script.posted -= 1;
      fail(call, 'script_failed', reason);
    }
    thread.calls.clear();
    this.#end(thread);
    this.#askPump();
  }

  #end(thread: WorkerHandle): void {
    this.#threads = this.#threads.filter((entry) => entry !== thread);
    void thread.end();
  }

  #retry(call: Call): void {
    if (call.attempts >= ATTEMPTS_MAX) return fail(call, 'script_failed', 'the sandbox lost its workers');
    this.#requeue(call);
  }

  #requeue(call: Call): void {
    if (call.settled) return;
    if (call.script.closed) return fail(call, 'script_cancelled', 'the script was closed');
    this.#waiting.putBack(call);
  }

  #cancel(thread: WorkerHandle, concerns: (call: Call) => boolean): void {
    for (const call of thread.recall(concerns)) fail(call, 'script_cancelled', 'the run was cancelled');
    for (const [slot, call] of thread.calls) {
      if (call.settled || !concerns(call)) continue;
      thread.table.cancel(slot);
      this.#cancelledAt.set(call, performance.now());
      fail(call, 'script_cancelled', 'the run was cancelled');
    }
  }
}
