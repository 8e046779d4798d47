import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { guardedClass } from './denied.ts';

type Words = [file: string | URL, options?: WorkerOptions];

/**
 * A thread has the permissions of the process unless it is started with different flags, in `execArgv` or NODE_OPTIONS.
 */
export function confineThreads(): void {
  const confined = guardedClass(threads.Worker, ([file, options]: Words): Words => {
    const { execArgv: _flags, env, ...rest } = options ?? {};
    const { NODE_OPTIONS: _more, ...names } = typeof env === 'object' && env !== null ? env : process.env;
    return [file, { ...rest, env: names }];
  });
  Object.assign(threads, { Worker: confined });
  syncBuiltinESMExports();
}
