import packaged from '@jitl/quickjs-wasmfile-release-sync';
import {
  type BorrowedHeapCharPointer,
  type EmscriptenModuleLoader,
  type EmscriptenModuleLoaderOptions,
  EvalFlags,
  type EvalDetectModule,
  type HostRefId,
  type IntrinsicsFlags,
  type JSContextPointer,
  type JSContextPointerPointer,
  type JSRuntimePointer,
  type JSValueConstPointer,
  type JSValueConstPointerPointer,
  type JSValuePointer,
  newVariant,
  type QuickJSEmscriptenModule,
  type QuickJSFFI,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { GUEST_STACK_BYTES, MEMORY_PAGES_INITIAL, MEMORY_PAGES_MAX } from './limits.ts';

/**
 * One QuickJS runtime and context on a WebAssembly memory of its own, by the library's foreign-function layer. Its
 * object layer costs a fifth more per call (measured: 52 against 44 µs side by side) and keeps handles that a
 * restored memory makes meaningless.
 *
 * Values are pointers into the guest's memory. Those of a whole run need not be freed, since the next restore forgets
 * them all; those that come with each wait are released, or they would add up in its image. A throw by
 * any method other than `GuestThrow` and `GuestMemoryFull` means that the engine is broken and must be dropped.
 */
export interface Engine {
  readonly memory: WebAssembly.Memory;
  /** Evaluates guest code; a module gives its namespace, or a promise of it. */
  evaluate(code: string, kind: 'expression' | 'module', fileName: string): JSValuePointer;
  call(callee: JSValuePointer, argument: JSValuePointer | JSValueConstPointer): JSValuePointer;
  /** Runs at most `max` pending jobs; false when none is left. */
  runJobs(max: number): boolean;
  item(list: JSValuePointer, index: number): JSValuePointer;
  object(functions: Readonly<Record<string, () => number>>): JSValuePointer;
  newText(text: string): JSValuePointer;
  newNumber(value: number): JSValuePointer;
  newBuffer(bytes: Uint8Array): JSValuePointer;
  /** Data in the engine's own form, a byte in each character. It must be the host's own: it is not checked. */
  newData(packed: string): JSValuePointer;
  readText(value: JSValuePointer): string;
  /** Gives a value back before the next restore: a run that waits often keeps its memory for long. */
  release(value: JSValuePointer): void;
  /** A copy of an ArrayBuffer's bytes; null if the value is none. */
  readBuffer(value: JSValuePointer): Uint8Array<ArrayBuffer> | null;
  readonly nothing: JSValueConstPointer;
  /** Where its own parts lie. Equal in every instance, or one's memory cannot be given to another. */
  readonly roots: readonly number[];
  /** Makes the memory at least so large. */
  reserve(bytes: number): void;
}

/** The guest threw; `error` is what, in the guest. */
export class GuestThrow extends Error {
  readonly error: JSValuePointer;

  constructor(error: JSValuePointer) {
    super('the guest threw');
    this.error = error;
  }
}

/** The guest's memory could not take what the host wanted to put there or read out. */
export class GuestMemoryFull extends Error {}

/** Its types are those of the CommonJS file, which nests the default export; Node loads the ES module. */
const variant = packaged as unknown as QuickJSSyncVariant;

/** The engine writes nothing to the process's output. */
type Silent = EmscriptenModuleLoaderOptions & Readonly<Record<'print' | 'printErr', () => void>>;

const GLOBAL = EvalFlags.JS_EVAL_TYPE_GLOBAL as EvalFlags;
const MODULE = EvalFlags.JS_EVAL_TYPE_MODULE as EvalFlags;
const NO_DETECTION = 0 as EvalDetectModule;
const ALL_INTRINSICS = 0 as IntrinsicsFlags;
const ARGUMENTS_BYTES = 16;
const PAGE_BYTES = 64 * 1024;

/** `shouldStop` is asked now and then while guest code runs. */
export async function createEngine(wasm: WebAssembly.Module, shouldStop: () => boolean): Promise<Engine> {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES_INITIAL, maximum: MEMORY_PAGES_MAX });
  const silent: Silent = { print: ignore, printErr: ignore };
  const source = newVariant(variant, { wasmModule: wasm, wasmMemory: memory, emscriptenModule: silent });
  // The variant's file gives the function itself; the other shapes of the type are other bundlers'.
  const load = (await source.importModuleLoader()) as EmscriptenModuleLoader<QuickJSEmscriptenModule>;
  const [module, FFI] = await Promise.all([load(), source.importFFI()]);
  return new QuickJs(module, new FFI(module), memory, shouldStop);
}

class QuickJs implements Engine {
  readonly memory: WebAssembly.Memory;
  readonly nothing: JSValueConstPointer;
  readonly #module: QuickJSEmscriptenModule;
  readonly #ffi: QuickJSFFI;
  readonly #runtime: JSRuntimePointer;
  readonly #context: JSContextPointer;
  /** Room for call arguments and out pointers, taken once. */
  readonly #scratch: number;
  readonly #functions: (() => number)[] = [];
  #view: Buffer<ArrayBuffer>;
  #words: Uint32Array<ArrayBuffer>;

  constructor(module: QuickJSEmscriptenModule, ffi: QuickJSFFI, memory: WebAssembly.Memory, shouldStop: () => boolean) {
    this.memory = memory;
    this.#module = module;
    this.#ffi = ffi;
    this.#view = Buffer.from(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    module.callbacks = this.#callbacks(shouldStop);
    this.#runtime = ffi.QTS_NewRuntime();
    ffi.QTS_RuntimeSetMaxStackSize(this.#runtime, GUEST_STACK_BYTES);
    ffi.QTS_RuntimeEnableInterruptHandler(this.#runtime);
    this.#context = ffi.QTS_NewContext(this.#runtime, ALL_INTRINSICS);
    this.#scratch = this.#take(ARGUMENTS_BYTES);
    this.nothing = ffi.QTS_GetUndefined();
  }

  evaluate(code: string, kind: 'expression' | 'module', fileName: string): JSValuePointer {
    const { pointer, bytes } = this.#putText(code);
    const flags = kind === 'module' ? MODULE : GLOBAL;
    const value = this.#ffi.QTS_Eval(this.#context, pointer, bytes, fileName, NO_DETECTION, flags);
    this.#module._free(pointer);
    return this.#checked(value);
  }

  call(callee: JSValuePointer, argument: JSValuePointer | JSValueConstPointer): JSValuePointer {
    this.#currentWords()[this.#scratch >> 2] = argument;
    const list = this.#scratch as JSValueConstPointerPointer;
    return this.#checked(this.#ffi.QTS_Call(this.#context, callee, this.nothing, 1, list));
  }

  runJobs(max: number): boolean {
    const out = this.#scratch as JSContextPointerPointer;
    this.release(this.#checked(this.#ffi.QTS_ExecutePendingJob(this.#runtime, max, out)));
    return this.#ffi.QTS_IsJobPending(this.#runtime) !== 0;
  }

  get roots(): readonly number[] {
    return [this.#runtime, this.#context, this.#scratch];
  }

  /** By the guest's own allocator: memory that grows behind its back leaves its glue code with views of the old one. */
  reserve(bytes: number): void {
    // A block may still fit what is there already.
    for (let lacking = this.#lacking(bytes); lacking > 0; lacking = this.#lacking(bytes))
      this.#take(Math.max(lacking, PAGE_BYTES));
  }

  #lacking(bytes: number): number {
    return bytes - this.memory.buffer.byteLength;
  }

  item(list: JSValuePointer, index: number): JSValuePointer {
    return this.#checked(this.#ffi.QTS_GetPropNumber(this.#context, list, index));
  }

  object(functions: Readonly<Record<string, () => number>>): JSValuePointer {
    const object = this.#ffi.QTS_NewObject(this.#context);
    for (const [name, host] of Object.entries(functions)) {
      const id = this.#functions.push(host) as HostRefId;
      const value = this.#ffi.QTS_NewFunction(this.#context, name, 0, false, id);
      this.#ffi.QTS_SetProp(this.#context, object, this.newText(name), value);
    }
    return object;
  }

  newText(text: string): JSValuePointer {
    const { pointer } = this.#putText(text);
    const value = this.#ffi.QTS_NewString(this.#context, pointer);
    this.#module._free(pointer);
    return this.#checked(value);
  }

  newNumber(value: number): JSValuePointer {
    return this.#ffi.QTS_NewFloat64(this.#context, value);
  }

  newBuffer(bytes: Uint8Array): JSValuePointer {
    const pointer = this.#take(Math.max(1, bytes.byteLength));
    this.#currentView().set(bytes, pointer);
    return this.#checked(this.#ffi.QTS_NewArrayBuffer(this.#context, pointer as JSValuePointer, bytes.byteLength));
  }

  newData(packed: string): JSValuePointer {
    const pointer = this.#take(packed.length);
    this.#currentView().write(packed, pointer, 'latin1');
    const buffer = this.#ffi.QTS_NewArrayBuffer(this.#context, pointer as JSValuePointer, packed.length);
    const value = this.#ffi.QTS_bjson_decode(this.#context, this.#checked(buffer));
    this.release(buffer);
    return this.#checked(value);
  }

  readText(value: JSValuePointer): string {
    const pointer = this.#ffi.QTS_GetString(this.#context, value);
    if (pointer === 0) throw new GuestMemoryFull('no room for the text');
    const view = this.#currentView();
    const text = view.toString('utf8', pointer, view.indexOf(0, pointer));
    this.#ffi.QTS_FreeCString(this.#context, pointer);
    return text;
  }

  release(value: JSValuePointer): void {
    this.#ffi.QTS_FreeValuePointer(this.#context, value);
  }

  readBuffer(value: JSValuePointer): Uint8Array<ArrayBuffer> | null {
    const length = this.#ffi.QTS_GetArrayBufferLength(this.#context, value);
    if (length < 0) return null;
    if (length === 0) return new Uint8Array(0);
    const place = this.#ffi.QTS_GetArrayBuffer(this.#context, value);
    if (place === 0) return null;
    return new Uint8Array(this.#currentView().subarray(place, place + length));
  }

  #checked(value: JSValuePointer): JSValuePointer {
    const error = this.#ffi.QTS_ResolveException(this.#context, value);
    if (error !== 0) throw new GuestThrow(error);
    return value;
  }

  #take(bytes: number): number {
    const pointer = this.#module._malloc(bytes);
    if (pointer === 0) throw new GuestMemoryFull('no room');
    return pointer;
  }

  /** UTF-8 with a closing zero byte. JSON text holds no U+0000; in code one ends the text, which no parser likes. */
  #putText(text: string): { pointer: BorrowedHeapCharPointer; bytes: number } {
    const bytes = Buffer.byteLength(text);
    const pointer = this.#take(bytes + 1);
    const view = this.#currentView();
    view.write(text, pointer, bytes, 'utf8');
    view[pointer + bytes] = 0;
    return { pointer: pointer as BorrowedHeapCharPointer, bytes };
  }

  /** Growth detaches the old buffer. */
  #currentView(): Buffer<ArrayBuffer> {
    if (this.#view.buffer !== this.memory.buffer) this.#view = Buffer.from(this.memory.buffer);
    return this.#view;
  }

  #currentWords(): Uint32Array<ArrayBuffer> {
    if (this.#words.buffer !== this.memory.buffer) this.#words = new Uint32Array(this.memory.buffer);
    return this.#words;
  }

  #callbacks(shouldStop: () => boolean): QuickJSEmscriptenModule['callbacks'] {
    return {
      shouldInterrupt: () => (shouldStop() ? 1 : 0),
      callFunction: (_asyncify, _context, _self, _count, _arguments, id) =>
        this.newNumber(this.#functions[id - 1]?.() ?? 0),
      freeHostRef: ignore,
      loadModuleSource: refuse,
      normalizeModule: refuse,
    };
  }
}

function ignore(): void {}

/** No module loader is installed, so this is never reached; if it were, the throw breaks the engine, which ends it. */
function refuse(): never {
  throw new Error('the sandbox has no modules');
}
