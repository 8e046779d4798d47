/**
 * Runs one task at a time, the others in order of arrival. A task that fails does not affect the next one.
 * Limit: `waitingMax` tasks wait; without it, the caller bounds them.
 */
export interface SerialQueue {
  /** Tasks that run or wait. */
  readonly size: number;
  /** Runs the task in its turn; rejects with what `full` makes when too many wait. */
  take<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when all tasks that were taken before have ended. */
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
