import { parentPort } from 'node:worker_threads';
import type { MatchJob, MatchNews } from '../messages.ts';

/** As the pattern thread on a machine that gives it almost no CPU time: a match takes the milliseconds that its text says. */
parentPort?.on('message', ({ text }: MatchJob) => {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ begunCpuMs: (user + system) / 1000 } satisfies MatchNews);
  const end = (): void => parentPort?.postMessage({ ok: true, matches: true, cpuMs: 1 } satisfies MatchNews);
  setTimeout(end, Number(text));
});
