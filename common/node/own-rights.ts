import { fork } from 'node:child_process';
import { Worker } from 'node:worker_threads';

interface Rights {
  fork?: typeof fork;
  Worker?: typeof Worker;
}

let kept: Rights | null = null;

/** Keeps functions for the gateway's own code that are closed to all other code afterwards (gateway/confine). */
export function keepRights(): void {
  kept = { fork, Worker };
}

/** For the processes of embedded databases. Returned only once, so that code that is loaded later cannot get it. */
export function takeFork(): typeof fork {
  return take('fork');
}

/** For the journal's thread: Node refuses `fsync` under the permission model. Returned only once. */
export function takeWorker(): typeof Worker {
  return take('Worker');
}

function take<Name extends keyof Rights>(name: Name): NonNullable<Rights[Name]> {
  const rights = kept ?? { fork, Worker };
  const { [name]: right } = rights;
  delete rights[name];
  if (right === undefined) throw new Error(`the right to use ${name} has been taken already`);
  return right;
}
