import { workerData } from 'node:worker_threads';
import { MEMORY_BYTES_MAX, WATCH_MS } from './limits.ts';
import { LogWatch } from './log-watch.ts';
import { overruns } from './overrun.ts';

/**
 * Watches the process of an embedded database from a second thread, because a running statement cannot be interrupted:
 * ends the process when it exceeds its memory limit, when its statement writes more into the WAL than the disk has
 * space for, or when the gateway has exited and no other process would end it.
 *
 * Known weakness: Windows does not report that the parent has exited; there, an endless statement outlives it.
 */
const { parent, file, memory } = workerData as { parent: number; file: string; memory: SharedArrayBuffer };
const watch = new LogWatch(memory);

/** Blocks this thread until the process exits or the next check is due. */
function look(): void {
  for (const untilMs = performance.now() + WATCH_MS; performance.now() < untilMs;) {
    const limits = watch.next(WATCH_MS);
    if (limits !== null && overruns(file, limits) && watch.isRunning()) process.kill(process.pid, 'SIGKILL');
  }
  if (process.ppid !== parent || process.memoryUsage.rss() > MEMORY_BYTES_MAX) process.kill(process.pid, 'SIGKILL');
  setImmediate(look);
}
look();
