import { familyOf } from './cpu-time.ts';

/**
 * Lets one of several servers run and stops the others: what a server does when nobody calls (collecting garbage after
 * its own round, say) is not billed to the one that is measured on the same core.
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

  /** All run again: one that is stopped could not be asked to end. */
  [Symbol.dispose](): void {
    for (const pid of this.#pids) signal(pid, 'SIGCONT');
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const one of familyOf(pid)) {
    try {
      process.kill(one, name);
    } catch {
      // It ended meanwhile, which the load will tell.
    }
  }
}
