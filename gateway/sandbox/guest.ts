import type { JSValuePointer } from 'quickjs-emscripten-core';
import { createEngine, type Engine, GuestMemoryFull, GuestThrow } from './engine.ts';
import { guestReason } from './guest-reason.ts';
import { JOBS_PER_SLICE, RESULT_BYTES_MAX } from './limits.ts';
import { findGap, takeImage } from './memory-image.ts';
import { ENTRY, PRELUDE } from './prelude.ts';
import type { FailureCode } from './thread-messages.ts';

/**
 * One script in one QuickJS instance.
 *
 * States: loading → ready ⇄ running → (ready | spent). Loading evaluates prelude and script and takes an image of the
 * memory; each run begins by putting the image back, so nothing that a run did is there for the next.
 * Limits: the instance's memory, its stack, the deadline (told by `watch`), the sizes of message and result.
 * Security: a host throw (a trap, the host's own stack overflow) leaves the engine in an unknown state, and a memory
 * that grew no longer fits its image; either makes the guest spent. An interrupt unwinds the guest in order and does not.
 * Known weakness: a native loop of QuickJS that never asks the interrupt handler ends only by ending the thread.
 */
export interface Guest {
  run(text: string, chunks: readonly Uint8Array[]): GuestResult;
  /** True once the guest must not be used again. */
  readonly spent: boolean;
}

export type GuestResult =
  | { readonly code: ''; readonly text: string; readonly chunks: readonly Uint8Array[] }
  | { readonly code: FailureCode; readonly text: string; readonly chunks: readonly [] };

/** Asked while guest code runs: why it must stop, or null. */
export type Watch = () => 'script_deadline' | 'script_cancelled' | null;

export type Loaded = { readonly guest: Guest } | { readonly failure: GuestResult };

/** What guest code may ask of the host. */
export type HostCalls = Readonly<Record<string, () => number>>;

export interface GuestHooks {
  readonly host: HostCalls;
  readonly watch: Watch;
  begin(): void;
}

const FILE_NAME = 'script';

/** `begin` is called when the engine is up and the script's own code comes next. */
export async function loadGuest(wasm: WebAssembly.Module, code: string, hooks: GuestHooks): Promise<Loaded> {
  const { host, watch, begin } = hooks;
  const stop = new Stop(watch);
  const engine = await createEngine(wasm, () => stop.asked());
  const gap = findGap(engine.memory);
  const entries = engine.call(engine.evaluate(PRELUDE, 'expression', 'prelude'), engine.object(host));
  const guest = new QuickJsGuest(engine, entries, stop);
  begin();
  const loaded = guest.load(code);
  if (loaded.code !== '') return { failure: asInvalid(loaded) };
  if (guest.spent)
    return { failure: failed('script_invalid', 'its top level needs more memory than a script may keep') };
  guest.keep(takeImage(engine.memory, gap));
  return { guest };
}

/** What the interrupt handler answered; kept, because a guest can hide the interrupt by waiting on a promise. */
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

class QuickJsGuest implements Guest {
  spent = false;
  readonly #engine: Engine;
  readonly #entries: readonly JSValuePointer[];
  readonly #stop: Stop;
  readonly #bytes: number;
  #restore: () => void = () => undefined;

  constructor(engine: Engine, entries: JSValuePointer, stop: Stop) {
    this.#engine = engine;
    this.#entries = Object.values(ENTRY).map((index) => engine.item(entries, index));
    this.#stop = stop;
    this.#bytes = engine.memory.buffer.byteLength;
  }

  keep(restore: () => void): void {
    this.#restore = restore;
  }

  load(code: string): GuestResult {
    return this.#guarded(() => {
      const text = this.#settled(
        this.#engine.call(this.#entry('load'), this.#engine.evaluate(code, 'module', FILE_NAME)),
      );
      if (!this.#runJobs()) throw new Stopped();
      return { code: '', text, chunks: [] };
    });
  }

  run(text: string, chunks: readonly Uint8Array[]): GuestResult {
    return this.#guarded(() => {
      this.#restore();
      for (const chunk of chunks) this.#engine.call(this.#entry('lend'), this.#engine.newBuffer(chunk));
      return this.#result(this.#settled(this.#engine.call(this.#entry('run'), this.#engine.newText(text))));
    });
  }

  #entry(name: keyof typeof ENTRY): JSValuePointer {
    const entry = this.#entries[ENTRY[name]];
    if (entry === undefined) throw new Error('the prelude is incomplete');
    return entry;
  }

  /** The text, once the promise that stands for it has settled. Jobs run in slices: a chain of them may never end. */
  #settled(value: JSValuePointer): string {
    const text = this.#engine.readText(value);
    if (text !== '') return text;
    if (!this.#runJobs()) throw new Stopped();
    const settled = this.#engine.readText(this.#engine.call(this.#entry('take'), this.#engine.nothing));
    if (settled === '') throw new Stalled();
    return settled;
  }

  /** False when it was stopped. */
  #runJobs(): boolean {
    while (this.#engine.runJobs(JOBS_PER_SLICE)) if (this.#stop.asked()) return false;
    return this.#stop.code === null;
  }

  #result(text: string): GuestResult {
    if (!text.startsWith('b')) return { code: '', text, chunks: [] };
    const colon = text.indexOf(':');
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let index = 0; index < Number(text.slice(1, colon)); index++) {
      const chunk = this.#engine.readBuffer(this.#engine.call(this.#entry('chunk'), this.#engine.newNumber(index)));
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
      if (this.#engine.memory.buffer.byteLength !== this.#bytes) this.spent = true;
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

  #thrown(error: JSValuePointer): GuestResult {
    try {
      const reason = guestReason(this.#engine.readText(this.#engine.call(this.#entry('describe'), error)), FILE_NAME);
      return reason === null ? outOfMemory() : failed('script_failed', reason);
    } catch (cause) {
      if (this.#stop.code !== null) return stopped(this.#stop.code);
      if (!(cause instanceof GuestThrow || cause instanceof GuestMemoryFull)) this.spent = true;
      return this.#nearlyFull() ? outOfMemory() : failed('script_failed', 'it threw something that cannot be shown');
    }
  }

  #nearlyFull(): boolean {
    return this.#engine.memory.buffer.byteLength > this.#bytes;
  }
}

class Stopped extends Error {}
class Stalled extends Error {}

function failed(code: FailureCode, text: string): GuestResult {
  return { code, text, chunks: [] };
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
