import type { Logger } from '#common/node/log.ts';
import { PendingRequests } from '#common/node/pending-requests.ts';
import { WorkerThread } from '#common/node/worker-thread.ts';
import { NodeError } from '#sdk';
import { QUERIES_MAX, QUERIES_PER_PROJECT_MAX } from '../limits.ts';
import type { FromReader, HistoryRequest, SeriesColumns, ToReader } from './messages.ts';

/**
 * The client of the reading thread in the gateway. The thread is started with the first query, and again after it was
 * lost. Limits: QUERIES_MAX at once, QUERIES_PER_PROJECT_MAX per project; further queries are refused, none waits.
 */
const CLOSE_MS_MAX = 150;

export class HistoryReader {
  readonly #file: string;
  readonly #log: Logger;
  /** Running queries with their projects. */
  readonly #queries = new PendingRequests<readonly SeriesColumns[], string>();
  #thread: WorkerThread<ToReader, FromReader> | null = null;
  #closed = false;

  constructor(file: string, log: Logger) {
    this.#file = file;
    this.#log = log;
  }

  /** Throws NodeError `tag_unknown`, `history_too_many_points`, `history_timeout`, `history_busy`, `history_unavailable`. */
  async query(request: HistoryRequest, msMax: number, signal: AbortSignal): Promise<readonly SeriesColumns[]> {
    this.#refuseWithoutRoom(request.project);
    const { id, promise } = this.#queries.add(request.project);
    const cancel = (): void => this.#cancel(id);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      else (this.#thread ??= this.#start()).post({ kind: 'query', id, msMax, request });
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queries.rejectAll(() => new NodeError('history_unavailable', 'the gateway is stopping'));
    await this.#thread?.close({ kind: 'close' }, CLOSE_MS_MAX);
  }

  #refuseWithoutRoom(project: string): void {
    if (this.#closed) throw new NodeError('history_unavailable', 'the gateway is stopping');
    const ofProject = this.#queries.infos().filter((asking) => asking === project).length;
    if (this.#queries.size >= QUERIES_MAX || ofProject >= QUERIES_PER_PROJECT_MAX)
      throw new NodeError('history_busy', 'too many queries of the history are under way; expected fewer at once');
  }

  #cancel(id: number): void {
    this.#thread?.post({ kind: 'cancel', id });
    this.#queries.reject(id, new NodeError('call_cancelled', 'the query was cancelled with its run'));
  }

  #start(): WorkerThread<ToReader, FromReader> {
    return new WorkerThread(
      new URL('./thread.ts', import.meta.url),
      { name: 'history-reader', workerData: { file: this.#file } },
      { onMessage: (message) => this.#received(message), onLost: (reason) => this.#lost(reason) },
    );
  }

  #received(message: FromReader): void {
    if ('series' in message) return this.#queries.resolve(message.id, message.series);
    if (message.code !== 'history_unavailable')
      return this.#queries.reject(message.id, new NodeError(message.code, message.message));
    this.#log.error('the history cannot be read', { reason: message.message });
    this.#queries.reject(message.id, unavailable());
  }

  #lost(reason: string): void {
    this.#thread = null;
    this.#log.error('the history cannot be read', { reason });
    this.#queries.rejectAll(unavailable);
  }
}

/** Details of file errors are only in the log. */
function unavailable(): NodeError {
  return new NodeError('history_unavailable', 'the history cannot be read now; the log says why');
}
