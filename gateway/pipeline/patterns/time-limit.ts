import type { Worker } from 'node:worker_threads';

/** Interval between two checks of a thread that gets little CPU time. */
const LOOK_MS_MIN = 100;

export interface TimeLimit {
  /** CPU time of the thread at the start of the job; like all times, in milliseconds. */
  readonly sinceCpuMs: number;
  readonly cpuMsMax: number;
  /** Wall time: for a thread that gets no CPU time. */
  readonly msMax: number;
}

/** Calls `reached` once when the thread exceeds a limit, unless the returned function is called before. */
export function limitTime(worker: Worker, { sinceCpuMs, cpuMsMax, msMax }: TimeLimit, reached: () => void): () => void {
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearTimeout(wall);
    clearTimeout(next);
  };
  const end = (): void => {
    if (isOver) return;
    stop();
    reached();
  };
  const look = async (): Promise<void> => {
    const leftMs = sinceCpuMs + cpuMsMax - (await cpuMsOf(worker));
    if (leftMs <= 0) end();
    if (!isOver) next = setTimeout(look, Math.max(LOOK_MS_MIN, leftMs)).unref();
  };
  const wall = setTimeout(end, msMax).unref();
  // A thread cannot use more CPU time than wall time.
  let next = setTimeout(look, cpuMsMax).unref();
  return stop;
}

/** A thread that gets no CPU time responds later. 0: it has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
