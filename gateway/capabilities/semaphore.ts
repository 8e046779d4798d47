import { NodeError } from '#sdk';

/**
 * Runs at most `free` operations at once, the others in order of arrival. An aborted operation leaves the queue
 * immediately with everything it holds: on a hanging disk, its caller has long received its error.
 */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Throws NodeError `call_cancelled` when `signal` aborts before its turn. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        this.#waiting.delete(begin);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const begin = (): void => leave(resolve);
      const abort = (): void =>
        leave(() => reject(new NodeError('call_cancelled', 'the call ended before its turn came')));
      this.#waiting.add(begin);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
    });
  }
}
