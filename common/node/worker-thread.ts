import { inspect } from 'node:util';
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';

export interface ThreadEvents<FromThread> {
  onMessage(message: FromThread): void;
  /**
   * Called once if the thread ended without `close` or `terminate`. `cause` is the error that it threw, null if it
   * exited normally; `reason` describes the same for a log.
   */
  onLost(reason: string, cause: unknown): void;
}

/**
 * A worker thread from its start to its end, seen from the thread that started it.
 *
 * States: running → closing (`close`, `terminate`) → exited, or running → lost. Messages of a closing thread are still
 * delivered. An error that it throws meanwhile is ignored; without a listener it would end the process.
 */
export class WorkerThread<ToThread, FromThread> {
  /** Resolves when the thread has ended completely. */
  readonly exited: Promise<void>;
  readonly #worker: Worker;
  #isClosing = false;

  constructor(url: URL, options: WorkerOptions, { onMessage, onLost }: ThreadEvents<FromThread>) {
    const worker = new Worker(url, options);
    const { promise, resolve } = Promise.withResolvers<void>();
    let cause: unknown = null;
    worker.on('message', onMessage);
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (!this.#isClosing) onLost(reasonOf(cause), cause);
      resolve();
    });
    // The output of a thread is read only if its owner requested it; otherwise it must not wait for a reader.
    if (options.stdout) worker.stdout.resume();
    if (options.stderr) worker.stderr.resume();
    this.#worker = worker;
    this.exited = promise;
  }

  post(message: ToThread, transfer?: readonly Transferable[]): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Sends `last`, which asks the thread to end, and ends it by force after `msMax`, if given. Resolves when it has exited. */
  async close(last: ToThread, msMax?: number): Promise<void> {
    this.#isClosing = true;
    this.post(last);
    const timer = msMax === undefined ? undefined : setTimeout(() => void this.#worker.terminate(), msMax);
    await this.exited;
    clearTimeout(timer);
  }

  /** Ends the thread by force. Resolves when it has exited. */
  async terminate(): Promise<void> {
    this.#isClosing = true;
    void this.#worker.terminate();
    await this.exited;
  }
}

function reasonOf(cause: unknown): string {
  if (cause === null) return 'the thread ended by itself';
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause);
}
