/**
 * One sandbox thread: receives batches of calls from the main thread, runs them one after the other and posts the
 * results in batches.
 *
 * A run that waits for capability calls is posted with its memory, which is transferred and no longer belongs to this
 * thread. If it is to continue here, its memory is requested when it begins. Until the memory arrives this thread runs
 * nothing else: an endless script would take it along.
 *
 * Limits: INSTANCES_MAX guests, of which the least recently used is discarded first; SPARE_BYTES_MAX; the sender limits
 * the number of calls. Security: the thread has no environment, no arguments and no standard input; a guest that broke
 * out of WebAssembly could only read the messages of scripts in the same thread. Known weakness: results wait for their
 * batch. They are posted before another script runs, and during a long run, so that a loop delays no results of other
 * scripts; a native loop that cannot be interrupted loses those of the same script.
 */
import { randomFillSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { CallTable } from './call-table.ts';
import { type Guest, type GuestResult, type HostCalls, loadGuest, type Loaded } from './guest.ts';
import { DEADLINE_FACTOR, ENGINE_START_MS, INSTANCES_MAX, LOAD_MS_MIN, ROOM_BYTES_MIN } from './limits.ts';
import { freeBuffer, SpareBuffers } from './spare-buffers.ts';
import { SpentMemory } from './spent-memory.ts';
import type {
  CallItem,
  FromWorker,
  Resume,
  ResultItem,
  ScriptSource,
  ToWorker,
  WorkerInit,
} from './thread-messages.ts';

const FLUSH_MS = 2;
/** Results posted together: the other thread processes them while this one continues. */
const FLUSH_RESULTS = 16;
const ENTROPY_WORDS = 1024;
const BROUGHT_UP: GuestResult = { code: '', text: '', chunks: [] };

interface Running {
  readonly slot: number;
  readonly deadlineAt: number;
}

function serve(port: NonNullable<typeof parentPort>, init: WorkerInit): void {
  const table = new CallTable(init.table);
  const sources = new Map<number, ScriptSource>();
  const guests = new Map<number, Guest>();
  /** The free memory of the next instance of a script, if above the minimum. */
  const rooms = new Map<number, number>();
  const host: HostCalls = { entropy: entropySource() };
  const inbox: CallItem[] = [];
  let results: ResultItem[] = [];
  let running: Running = { slot: 0, deadlineAt: 0 };
  const buffers = new SpareBuffers();
  const spentMemory = new SpentMemory();
  let hasSpent = false;
  let flushedAt = 0;
  let draining = false;
  /** The run that has begun and waits for its memory. */
  let handedOver: (resume: Resume | null) => void = () => undefined;

  function flush(): void {
    if (results.length === 0) return;
    port.postMessage(results, buffersOf(results));
    results = [];
  }

  function watch(): 'script_deadline' | 'script_cancelled' | null {
    const now = performance.now();
    if (now >= running.deadlineAt) return 'script_deadline';
    if (table.cancelled(running.slot)) return 'script_cancelled';
    if (now - flushedAt > FLUSH_MS) {
      flushedAt = now;
      flush();
    }
    return null;
  }

  /**
   * The script's own code begins: an interrupt ends it at its deadline, the other thread a quarter of the deadline
   * later.
   */
  function beginScript(slot: number, leftMs: number, deadlineMs: number): number {
    const now = performance.now();
    running = { slot, deadlineAt: now + leftMs };
    table.beginPhase(slot, leftMs + deadlineMs * (DEADLINE_FACTOR - 1), false);
    return now;
  }

  /** A guest that has started is returned directly; otherwise a promise of one. */
  function bringUp(slot: number, source: ScriptSource): Loaded | Promise<Loaded> {
    const guest = guests.get(source.script);
    if (guest === undefined) {
      running = { slot, deadlineAt: Infinity };
      table.beginPhase(slot, ENGINE_START_MS, true);
      const loadMs = Math.max(source.deadlineMs, LOAD_MS_MIN);
      return loadGuest(source.code, {
        wasm: init.wasm,
        prelude: init.prelude,
        host,
        watch,
        room: rooms.get(source.script) ?? ROOM_BYTES_MIN,
        begin: () => void beginScript(slot, loadMs, loadMs),
        buffer: (bytes) => buffers.take(bytes),
      });
    }
    guests.delete(source.script);
    return { guest };
  }

  function keep(script: number, guest: Guest): void {
    if (guest.spent) return void rooms.set(script, guest.nextRoom);
    guests.set(script, guest);
    if (guests.size <= INSTANCES_MAX) return;
    const oldest = guests.keys().next();
    if (!oldest.done) guests.delete(oldest.value);
  }

  function runOn(loaded: Loaded, item: CallItem, resume: Resume | null): ResultItem {
    const [slot, script, leftMs, deadlineMs] = item;
    if ('failure' in loaded) {
      if (resume !== null) freeBuffer(resume.image.buffer);
      return [slot, loaded.failure.code, loaded.failure.text, [], 0];
    }
    const begun = beginScript(slot, leftMs, deadlineMs);
    const { code, text, chunks, calls } = runGuest(loaded.guest, item, resume);
    keep(script, loaded.guest);
    const ms = performance.now() - begun;
    return calls === undefined ? [slot, code, text, chunks, ms] : [slot, code, text, chunks, ms, calls];
  }

  function runGuest(guest: Guest, [, , , , text, chunks]: CallItem, resume: Resume | null): GuestResult {
    if (text !== null) return guest.run(text, chunks);
    if (resume === null) return BROUGHT_UP;
    // The run itself may reuse it when it waits again.
    buffers.keep(resume.image.buffer);
    return guest.resume(resume);
  }

  /** A promise only if the script must be started first: waiting costs time for every call of a batch. */
  function handle(item: CallItem): void | Promise<void> {
    const [slot, script, , , , , resume] = item;
    const source = sources.get(script);
    const isHere = resume !== null && resume !== 'later';
    if (source === undefined || !(isHere || table.begin(slot))) {
      if (isHere) freeBuffer(resume.image.buffer);
      results.push([slot, null]);
      return;
    }
    return resume === 'later' ? continueLater(item, source) : start(item, source, resume);
  }

  async function continueLater(item: CallItem, source: ScriptSource): Promise<void> {
    const [slot] = item;
    const { promise, resolve } = Promise.withResolvers<Resume | null>();
    handedOver = resolve;
    table.beginPhase(slot, ENGINE_START_MS, true);
    results.push([slot, 'begun']);
    flush();
    const resume = await promise;
    if (resume !== null) return start(item, source, resume);
    table.end(slot);
    results.push([slot, null]);
  }

  function start(item: CallItem, source: ScriptSource, resume: Resume | null): void | Promise<void> {
    const loaded = bringUp(item[0], source);
    if (loaded instanceof Promise) return loaded.then((guest) => finish(guest, item, resume));
    finish(loaded, item, resume);
  }

  function finish(loaded: Loaded, item: CallItem, resume: Resume | null): void {
    const result = runOn(loaded, item, resume);
    buffers.trim();
    table.end(item[0]);
    results.push(result);
    hasSpent ||= 'guest' in loaded && loaded.guest.spent;
  }

  /** Call it when nothing references the spent guest any more, including the stack of this thread. */
  function collectSpent(): void {
    hasSpent = false;
    flush();
    spentMemory.collect();
  }

  async function drain(): Promise<void> {
    draining = true;
    let previous: number | undefined;
    for (let item = inbox.shift(); item !== undefined; item = inbox.shift()) {
      if (item[1] !== previous || results.length >= FLUSH_RESULTS) flush();
      previous = item[1];
      const waited = handle(item);
      if (waited !== undefined) await waited;
      if (hasSpent) collectSpent();
    }
    flush();
    draining = false;
  }

  port.on('message', (message: ToWorker) => {
    if ('resume' in message) return handedOver(message.resume);
    const batch = message;
    for (const source of batch.define) sources.set(source.script, source);
    inbox.push(...batch.calls);
    for (const script of batch.forget) {
      sources.delete(script);
      guests.delete(script);
      rooms.delete(script);
    }
    // A failure here is a bug of the host; it ends the thread, and the pool starts another.
    if (!draining) void drain();
  });
  port.postMessage('ready' satisfies FromWorker);
}

/** Buffers that are no longer needed here: they are transferred to the other thread without a copy. */
function buffersOf(results: readonly ResultItem[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const [, , , chunks = [], , calls] of results) {
    collectBuffers(chunks, buffers);
    if (calls?.image) buffers.push(calls.image.buffer);
    for (const [, , , sent] of calls?.requests ?? []) collectBuffers(sent, buffers);
  }
  return buffers;
}

function collectBuffers(chunks: readonly Uint8Array[], into: ArrayBuffer[]): void {
  for (const { buffer } of chunks) if (buffer instanceof ArrayBuffer) into.push(buffer);
}

/** Numbers for seeds, 32 bits each, from the system's generator. */
function entropySource(): () => number {
  const words = new Int32Array(ENTROPY_WORDS);
  let next = ENTROPY_WORDS;
  return () => {
    if (next === ENTROPY_WORDS) {
      randomFillSync(words);
      next = 0;
    }
    return words[next++] ?? 0;
  };
}

if (parentPort !== null) {
  releaseIdleMemory();
  serve(parentPort, workerData as WorkerInit);
}
