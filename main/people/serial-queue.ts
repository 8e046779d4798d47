/**
 * Lets one task run at a time and a bounded number wait. Password hashing goes through here: it takes 32 MiB and a
 * thread of the pool that the vault's writes need too, and a log-in must see the failures of the one before it.
 */
export interface SerialQueue {
  /** Runs the task in its turn; throws what `full` makes when too many wait. */
  take<T>(task: () => Promise<T>): Promise<T>;
}

export function createSerialQueue(waitingMax: number, full: () => Error): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  return {
    async take(task) {
      if (inLine > waitingMax) throw full();
      inLine++;
      const turn = last.then(task);
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        inLine--;
      }
    },
  };
}
