import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MEMORY_PAGES_MAX } from './limits.ts';
import { withStoreMarks } from './store-marks.ts';
import { countBytes, readSections, SECTION, writeModule } from './wasm-module.ts';
import { WrittenPages } from './written-pages.ts';

/** A pointer to a value in the guest's memory. 0: out of memory. */
export type GuestValue = number;

/** The exports of the engine's WebAssembly C interface that are used. Pointers and lengths are numbers. */
export interface EngineExports {
  readonly memory: WebAssembly.Memory;
  readonly store_marks: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
  /** 0: success. */
  qjs_init2(intrinsics: number): number;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(on: number): void;
  qjs_eval(code: number, bytes: number, fileName: number, flags: number): GuestValue;
  qjs_call(callee: GuestValue, self: GuestValue, count: number, list: number): GuestValue;
  qjs_is_job_pending(): number;
  /** Negative if the job threw. */
  qjs_execute_pending_job(): number;
  qjs_is_exception(value: GuestValue): number;
  qjs_get_exception(): GuestValue;
  qjs_get_undefined(): GuestValue;
  qjs_new_object(): GuestValue;
  qjs_new_string(text: number, bytes: number): GuestValue;
  qjs_new_number(value: number): GuestValue;
  /** Copies the bytes. */
  qjs_new_array_buffer(pointer: number, bytes: number): GuestValue;
  qjs_new_host_function(name: number, bytes: number, isConstructor: number): GuestValue;
  qjs_set_prop_string(object: GuestValue, name: number, value: GuestValue): number;
  qjs_get_prop_uint32(object: GuestValue, index: number): GuestValue;
  qjs_get_string_len(value: GuestValue, lengthOut: number): number;
  qjs_free_cstring(pointer: number): void;
  qjs_is_array_buffer(value: GuestValue): number;
  qjs_get_array_buffer(value: GuestValue, lengthOut: number): number;
  qjs_free_value(value: GuestValue): void;
  /** The value itself, 64 bits, not a pointer to it. */
  JS_ReadObject(context: number, pointer: number, bytes: number, flags: number): bigint;
}

/** The functions that the engine calls while guest code runs. */
export interface EngineHost {
  shouldStop(): boolean;
  /** Calls a host function by a name from the guest; returns a new value of the engine. */
  call(name: string): GuestValue;
}

/** Compiled once; all workers share the machine code. */
export async function loadEngineWasm(): Promise<WebAssembly.Module> {
  const file = fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'));
  return WebAssembly.compile(await withStoreMarks(withMemoryMax(await readFile(file), MEMORY_PAGES_MAX)));
}

export interface InstantiatedEngine {
  readonly exports: EngineExports;
  readonly written: WrittenPages;
}

export async function instantiateEngine(wasm: WebAssembly.Module, host: EngineHost): Promise<InstantiatedEngine> {
  const buffer = (): ArrayBuffer => exports.memory.buffer;
  const { exports: made } = await WebAssembly.instantiate(wasm, {
    env: {
      host_interrupt: () => (host.shouldStop() ? 1 : 0),
      host_call: (name: number, bytes: number) => host.call(Buffer.from(buffer(), name, bytes).toString('latin1')),
      host_get_timezone_offset: secondsEast,
      host_promise_rejection: () => undefined,
      // No module loader is installed.
      host_module_normalize: () => 0,
      host_module_load: () => 0,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, out: number) => {
        written.add(out, BigUint64Array.BYTES_PER_ELEMENT);
        new DataView(buffer()).setBigUint64(out, BigInt(Date.now()) * 1_000_000n, true);
        return 0;
      },
      random_get: (pointer: number, bytes: number) => {
        written.add(pointer, bytes);
        randomFillSync(new Uint8Array(buffer(), pointer, bytes));
        return 0;
      },
      // The engine writes no output of the process.
      fd_write: badFile,
      fd_close: badFile,
      fd_seek: badFile,
      fd_fdstat_get: badFile,
    },
  });
  const exports = made as unknown as EngineExports;
  const written = new WrittenPages(exports.store_marks);
  exports._initialize();
  return { exports, written };
}

const ERRNO_BADF = 8;

function badFile(): number {
  return ERRNO_BADF;
}

/** The offset of local time for a time in seconds since 1970, given in two halves. */
function secondsEast(high: number, low: number): number {
  const seconds = high * 2 ** 32 + (low >>> 0);
  return -60 * new Date(seconds * 1000).getTimezoneOffset() || 0;
}

const ONE_MEMORY_WITHOUT_MAX = [1, 0];
const ONE_MEMORY_WITH_MAX = [1, 1];

/**
 * The module with a maximum for its memory, which its build leaves open. A limit inside the engine would be in the
 * guest's own memory. Throws if the module has an unexpected form.
 */
export function withMemoryMax(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const limited = readSections(module).map(({ id, content }) => {
    if (id !== SECTION.memory) return { id, content };
    const [count, flags, ...initial] = content;
    if (count !== ONE_MEMORY_WITHOUT_MAX[0] || flags !== ONE_MEMORY_WITHOUT_MAX[1]) throw notAsExpected();
    return { id, content: Uint8Array.from([...ONE_MEMORY_WITH_MAX, ...initial, ...countBytes(pages)]) };
  });
  if (!limited.some(({ id }) => id === SECTION.memory)) throw notAsExpected();
  return writeModule(module, limited);
}

function notAsExpected(): Error {
  return new Error('the engine: expected a WebAssembly module with one memory that has no maximum');
}
