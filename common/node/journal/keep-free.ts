import { freeBytesOf } from '#common/node/disk-space.ts';
import type { FileOps } from './file-ops.ts';

const LOOK_MS = 200;

/** File operations that refuse to write, like a full disk, while less than `bytes` are free. */
export function keepingFree(ops: FileOps, folder: string, bytes: number): FileOps {
  let lookedMs = -Infinity;
  let free: number | null = null;
  function expectRoom(): void {
    const nowMs = performance.now();
    if (nowMs - lookedMs >= LOOK_MS) {
      free = freeBytesOf(folder);
      lookedMs = nowMs;
    }
    if (free === null || free >= bytes) return;
    throw new Error(`ENOSPC: the disk has ${free} bytes free; the last ${bytes} are kept for the admin API`);
  }
  return {
    ...ops,
    writeSync(...given) {
      expectRoom();
      return ops.writeSync(...given);
    },
  };
}
