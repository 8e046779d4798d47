import { createEngine, type Engine, GuestMemoryFull, GuestThrow } from './engine.ts';
import type { GuestValue } from './engine-wasm.ts';
import { type GuestCalls, readCalls } from './guest-calls.ts';
import { guestReason } from './guest-reason.ts';
import {
  CHUNKS_MAX,
  IMAGE_BYTES_MAX,
  JOBS_PER_SLICE,
  LENT_BYTES_MAX,
  LOADED_BYTES_MAX,
  RESULT_BYTES_MAX,
  ROOM_BYTES_KEPT,
  ROOM_BYTES_MAX,
  ROOM_BYTES_MIN,
} from './limits.ts';
import { bufferBytes, clearAbove, copyIn, copyOut, takeImage, usedTop } from './memory-image.ts';
import { isPacked } from './packed-message.ts';
import { ENTRY } from './prelude-entries.ts';
import type { CallAnswer, Calls, FailureCode, Image, Resume } from './thread-messages.ts';

/**
 * One script in one QuickJS instance.
 *
 * States: loading → ready ⇄ running → (ready | spent). Loading evaluates prelude and script and takes an image of the
 * memory. Each run begins by restoring all pages that were written to, so it finds nothing of the previous run. A run
 * that waits for capability calls leaves its memory as a separate image, and the guest is ready again; `resume`
 * continues with such an image, in this instance or another.
 * Limits: the instance's memory, its stack, the deadline (from `watch`), the sizes of message, result and calls.
 * Security: a host throw (a trap, the host's own stack overflow) leaves the engine in an unknown state, and a memory
 * that grew is larger than its image's allocator knows; either makes the guest spent. An interrupt unwinds the guest in
 * order and does not.
 * Known weakness: a native loop of QuickJS that never asks the interrupt handler ends only by ending the thread.
 */
export interface Guest {
  run(text: string, chunks: readonly Uint8Array[]): GuestResult;
  resume(from: Resume): GuestResult;
  /** True once the guest must not be used again. */
  readonly spent: boolean;
  /** The free memory that the script's next instance should have. */
  readonly nextRoom: number;
  /** Everything that a script could read if it broke out of its engine. */
  readonly memory: WebAssembly.Memory;
}

export interface GuestResult {
  readonly code: FailureCode | '' | 'suspended';
  readonly text: string;
  readonly chunks: readonly Uint8Array[];
  readonly calls?: Calls;
}

/** Called while guest code runs: the reason to stop it, or null. */
export type Watch = () => 'script_deadline' | 'script_cancelled' | null;

export type Loaded = { readonly guest: Guest } | { readonly failure: GuestResult };

/** The host functions that guest code may call. */
export type HostCalls = Readonly<Record<string, () => number>>;

export interface GuestHooks {
  readonly wasm: WebAssembly.Module;
  readonly prelude: string;
  readonly host: HostCalls;
  readonly watch: Watch;
  /** Free memory, in bytes, in the instance at the start of a run; after a run that needs more, the guest is spent. */
  readonly room: number;
  begin(): void;
  /** A buffer of at least this size, for the image of a waiting run. */
  buffer(bytes: number): ArrayBuffer;
}

const FILE_NAME = 'script';
/** Messages differ: the next run may need somewhat more than this one. */
const ROOM_FACTOR = 1.5;

/** `begin` is called when the engine has started, just before the script's own code. */
export async function loadGuest(code: string, hooks: GuestHooks): Promise<Loaded> {
  const stop = new Stop(hooks.watch);
  // An interrupted prelude would leave a guest that cannot report the reason, and would cost the thread; it is short
  // and trusted.
  let begun = false;
  const engine = await createEngine(hooks.wasm, () => begun && stop.asked());
  const entries = engine.call(engine.evaluate(hooks.prelude, 'expression', 'prelude'), engine.object(hooks.host));
  const guest = new QuickJsGuest({ engine, entries, stop, room: hooks.room, buffer: hooks.buffer });
  hooks.begin();
  begun = true;
  const loaded = guest.load(code);
  if (loaded.code !== '') return { failure: asInvalid(loaded) };
  if (engine.memory.buffer.byteLength > LOADED_BYTES_MAX)
    return { failure: failed('script_invalid', 'its top level needs more memory than a script may keep') };
  guest.keep();
  return { guest };
}

/** The result of the interrupt handler; stored, because a guest can hide the interrupt by waiting for a promise. */
class Stop {
  readonly #watch: Watch;
  code: ReturnType<Watch> = null;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  asked(): boolean {
    this.code ??= this.#watch();
    return this.code !== null;
  }
}

interface GuestParts {
  readonly engine: Engine;
  readonly entries: GuestValue;
  readonly stop: Stop;
  readonly room: number;
  buffer(bytes: number): ArrayBuffer;
}

class QuickJsGuest implements Guest {
  spent = false;
  nextRoom: number;
  readonly memory: WebAssembly.Memory;
  readonly #parts: GuestParts;
  readonly #engine: Engine;
  readonly #entries: readonly GuestValue[];
  readonly #stop: Stop;
  /** The size of its memory, once it is kept. */
  #bytes = Infinity;
  /** The room of its runs in total, while it is more than ROOM_BYTES_KEPT. */
  #lent = 0;
  #restore: () => void = () => undefined;

  constructor(parts: GuestParts) {
    this.#parts = parts;
    this.#engine = parts.engine;
    this.#entries = Object.values(ENTRY).map((index) => parts.engine.item(parts.entries, index));
    this.#stop = parts.stop;
    this.nextRoom = parts.room;
    this.memory = parts.engine.memory;
  }

  /** Keeps the current memory as the start of each run. */
  keep(): void {
    const top = usedTop(this.memory);
    this.#engine.reserve(this.#parts.room);
    // At the end of the memory the allocator leaves a mark, because of which images would contain all free memory.
    clearAbove(this.memory, top);
    this.#bytes = this.memory.buffer.byteLength;
    this.#restore = takeImage(this.memory, this.#engine.written, this.#engine.stackEnd);
  }

  load(code: string): GuestResult {
    return this.#guarded(() => {
      const module = this.#engine.evaluate(code, 'module', FILE_NAME);
      const text = this.#settled(this.#enter('load', module));
      if (text === '') throw new Stalled();
      if (!this.#runJobs()) throw new Stopped();
      return { code: '', text, chunks: [] };
    });
  }

  run(text: string, chunks: readonly Uint8Array[]): GuestResult {
    return this.#guarded(() => {
      this.#restore();
      this.#engine.resetStack();
      this.#lend(chunks);
      const settled = this.#settled(
        this.#enter('run', isPacked(text) ? this.#engine.newData(text) : this.#engine.newText(text)),
      );
      return settled === '' ? this.#waits(true) : this.#result(settled);
    });
  }

  resume({ image, answers }: Resume): GuestResult {
    return this.#guarded(() => {
      this.#put(image);
      for (const answer of answers) this.#answer(answer);
      const settled = this.#afterJobs();
      return settled === '' ? this.#waits(false) : this.#result(settled);
    });
  }

  #enter(name: keyof typeof ENTRY, argument: GuestValue): GuestValue {
    const entry = this.#entries[ENTRY[name]];
    if (entry === undefined) throw new Error('the prelude is incomplete');
    return this.#engine.call(entry, argument);
  }

  #lend(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) this.#tell('lend', this.#engine.newBuffer(chunk));
  }

  #answer([id, ok, text, chunks]: CallAnswer): void {
    this.#lend(chunks);
    this.#tell('answer', this.#engine.newText(`${id}:${ok ? 1 : 0}${text}`));
  }

  /** Calls an entry that returns nothing, and releases its arguments. */
  #tell(name: keyof typeof ENTRY, argument: GuestValue): void {
    this.#engine.release(this.#enter(name, argument));
    this.#engine.release(argument);
  }

  /** The text that an entry without arguments returns. */
  #ask(name: keyof typeof ENTRY): string {
    const value = this.#enter(name, this.#engine.nothing);
    const text = this.#engine.readText(value);
    this.#engine.release(value);
    return text;
  }

  /** The text of a promise once it has settled; '' while it is pending. */
  #settled(value: GuestValue): string {
    return this.#engine.readText(value) || this.#afterJobs();
  }

  #afterJobs(): string {
    if (!this.#runJobs()) throw new Stopped();
    return this.#ask('take');
  }

  /** False if it was stopped. Jobs run in slices: a chain of them may never end. */
  #runJobs(): boolean {
    while (this.#engine.runJobs(JOBS_PER_SLICE)) if (this.#stop.asked()) return false;
    return this.#stop.code === null;
  }

  /** The main thread knows whether a resumed run waits for anything. */
  #waits(fresh: boolean): GuestResult {
    const calls = this.#calls();
    if (calls === null) return unreadableCalls();
    if (fresh && calls.requests.length === 0) throw new Stalled();
    return { code: 'suspended', text: '', chunks: [], calls: { ...calls, cause: null, image: this.#take() } };
  }

  #take(): Image {
    const { memory } = this;
    const from = this.#engine.stackEnd;
    const top = usedTop(memory);
    const buffer = this.#parts.buffer(bufferBytes(from, top));
    copyOut(memory, from, top, buffer);
    return { buffer, from, top, bytes: memory.buffer.byteLength, roots: this.#roots() };
  }

  #put(image: Image): void {
    if (this.#roots().some((root, index) => root !== image.roots[index])) throw new Error('the instances differ');
    copyIn(this.memory, this.#engine.written, image);
    this.#engine.resetStack();
  }

  #roots(): readonly number[] {
    return [this.#engine.stackEnd, ...this.#engine.roots, ...this.#entries];
  }

  #calls(): GuestCalls | null {
    const text = this.#ask('requests');
    return readCalls(text, (index) => {
      if (this.#stop.asked()) throw new Stopped();
      return this.#engine.readBuffer(this.#enter('sent', this.#engine.newNumber(index)));
    });
  }

  #result(text: string): GuestResult {
    if (!text.startsWith('c')) return this.#plainResult(text);
    const calls = this.#calls();
    if (calls === null) return unreadableCalls();
    return { ...this.#plainResult(text.slice(1)), calls: { ...calls, cause: null, image: null } };
  }

  #plainResult(text: string): GuestResult {
    if (!text.startsWith('b')) return { code: '', text, chunks: [] };
    const colon = text.indexOf(':');
    const count = Number(text.slice(1, colon));
    if (count > CHUNKS_MAX) return failed('script_failed', `its result holds more than ${CHUNKS_MAX} byte arrays`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let index = 0; index < count; index++) {
      if (this.#stop.asked()) throw new Stopped();
      const chunk = this.#engine.readBuffer(this.#enter('chunk', this.#engine.newNumber(index)));
      bytes += chunk?.byteLength ?? 0;
      if (chunk === null || bytes > RESULT_BYTES_MAX)
        return failed('script_failed', `its result holds more than ${RESULT_BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
    return { code: '', text: text.slice(colon + 1), chunks };
  }

  #guarded(work: () => GuestResult): GuestResult {
    this.#stop.code = null;
    try {
      const result = work();
      return this.#stop.code === null ? result : stopped(this.#stop.code);
    } catch (error) {
      return this.#failure(error);
    } finally {
      this.#wear();
    }
  }

  /**
   * An instance that grew is spent, and the next one gets the room that was lacking. One with much room is
   * spent after some runs, in case that the script no longer needs it.
   */
  #wear(): void {
    const { room } = this.#parts;
    const grown = this.memory.buffer.byteLength - this.#bytes;
    if (grown > 0) {
      this.spent = true;
      const needed = room + grown * ROOM_FACTOR;
      this.nextRoom = needed > ROOM_BYTES_MAX ? ROOM_BYTES_MIN : needed;
    } else if (room > ROOM_BYTES_KEPT) {
      this.#lent += room;
      if (this.#lent <= LENT_BYTES_MAX) return;
      this.spent = true;
      this.nextRoom = ROOM_BYTES_MIN;
    }
  }

  #failure(error: unknown): GuestResult {
    if (this.#stop.code !== null && (error instanceof GuestThrow || error instanceof Stopped))
      return stopped(this.#stop.code);
    if (error instanceof Stalled) return failed('script_stalled', 'it waits for a promise that nothing can settle');
    if (error instanceof GuestMemoryFull) return outOfMemory();
    if (error instanceof GuestThrow) return this.#thrown(error.error);
    this.spent = true;
    if (this.#stop.code !== null) return stopped(this.#stop.code);
    return failed(
      'script_failed',
      error instanceof RangeError ? 'it nests too deeply' : 'it broke its sandbox, which was thrown away',
    );
  }

  #thrown(error: GuestValue): GuestResult {
    try {
      const { text, cause, calls } = guestReason(this.#engine.readText(this.#enter('describe', error)), FILE_NAME);
      if (text === null) return outOfMemory();
      const result = failed('script_failed', text);
      if (!calls && cause === null) return result;
      const left = calls ? this.#calls() : null;
      return { ...result, calls: { requests: left?.requests ?? [], unheard: [], cause, image: null } };
    } catch (failure) {
      if (this.#stop.code !== null) return stopped(this.#stop.code);
      if (!(failure instanceof GuestThrow || failure instanceof GuestMemoryFull)) this.spent = true;
      return this.#nearlyFull() ? outOfMemory() : failed('script_failed', 'it threw something that cannot be shown');
    }
  }

  #nearlyFull(): boolean {
    return this.memory.buffer.byteLength > IMAGE_BYTES_MAX / 2;
  }
}

class Stopped extends Error {}
class Stalled extends Error {}

function failed(code: FailureCode, text: string): GuestResult {
  return { code, text, chunks: [] };
}

function unreadableCalls(): GuestResult {
  return failed('script_failed', 'its capability calls are too large or cannot be read');
}

function outOfMemory(): GuestResult {
  return failed('script_memory', 'it needs more memory than a script may use');
}

function stopped(code: 'script_deadline' | 'script_cancelled'): GuestResult {
  return failed(code, code === 'script_deadline' ? 'it did not end within its deadline' : 'the run was cancelled');
}

function asInvalid(result: GuestResult): GuestResult {
  if (result.code === 'script_cancelled') return result;
  return failed('script_invalid', result.text);
}
