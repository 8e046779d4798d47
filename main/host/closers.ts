import type { Logger } from '#common/node/log.ts';

/** Closes everything, last opened first. An error is logged and does not prevent closing the others. */
export interface Closers {
  push(name: string, close: () => Promise<void> | void): void;
  /** Closes everything once; every call waits for that. */
  close(): Promise<void>;
}

export function createClosers(log: Logger): Closers {
  const open: { name: string; close: () => Promise<void> | void }[] = [];
  let closed: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    for (const { name, close } of open.toReversed()) {
      try {
        await close();
      } catch (error) {
        log.error('a part did not close', { part: name, error });
      }
    }
  };
  return {
    push: (name, close) => void open.push({ name, close }),
    close: () => (closed ??= closeAll()),
  };
}
