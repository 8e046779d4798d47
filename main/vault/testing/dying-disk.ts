import { writeFileSync } from 'node:fs';
import { diskEdge, type FileEdge } from '#common/node/atomic-file.ts';

/** Where in a call the process dies: before it does anything, in the middle, or after all of it. */
export type Moment = 'before' | 'midway' | 'after';

/**
 * The real disk until the `step`-th call, in which the process "dies": that call and every later one throw, and later
 * ones have no effect, as in a power cut. `calls` counts the calls.
 */
export function dyingDisk(step: number, moment: Moment): FileEdge & { calls: number; dead: boolean } {
  const disk = { ...diskEdge, calls: 0, dead: false };
  async function guarded<T>(work: () => Promise<T>, half: () => void = () => {}): Promise<T> {
    if (disk.dead) throw new Error('the process is dead');
    disk.calls++;
    if (disk.calls !== step) return work();
    disk.dead = true;
    if (moment === 'midway') half();
    if (moment === 'after') await work();
    throw new Error('the process died');
  }
  disk.create = (path, bytes) =>
    guarded(
      () => diskEdge.create(path, bytes),
      () => writeFileSync(path, bytes.subarray(0, bytes.length / 2), { mode: 0o600 }),
    );
  disk.read = (path) => guarded(() => diskEdge.read(path));
  disk.link = (from, to) => guarded(() => diskEdge.link(from, to));
  disk.rename = (from, to) => guarded(() => diskEdge.rename(from, to));
  disk.remove = (path) => guarded(() => diskEdge.remove(path));
  disk.syncFolder = (path) => guarded(() => diskEdge.syncFolder(path));
  return disk;
}
