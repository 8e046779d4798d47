import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { openForWriting } from '../schema.ts';
import { HistoryStore } from './history-store.ts';
import { type FromWriter, OPENED, type ToWriter, type WriterOptions } from './messages.ts';
import { pruneSteps } from './retention.ts';

/**
 * The thread that owns the writing connection to `history.sqlite`. A failed request (no disk, a damaged file) is
 * answered with its error, and the client repeats it; the file is then opened again. Retention runs between batches, a
 * quarter of the time.
 */
const REST_PER_WORK = 3;

class WriterThread {
  readonly #options: WriterOptions;
  #store: HistoryStore | null = null;
  #steps: Generator<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #trouble: string | null = null;
  readonly #tell: (message: FromWriter) => void;

  constructor(options: WriterOptions, tell: (message: FromWriter) => void) {
    this.#options = options;
    this.#tell = tell;
    // Creates the file before the first point, so that queries can be answered.
    tell({ id: OPENED, error: this.#attempt(() => void this.#open()) });
    this.#later(options.pruneEveryMs);
  }

  answer(message: Exclude<ToWriter, { kind: 'close' }>): FromWriter {
    const error = this.#attempt(() => {
      const store = this.#open();
      if (message.kind === 'batch') return store.append(message.batch);
      store.forget(message.project);
      this.#steps = null;
      this.#later(0);
    });
    return { id: message.id, error };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#store?.close();
  }

  #open(): HistoryStore {
    this.#store ??= new HistoryStore(openForWriting(this.#options.file));
    return this.#store;
  }

  #attempt(work: () => void): string | null {
    try {
      work();
      return null;
    } catch (error) {
      this.#reset();
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** After an error, the connection is replaced. */
  #reset(): void {
    this.#steps = null;
    const store = this.#store;
    this.#store = null;
    try {
      store?.close();
    } catch {
      // It is released in any case.
    }
  }

  #later(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#prune(), afterMs);
  }

  #prune(): void {
    const from = performance.now();
    let more = false;
    const error = this.#attempt(() => {
      this.#steps ??= pruneSteps(this.#open(), this.#options, Date.now());
      more = this.#steps.next().done !== true;
    });
    if (!more) this.#steps = null;
    if (error !== this.#trouble) this.#tell({ retention: error });
    this.#trouble = error;
    this.#later(more ? (performance.now() - from) * REST_PER_WORK : this.#options.pruneEveryMs);
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  releaseIdleMemory();
  const tell = (message: FromWriter): void => port.postMessage(message);
  const thread = new WriterThread(workerData as WriterOptions, tell);
  port.on('message', (message: ToWriter) => {
    if (message.kind !== 'close') return tell(thread.answer(message));
    thread.close();
    process.exit(0);
  });
}
