import { enableCompileCache } from 'node:module';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { DeviceHost } from './device-host.ts';
import { type Drivers, drivers as shipped } from './drivers.ts';
import type { DeviceThreadOptions, FromThread, ToThread } from './messages.ts';
import { Reporter } from './reporter.ts';

/**
 * The thread in which the providers of devices and their libraries run (the other side is device-thread.ts). It owns no
 * persistent state: an unhandled error ends it, and a new one receives all state again.
 */
if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const options = workerData as DeviceThreadOptions;
  if (options.compileCache !== null) enableCompileCache(options.compileCache);
  const tell = (message: FromThread): void => port.postMessage(message);
  const drivers = await driversOf(options.driversUrl);
  const reporter = new Reporter((report) => tell({ kind: 'report', ...report }));
  const host = new DeviceHost(options, drivers, reporter);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'end') return process.exit(0);
    if (message.kind === 'taken') return reporter.taken();
    for (const order of message.orders) host.perform(order);
    tell({ kind: 'taken' });
  });
  tell({ kind: 'ready' });
}

async function driversOf(url: string | null): Promise<Drivers> {
  if (url === null) return shipped;
  const module = (await import(url)) as { drivers: Drivers };
  return module.drivers;
}
