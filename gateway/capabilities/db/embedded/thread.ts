import { workerData } from 'node:worker_threads';
import { MEMORY_BYTES_MAX, WATCH_MS } from './limits.ts';

/**
 * Watches the process of an embedded database from a thread beside it, since a statement that runs answers to nobody:
 * ends the process when it outgrows its memory, or when the gateway has gone and nobody else would end it.
 *
 * Known weakness: Windows does not tell that the parent has gone; there a statement that never ends outlives it.
 */
const { parent } = workerData as { parent: number };

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > MEMORY_BYTES_MAX) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS);
