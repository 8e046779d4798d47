/**
 * What passes between the gateway's thread and one sandbox worker. Calls and results travel in batches of tuples
 * (objects would clone their key names each time). A shared table holds each call's state, so that a call that has
 * not begun can be taken back from a worker that no longer listens.
 */
export type FailureCode =
  'script_invalid' | 'script_failed' | 'script_deadline' | 'script_memory' | 'script_stalled' | 'script_cancelled';

export interface WorkerInit {
  readonly wasm: WebAssembly.Module;
  readonly table: SharedArrayBuffer;
}

export interface ScriptSource {
  readonly script: number;
  readonly code: string;
  readonly deadlineMs: number;
}

/** `text` null: only bring the script up, which checks it. */
export type CallItem = readonly [slot: number, script: number, text: string | null, chunks: readonly Uint8Array[]];

export interface Batch {
  readonly define: readonly ScriptSource[];
  readonly forget: readonly number[];
  readonly calls: readonly CallItem[];
}

/** `code` is empty on success; `text` is the result as JSON or the reason; `ms` is the run alone. Null: taken back. */
export type ResultItem =
  | readonly [slot: number, code: FailureCode | '', text: string, chunks: readonly Uint8Array[], ms: number]
  | readonly [slot: number, code: null];

export type FromWorker = 'ready' | readonly ResultItem[];
