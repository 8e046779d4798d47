import { workerData } from 'node:worker_threads';
import { MEMORY_BYTES_MAX, WATCH_MS } from './limits.ts';
import { LogWatch } from './log-watch.ts';
import { overruns } from './overrun.ts';

/**
 * Watches the process of an embedded database from a thread beside it, because a statement that runs cannot be
 * interrupted: ends the process when it outgrows its memory, when its statement writes more into the log than the disk
 * has room for, or when the gateway has gone and nobody else would end it.
 *
 * Known weakness: Windows does not report that the parent has gone; there a statement that never ends outlives it.
 */
const { parent, file, memory } = workerData as { parent: number; file: string; memory: SharedArrayBuffer };
const watch = new LogWatch(memory);

/** Blocks this thread until the process or the next look at it. */
function look(): void {
  for (const untilMs = performance.now() + WATCH_MS; performance.now() < untilMs;) {
    const limits = watch.next(WATCH_MS);
    if (limits !== null && overruns(file, limits) && watch.isRunning()) process.kill(process.pid, 'SIGKILL');
  }
  if (process.ppid !== parent || process.memoryUsage.rss() > MEMORY_BYTES_MAX) process.kill(process.pid, 'SIGKILL');
  setImmediate(look);
}
look();
