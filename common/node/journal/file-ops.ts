import fs from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The file operations of the journal's writer. Tests replace them with a module that fails or hangs (`JournalFaults`);
 * the product uses the real ones.
 */
export interface FileOps {
  openSync: (path: string, flags: string, mode?: number) => number;
  readSync: (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
  writeSync: (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;
  ftruncateSync: (fd: number, length: number) => void;
  fdatasyncSync: (fd: number) => void;
  fdatasync: (fd: number, done: (error: Error | null) => void) => void;
  closeSync: (fd: number) => void;
  unlinkSync: (path: string) => void;
  /** True while the open file is still the one at this path. */
  isAt: (fd: number, path: string) => boolean;
}

/** For tests only: `module` is the URL of a module that exports `wrapFileOps(real, shared)`. */
export interface JournalFaults {
  module: string;
  shared: SharedArrayBuffer;
}

export type WrapFileOps = (real: FileOps, shared: SharedArrayBuffer) => FileOps;

export const realFileOps: FileOps = {
  openSync: (path, flags, mode) => fs.openSync(path, flags, mode),
  readSync: (fd, bytes, offset, length, position) => fs.readSync(fd, bytes, offset, length, position),
  writeSync: (fd, bytes, offset, length, position) => fs.writeSync(fd, bytes, offset, length, position),
  ftruncateSync: (fd, length) => fs.ftruncateSync(fd, length),
  fdatasyncSync: (fd) => fs.fdatasyncSync(fd),
  fdatasync: (fd, done) => fs.fdatasync(fd, done),
  closeSync: (fd) => fs.closeSync(fd),
  unlinkSync: (path) => fs.unlinkSync(path),
  isAt: (fd, path) => {
    const there = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    const open = fs.fstatSync(fd, { bigint: true });
    return there !== undefined && there.ino === open.ino && there.dev === open.dev;
  },
};

/** Writes all bytes at a position or throws; a short write is continued. */
export function writeFully(ops: FileOps, fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const written = ops.writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (written <= 0) throw new Error('the disk accepted no bytes');
    done += written;
  }
}

/** The first `length` bytes of a file, or fewer if it is shorter. */
export function readFully(ops: FileOps, fd: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const read = ops.readSync(fd, bytes, done, length - done, done);
    if (read <= 0) return bytes.subarray(0, done);
    done += read;
  }
  return bytes;
}

/** Creates a private folder with its missing parents; their names survive a power cut. */
export function makeFolder(folder: string): void {
  const first = fs.mkdirSync(resolve(folder), { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(folder); ; made = dirname(made)) {
    syncFolder(dirname(made));
    if (made === first || made === dirname(made)) return;
  }
}

/** Makes a new or deleted name in a folder survive a power cut. Windows has no such call and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
