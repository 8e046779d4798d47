import { type EngineExports, type GuestValue, type InstantiatedEngine, instantiateEngine } from './engine-wasm.ts';
import { GUEST_STACK_BYTES } from './limits.ts';
import type { WrittenPages } from './written-pages.ts';

/**
 * One QuickJS runtime and context on a WebAssembly memory of its own, by the engine's C interface. The object layer of
 * its npm package keeps handles that become invalid when the memory is restored.
 *
 * Values are pointers into the guest's memory. Those of a whole run need not be freed, because the next restore
 * discards them all; those that are created in each wait are released, otherwise they would accumulate in its image. If
 * a method throws anything except `GuestThrow` and `GuestMemoryFull`, the engine is broken and must be discarded.
 */
export interface Engine {
  readonly memory: WebAssembly.Memory;
  readonly written: WrittenPages;
  /**
   * The memory below holds the engine's own stack, on which nothing is alive between calls; above are data and heap.
   */
  readonly stackEnd: number;
  /** Evaluates guest code; a module returns a promise of its namespace. */
  evaluate(code: string, kind: 'expression' | 'module', fileName: string): GuestValue;
  call(callee: GuestValue, argument: GuestValue): GuestValue;
  /** Runs at most `max` pending jobs; false if none is left. */
  runJobs(max: number): boolean;
  item(list: GuestValue, index: number): GuestValue;
  object(functions: Readonly<Record<string, () => number>>): GuestValue;
  newText(text: string): GuestValue;
  newNumber(value: number): GuestValue;
  newBuffer(bytes: Uint8Array): GuestValue;
  /** Data in the engine's own form, a byte in each character. It must come from the host: it is not checked. */
  newData(packed: string): GuestValue;
  readText(value: GuestValue): string;
  /** Releases a value before the next restore: a run that waits often keeps its memory for a long time. */
  release(value: GuestValue): void;
  /** A copy of an ArrayBuffer's bytes; null if the value is not an ArrayBuffer. */
  readBuffer(value: GuestValue): Uint8Array<ArrayBuffer> | null;
  readonly nothing: GuestValue;
  /** Addresses of its own parts. Equal in every instance, otherwise memory could not be moved between instances. */
  readonly roots: readonly number[];
  /** Ensures this much room in the heap before the memory grows. Throws GuestMemoryFull. */
  reserve(bytes: number): void;
  /** Call it after each restored memory: the only part of the engine's state that is outside the memory. */
  resetStack(): void;
}

/** The guest threw; `error` is the value, in the guest. */
export class GuestThrow extends Error {
  readonly error: GuestValue;

  constructor(error: GuestValue) {
    super('the guest threw');
    this.error = error;
  }
}

/** The guest's memory is too small for the data that the host writes or reads. */
export class GuestMemoryFull extends Error {}

const GLOBAL = 0;
const MODULE = 1;
/**
 * The complete language except WeakRef and FinalizationRegistry, with which a run could observe when its memory is
 * collected, and without additional objects: `performance`, `DOMException`, `atob`.
 */
const INTRINSICS = 0b1_1111_1111;
const BOX_BYTES = 8;

/** `shouldStop` is called periodically while guest code runs. */
export async function createEngine(wasm: WebAssembly.Module, shouldStop: () => boolean): Promise<Engine> {
  const functions = new Map<string, () => number>();
  const engine = await instantiateEngine(wasm, {
    shouldStop,
    call: (name) => engine.exports.qjs_new_number(functions.get(name)?.() ?? 0),
  });
  return new QuickJs(engine, functions);
}

class QuickJs implements Engine {
  readonly memory: WebAssembly.Memory;
  readonly written: WrittenPages;
  readonly stackEnd: number;
  readonly nothing: GuestValue;
  readonly #c: EngineExports;
  readonly #context: number;
  /** Memory for a call's argument, a value or an out pointer, allocated once. */
  readonly #scratch: number;
  readonly #functions: Map<string, () => number>;
  #view: Buffer<ArrayBuffer>;

  constructor({ exports, written }: InstantiatedEngine, functions: Map<string, () => number>) {
    this.#c = exports;
    this.#functions = functions;
    this.memory = exports.memory;
    this.written = written;
    this.stackEnd = exports.__stack_pointer.value;
    this.#view = Buffer.from(this.memory.buffer);
    if (exports.qjs_init2(INTRINSICS) !== 0) throw new Error('the engine did not start');
    exports.qjs_set_max_stack_size(GUEST_STACK_BYTES);
    exports.qjs_set_interrupt_handler(1);
    this.#context = exports.qjs_get_context_ptr();
    this.#scratch = this.#take(BOX_BYTES);
    this.nothing = exports.qjs_get_undefined();
  }

  evaluate(code: string, kind: 'expression' | 'module', fileName: string): GuestValue {
    const text = this.#putText(code);
    const name = this.#putText(fileName);
    const value = this.#c.qjs_eval(text.pointer, text.bytes, name.pointer, kind === 'module' ? MODULE : GLOBAL);
    this.#c.wasm_free(text.pointer);
    this.#c.wasm_free(name.pointer);
    return this.#checked(value);
  }

  call(callee: GuestValue, argument: GuestValue): GuestValue {
    this.#viewToWrite(this.#scratch, BOX_BYTES).writeUInt32LE(argument, this.#scratch);
    return this.#checked(this.#c.qjs_call(callee, this.nothing, 1, this.#scratch));
  }

  runJobs(max: number): boolean {
    for (let left = max; left > 0; left--) {
      if (this.#c.qjs_is_job_pending() === 0) return false;
      if (this.#c.qjs_execute_pending_job() < 0) throw new GuestThrow(this.#c.qjs_get_exception());
    }
    return this.#c.qjs_is_job_pending() !== 0;
  }

  get roots(): readonly number[] {
    return [this.#c.qjs_get_runtime_ptr(), this.#context, this.#scratch, this.nothing];
  }

  reserve(bytes: number): void {
    this.#c.wasm_free(this.#take(bytes));
  }

  resetStack(): void {
    this.#c.__stack_pointer.value = this.stackEnd;
  }

  item(list: GuestValue, index: number): GuestValue {
    return this.#checked(this.#c.qjs_get_prop_uint32(list, index));
  }

  object(functions: Readonly<Record<string, () => number>>): GuestValue {
    const object = this.#checked(this.#c.qjs_new_object());
    for (const [name, host] of Object.entries(functions)) {
      this.#functions.set(name, host);
      const { pointer, bytes } = this.#putText(name);
      const value = this.#checked(this.#c.qjs_new_host_function(pointer, bytes, 0));
      this.#c.qjs_set_prop_string(object, pointer, value);
      this.#c.wasm_free(pointer);
    }
    return object;
  }

  newText(text: string): GuestValue {
    const { pointer, bytes } = this.#putText(text);
    const value = this.#c.qjs_new_string(pointer, bytes);
    this.#c.wasm_free(pointer);
    return this.#checked(value);
  }

  newNumber(value: number): GuestValue {
    return this.#checked(this.#c.qjs_new_number(value));
  }

  newBuffer(bytes: Uint8Array): GuestValue {
    const pointer = this.#take(Math.max(1, bytes.byteLength));
    this.#viewToWrite(pointer, bytes.byteLength).set(bytes, pointer);
    const value = this.#c.qjs_new_array_buffer(pointer, bytes.byteLength);
    this.#c.wasm_free(pointer);
    return this.#checked(value);
  }

  newData(packed: string): GuestValue {
    const pointer = this.#take(packed.length);
    this.#viewToWrite(pointer, packed.length).write(packed, pointer, 'latin1');
    const value = this.#c.JS_ReadObject(this.#context, pointer, packed.length, 0);
    this.#c.wasm_free(pointer);
    const box = this.#take(BOX_BYTES);
    this.#viewToWrite(box, BOX_BYTES).writeBigInt64LE(value, box);
    return this.#checked(box);
  }

  readText(value: GuestValue): string {
    const pointer = this.#c.qjs_get_string_len(value, this.#scratch);
    if (pointer === 0) throw new GuestMemoryFull('no room for the text');
    const view = this.#currentView();
    const text = view.toString('utf8', pointer >>> 0, (pointer >>> 0) + view.readUInt32LE(this.#scratch));
    this.#c.qjs_free_cstring(pointer);
    return text;
  }

  release(value: GuestValue): void {
    this.#c.qjs_free_value(value);
  }

  readBuffer(value: GuestValue): Uint8Array<ArrayBuffer> | null {
    if (this.#c.qjs_is_array_buffer(value) === 0) return null;
    const place = this.#c.qjs_get_array_buffer(value, this.#scratch) >>> 0;
    const view = this.#currentView();
    const length = view.readUInt32LE(this.#scratch);
    if (length === 0) return new Uint8Array(0);
    return place === 0 ? null : new Uint8Array(view.subarray(place, place + length));
  }

  #checked(value: GuestValue): GuestValue {
    if (value === 0) throw new GuestMemoryFull('no room for the value');
    if (this.#c.qjs_is_exception(value) !== 0) throw new GuestThrow(this.#c.qjs_get_exception());
    return value;
  }

  #take(bytes: number): number {
    const pointer = this.#c.wasm_malloc(bytes) >>> 0;
    if (pointer === 0) throw new GuestMemoryFull('no room');
    return pointer;
  }

  /** UTF-8 with a terminating zero byte. */
  #putText(text: string): { pointer: number; bytes: number } {
    const bytes = Buffer.byteLength(text);
    const pointer = this.#take(bytes + 1);
    const view = this.#viewToWrite(pointer, bytes + 1);
    view.write(text, pointer, bytes, 'utf8');
    view[pointer + bytes] = 0;
    return { pointer, bytes };
  }

  #viewToWrite(at: number, bytes: number): Buffer<ArrayBuffer> {
    this.written.add(at, bytes);
    return this.#currentView();
  }

  /** To read. Growth detaches the old buffer. */
  #currentView(): Buffer<ArrayBuffer> {
    if (this.#view.buffer !== this.memory.buffer) this.#view = Buffer.from(this.memory.buffer);
    return this.#view;
  }
}
