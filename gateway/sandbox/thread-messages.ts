/**
 * Messages between the gateway's main thread and one sandbox worker. Calls and results are sent in batches of tuples
 * (objects would clone their key names each time). A shared table has the state of each call, so that a call that has
 * not begun can be recalled from a worker that no longer responds.
 */
export type FailureCode =
  'script_invalid' | 'script_failed' | 'script_deadline' | 'script_memory' | 'script_stalled' | 'script_cancelled';

export interface WorkerInit {
  readonly wasm: WebAssembly.Module;
  readonly table: SharedArrayBuffer;
  readonly prelude: string;
}

export interface ScriptSource {
  readonly script: number;
  readonly code: string;
  readonly deadlineMs: number;
}

/**
 * A waiting guest as memory: any worker can continue it. The buffer belongs to the gateway's main thread until a worker
 * begins with it, then to that worker: it is moved, never shared.
 */
export interface Image {
  readonly buffer: ArrayBuffer;
  /** The part of the memory that is in the buffer; the rest, including the engine's stack below it, is zeros. */
  readonly from: number;
  readonly top: number;
  /** Size of the whole memory. */
  readonly bytes: number;
  /** Addresses of the engine's values that the host keeps. Equal in every instance of one engine and prelude. */
  readonly roots: readonly number[];
}

/** A capability call of a guest: arguments as a JSON list; `leftOut` contains the positions that were undefined. */
export type CallRequest = readonly [
  id: number,
  name: string,
  text: string,
  chunks: readonly Uint8Array[],
  leftOut: readonly number[],
];

/** `text` is the value, or `{ code, message }` for a failed call. */
export type CallAnswer = readonly [id: number, ok: boolean, text: string, chunks: readonly Uint8Array[]];

export interface Resume {
  readonly image: Image;
  readonly answers: readonly CallAnswer[];
}

export type ResumeItem = Resume | 'later' | null;

/**
 * `budgetMs`: the rest of its deadline; `deadlineMs`: the whole of it. `text`: the message as JSON or packed. Null:
 * continue with `resume`, or, if that is null too, only load the script, which checks it.
 *
 * `resume` is included only if nothing can run before it; the call counts as begun. Otherwise it is `later`: the worker
 * requests it when the call begins, so a run that blocks the worker takes no other run's memory with it.
 */
export type CallItem = readonly [
  slot: number,
  script: number,
  budgetMs: number,
  deadlineMs: number,
  text: string | null,
  chunks: readonly Uint8Array[],
  resume: ResumeItem,
];

export interface Batch {
  readonly define: readonly ScriptSource[];
  readonly forget: readonly number[];
  readonly calls: readonly CallItem[];
}

/** The response to `begun`. Null: the run has ended meanwhile. */
export interface Handover {
  readonly resume: Resume | null;
}

export type ToWorker = Batch | Handover;

/** The part of a guest's result that is about its capability calls. */
export interface Calls {
  readonly requests: readonly CallRequest[];
  /** Running calls whose result the guest does not await. */
  readonly unheard: readonly number[];
  /** The call whose failure ended the run; null: none. */
  readonly cause: number | null;
  /** Present with the code `suspended`. */
  readonly image: Image | null;
}

/**
 * `code` is empty on success; `text` is the result as JSON or the reason; `ms` is the duration of the run alone; the
 * last element exists only if the guest made calls. Null: recalled. `begun`: a run that waited begins, and the worker
 * waits for its `Handover`.
 */
export type ResultItem =
  | readonly [
      slot: number,
      code: FailureCode | '' | 'suspended',
      text: string,
      chunks: readonly Uint8Array[],
      ms: number,
      calls?: Calls,
    ]
  | readonly [slot: number, code: null]
  | readonly [slot: number, code: 'begun'];

export type FromWorker = 'ready' | readonly ResultItem[];
