import type { FileOps } from '../file-ops.ts';
import { FAULT } from './faults.ts';

/**
 * Ends the journal's thread instead of writing while the first word is `error`, and reports that in the second. While
 * it is `throwLater`, a write is followed by an uncaught error.
 */
export function wrapFileOps(real: FileOps, shared: SharedArrayBuffer): FileOps {
  const words = new Int32Array(shared);
  return {
    ...real,
    writeSync(fd, bytes, offset, length, position) {
      if (Atomics.load(words, 0) === FAULT.error) end(words);
      if (Atomics.compareExchange(words, 0, FAULT.throwLater, FAULT.none) === FAULT.throwLater) throwLater();
      const written = real.writeSync(fd, bytes, offset, length, position);
      if (Atomics.compareExchange(words, 0, FAULT.lastWrite, FAULT.error) === FAULT.lastWrite) Atomics.notify(words, 0);
      return written;
    },
  };
}

function end(words: Int32Array): never {
  Atomics.store(words, 1, 1);
  Atomics.notify(words, 1);
  process.exit(1);
}

function throwLater(): void {
  setImmediate(() => {
    throw new Error('made by the test');
  });
}
