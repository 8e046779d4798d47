/** All limits of the sandbox (docs/spec/sandbox.md#isolation). Times in milliseconds unless the name says otherwise. */

const MIB = 1024 * 1024;

export const CODE_BYTES_MAX = 256 * 1024;
/** The bundled module of a plugin. */
export const PLUGIN_CODE_BYTES_MAX = 2 * MIB;
export const DEADLINE_SECONDS_MIN = 0.1;
export const DEADLINE_SECONDS_MAX = 3600;

/** A message as JSON text, and its bytes. More would not fit into the guest's memory anyway. */
export const MESSAGE_CHARS_MAX = 16 * MIB;
export const RESULT_CHARS_MAX = 16 * MIB;
export const RESULT_BYTES_MAX = 16 * MIB;
export const ERROR_CHARS_MAX = 500;
/**
 * Byte arrays in one message, one result, one response, or the calls of one wait: each is transferred between threads
 * individually.
 */
export const CHUNKS_MAX = 16_384;
/**
 * Limits of a message in the engine's own form: its values, its property names, its nesting. A larger one is sent as
 * JSON.
 */
export const PACKED_BYTES_MAX = 64 * 1024;
export const PACKED_NAME_BYTES_MAX = 8 * 1024;
export const PACKED_DEPTH_MAX = 32;

/**
 * Capability calls of one run: concurrent ones, and the total. Beyond either limit the run fails with
 * `script_overloaded`.
 */
export const CALLS_PENDING_MAX = 256;
export const CALLS_PER_RUN_MAX = 10_000;
/** The arguments of one call as JSON text, and their bytes. The result of a call has the limits of a message. */
export const CALL_ARGS_CHARS_MAX = 8 * MIB;
export const CALL_ARGS_BYTES_MAX = 16 * MIB;

/**
 * WebAssembly pages of 64 KiB: the memory limit of an instance, and the memory that a script may use while it is
 * loaded.
 */
export const MEMORY_PAGES_MAX = 1024;
export const LOADED_BYTES_MAX = 16 * MIB;
/**
 * Free memory that a run has in an instance. An instance that grew beyond it is
 * discarded afterwards (another takes about 3 ms), and the next one has more room, up to the larger number.
 */
export const ROOM_BYTES_MIN = 128 * 1024;
export const ROOM_BYTES_MAX = 16 * MIB;
/**
 * An instance with more room than this is thrown away when its runs have had so much room in total: the script may no
 * longer need it.
 */
export const ROOM_BYTES_KEPT = MIB;
export const LENT_BYTES_MAX = 64 * MIB;
export const GUEST_STACK_BYTES = 256 * 1024;
/** Instances per worker; beyond this the least recently used one is discarded. */
export const INSTANCES_MAX = 32;
export const WORKER_RESOURCES = { stackSizeMb: 16, maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;

/** Jobs (promise reactions) between two checks of the clock. */
export const JOBS_PER_SLICE = 128;

/** Calls posted to one worker at a time, and the work and text among them that may queue there. */
export const WINDOW_CALLS = 64;
export const WINDOW_MS = 5;
export const WINDOW_CHARS = 8 * MIB;

/** Total number of workers, including spare ones. */
export const WORKERS_MAX = 8;
/** Workers that slow scripts of one project may use. */
export const SLOW_PER_PROJECT_MAX = WORKERS_MAX / 2;
/** A spare worker is ended after being idle this long. */
export const SPARE_IDLE_MS = 30_000;
/** A worker that has not started by then is abandoned; a call survives this many lost workers. */
export const WORKER_START_MS = 30_000;
export const ATTEMPTS_MAX = 3;
/** A lost isolated worker is restarted immediately, the next time after this delay, doubling until it works. */
export const RESTART_MS_MIN = 200;
export const RESTART_MS_MAX = 30_000;
export const RESTART_RESET_MS = 60_000;

/** How often running workers are checked, and from when a call counts as long. */
export const WATCH_MS = 10;
export const LONG_MS = 20;
/** Time for a cancelled call to notice, before its worker is ended. */
export const CANCEL_GRACE_MS = 1_000;
/** For starting an engine, which is the host's own work, and (at least) for evaluating the top level of a script. */
export const ENGINE_START_MS = 10_000;
export const LOAD_MS_MIN = 2_000;
/** The outer limit of a run: its deadline plus a quarter. */
export const DEADLINE_FACTOR = 1.25;

/** Limits of waiting calls, per script and in the whole pool; beyond them a call fails with `script_overloaded`. */
export interface QueueLimits {
  readonly callsPerScript: number;
  readonly calls: number;
  readonly chars: number;
  /**
   * Runs that wait for capability calls, and the memory of their guests (400 KiB each or more), in all pools. A project
   * may use half of each.
   */
  readonly suspendedRuns: number;
  readonly suspendedBytes: number;
  /**
   * Bytes that capability calls of one run, and of all runs, may hold: arguments of calls under way, and results that
   * the guest has not read yet. One project may have half of the total.
   */
  readonly callBytesPerRun: number;
  readonly callBytes: number;
}

export const QUEUE_LIMITS: QueueLimits = {
  callsPerScript: 512,
  calls: 1024,
  chars: 64 * MIB,
  suspendedRuns: 1024,
  suspendedBytes: 256 * MIB,
  // A guest cannot accept more: it has no more memory.
  callBytesPerRun: 64 * MIB,
  callBytes: 256 * MIB,
};

/**
 * Buffers for suspended guests that a worker keeps for the next one, in total: a new buffer costs more than the copy.
 * The memory of a burst of callers must not be kept permanently.
 */
export const SPARE_BYTES_MAX = 8 * MIB;
/** The largest image of a suspended guest: all of its memory. Only the used part is stored. */
export const IMAGE_BYTES_MAX = MEMORY_PAGES_MAX * 64 * 1024;
/** Buffer sizes of suspended guests are rounded up to this, so that a buffer can be reused for the next one. */
export const BUFFER_STEP_BYTES = 128 * 1024;
