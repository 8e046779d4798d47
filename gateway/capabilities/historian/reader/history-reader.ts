import { Worker } from 'node:worker_threads';
import type { Logger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import { QUERIES_MAX, QUERIES_PER_PROJECT_MAX } from '../limits.ts';
import type { FromReader, HistoryRequest, SeriesColumns, ToReader } from './messages.ts';

/**
 * The reading thread as the gateway sees it; started with the first query, and again after it was lost.
 * Limits: QUERIES_MAX at once, QUERIES_PER_PROJECT_MAX of one project; more are refused, nothing waits.
 */
const CLOSE_MS_MAX = 150;

interface Asked {
  readonly project: string;
  readonly resolve: (series: readonly SeriesColumns[]) => void;
  readonly reject: (error: NodeError) => void;
}

export class HistoryReader {
  readonly #file: string;
  readonly #log: Logger;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #ids = 0;
  #closed = false;

  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** Throws NodeError `tag_unknown`, `history_too_many_points`, `history_timeout`, `history_busy`, `history_unavailable`. */
  async query(request: HistoryRequest, msMax: number, signal: AbortSignal): Promise<readonly SeriesColumns[]> {
    this.#refuseWithoutRoom(request.project);
    const id = ++this.#ids;
    const { promise, resolve, reject } = Promise.withResolvers<readonly SeriesColumns[]>();
    this.#asked.set(id, { project: request.project, resolve, reject });
    const cancel = (): void => this.#cancel(id);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      else this.#post({ kind: 'query', id, msMax, request });
      return await promise;
    } finally {
      this.#asked.delete(id);
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = null;
    this.#failAll('the gateway is stopping');
    if (worker === null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies ToReader);
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS_MAX);
    await exited;
    clearTimeout(timer);
  }

  #refuseWithoutRoom(project: string): void {
    if (this.#closed) throw new NodeError('history_unavailable', 'the gateway is stopping');
    const ofProject = [...this.#asked.values()].filter((asked) => asked.project === project).length;
    if (this.#asked.size >= QUERIES_MAX || ofProject >= QUERIES_PER_PROJECT_MAX)
      throw new NodeError('history_busy', 'too many queries of the history are under way; expected fewer at once');
  }

  #post(message: ToReader): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #cancel(id: number): void {
    this.#worker?.postMessage({ kind: 'cancel', id } satisfies ToReader);
    this.#asked.get(id)?.reject(new NodeError('call_cancelled', 'the query was cancelled with its run'));
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'history-reader',
      workerData: { file: this.#file },
    });
    let reason = 'its thread ended';
    worker.on('message', (message: FromReader) => this.#received(message));
    worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => this.#ended(worker, reason));
    return worker;
  }

  #received(message: FromReader): void {
    const asked = this.#asked.get(message.id);
    if ('series' in message) return asked?.resolve(message.series);
    if (message.code !== 'history_unavailable') return asked?.reject(new NodeError(message.code, message.message));
    this.#log.error('the history cannot be read', { reason: message.message });
    asked?.reject(unavailable());
  }

  #ended(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#log.error('the history cannot be read', { reason });
    this.#failAll(null);
  }

  #failAll(why: string | null): void {
    for (const { reject } of this.#asked.values())
      reject(why === null ? unavailable() : new NodeError('history_unavailable', why));
  }
}

/** The file's own trouble stays in the log. */
function unavailable(): NodeError {
  return new NodeError('history_unavailable', 'the history cannot be read now; the log says why');
}
