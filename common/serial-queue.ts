/**
 * Runs one task at a time, in order of arrival. A failed task does not affect the next one. Limit: `waitingMax` waiting
 * tasks; without it, the caller limits them.
 */
export interface SerialQueue {
  /** Running and waiting tasks. */
  readonly size: number;
  /** Runs the task in its turn; rejects with the error of `full` if too many wait. */
  take<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when all tasks that were queued before have ended. */
  settled(): Promise<void>;
}

export function createSerialQueue(
  waitingMax: number = Infinity,
  full: () => Error = () => new Error('too many tasks wait'),
): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let size = 0;
  return {
    get size() {
      return size;
    },
    async take(task) {
      if (size > waitingMax) throw full();
      size++;
      const turn = last.then(task);
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        size--;
      }
    },
    async settled() {
      await last;
    },
  };
}
