import type { FileOps } from '../file-ops.ts';

/**
 * A disk that can be made to fail: the journal's threads load this module in tests (`JournalFaults`). The first shared
 * word sets the behaviour of the disk, the second counts delayed calls. After `lastWrite` the disk is full.
 */
export const FAULT = {
  none: 0,
  full: 1,
  hang: 2,
  shortThenFull: 3,
  error: 4,
  noSync: 5,
  lastWrite: 6,
  throwLater: 7,
} as const;
export type Fault = keyof typeof FAULT;

export function createFaults(): {
  module: string;
  shared: SharedArrayBuffer;
  set(fault: Fault): void;
  readonly heldUp: number;
} {
  const shared = new SharedArrayBuffer(8);
  const words = new Int32Array(shared);
  return {
    module: import.meta.url,
    shared,
    set(fault) {
      Atomics.store(words, 0, FAULT[fault]);
      Atomics.notify(words, 0);
    },
    get heldUp() {
      return Atomics.load(words, 1);
    },
  };
}

export function wrapFileOps(real: FileOps, shared: SharedArrayBuffer): FileOps {
  const words = new Int32Array(shared);
  const now = () => Atomics.load(words, 0);
  const failure = (code: string) => Object.assign(new Error(`${code}: made by the test`), { code });
  return {
    ...real,
    openSync(path, flags, mode) {
      if (now() === FAULT.full && flags.startsWith('w')) throw failure('ENOSPC');
      if (now() === FAULT.error) throw failure('EIO');
      return real.openSync(path, flags, mode);
    },
    writeSync(fd, bytes, offset, length, position) {
      if (now() === FAULT.hang) {
        Atomics.add(words, 1, 1);
        Atomics.notify(words, 1);
      }
      while (now() === FAULT.hang) Atomics.wait(words, 0, FAULT.hang);
      if (now() === FAULT.full) throw failure('ENOSPC');
      if (now() === FAULT.error) throw failure('EIO');
      if (now() !== FAULT.shortThenFull && now() !== FAULT.lastWrite)
        return real.writeSync(fd, bytes, offset, length, position);
      const taken = now() === FAULT.shortThenFull ? Math.ceil(length / 2) : length;
      const written = real.writeSync(fd, bytes, offset, taken, position);
      Atomics.store(words, 0, FAULT.full);
      Atomics.notify(words, 0);
      return written;
    },
    fdatasyncSync(fd) {
      if (now() === FAULT.noSync) throw failure('EIO');
      real.fdatasyncSync(fd);
    },
  };
}
