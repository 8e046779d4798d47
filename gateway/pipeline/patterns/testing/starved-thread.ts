import { parentPort } from 'node:worker_threads';
import type { MatchJob, MatchNews } from '../messages.ts';

/**
 * Simulates the pattern thread on a machine with almost no free CPU time: the text of a match is its duration in ms.
 */
parentPort?.on('message', ({ text }: MatchJob) => {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ begunCpuMs: (user + system) / 1000 } satisfies MatchNews);
  const end = (): void => parentPort?.postMessage({ ok: true, matches: true, cpuMs: 1 } satisfies MatchNews);
  setTimeout(end, Number(text));
});
