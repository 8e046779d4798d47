import { isMainThread } from 'node:worker_threads';
import { keepRights } from '#common/node/own-rights.ts';
import { confineDatabases } from './databases.ts';
import { closeProcesses, closeWaysAround } from './processes.ts';
import { confineThreads } from './threads.ts';

/**
 * Closes the gaps of Node's permission model before any other code runs in the gateway's process and in each of its
 * threads (docs/decisions/0017). It is loaded by `--require`, and does nothing without the permission model.
 */
type Permission = NodeJS.ProcessPermission & { drop(scope: string, reference?: string): void };
const permission = process.permission as Permission | undefined;
if (permission !== undefined) {
  confineDatabases(permission);
  closeWaysAround();
  if (isMainThread) {
    keepRights();
    confineThreads();
    closeProcesses();
  } else dropThreadRights(permission);
}

/** Threads of the gateway start no processes. */
function dropThreadRights(own: Permission): void {
  own.drop('worker');
  if (process.platform !== 'win32') own.drop('child');
}
