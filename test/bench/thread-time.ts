import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process's threads so far, in microseconds. Linux only. */
export interface ThreadTimes {
  /** The main thread. */
  readonly core: number;
  /** The time of all threads with that name together. */
  of(name: string): number;
}

const NANOSECONDS = 1000;

/** Threads are distinguished by the names that Node gives them; /proc/PID/task/TID/schedstat begins with the time. */
export function threadTimes(pid: number): ThreadTimes {
  const all = readdirSync(`/proc/${pid}/task`).map((id) => {
    const read = (file: string): string => readFileSync(`/proc/${pid}/task/${id}/${file}`, 'latin1').trim();
    return {
      isMain: Number(id) === pid,
      name: read('comm'),
      us: Number(read('schedstat').split(' ')[0]) / NANOSECONDS,
    };
  });
  const sum = (list: typeof all): number => list.reduce((us, one) => us + one.us, 0);
  return { core: sum(all.filter(({ isMain }) => isMain)), of: (name) => sum(all.filter((one) => one.name === name)) };
}
