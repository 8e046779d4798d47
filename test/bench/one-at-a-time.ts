import { familyOf } from './cpu-time.ts';

/**
 * Lets one of several servers run and stops the others, so that the work of an idle server (such as garbage collection
 * after its own round) does not count for the measured one on the same core.
 */
export class OneAtATime implements Disposable {
  readonly #pids: readonly number[];

  constructor(pids: readonly number[]) {
    this.#pids = pids;
  }

  turnOf(pid: number): void {
    for (const other of this.#pids) if (other !== pid) signal(other, 'SIGSTOP');
    signal(pid, 'SIGCONT');
  }

  /** All of them run again: a stopped one could not be asked to end. */
  [Symbol.dispose](): void {
    for (const pid of this.#pids) signal(pid, 'SIGCONT');
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const one of familyOf(pid)) {
    try {
      process.kill(one, name);
    } catch {
      // It has ended meanwhile, which the load will show.
    }
  }
}
