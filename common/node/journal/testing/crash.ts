import type { FileOps } from '../file-ops.ts';
import { FAULT } from './faults.ts';

/** Ends the journal's thread instead of writing while the fault word says `error`. */
export function wrapFileOps(real: FileOps, shared: SharedArrayBuffer): FileOps {
  const words = new Int32Array(shared);
  return {
    ...real,
    writeSync(fd, bytes, offset, length, position) {
      if (Atomics.load(words, 0) === FAULT.error) process.exit(1);
      return real.writeSync(fd, bytes, offset, length, position);
    },
  };
}
