import { flushCompileCache } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { createLogger } from '#common/node/log.ts';
import { takeWorker } from '#common/node/own-rights.ts';
import { VERSION } from '#common/version.ts';
import { hostChannel } from './control/channel.ts';
import { Gateway } from './control/gateway.ts';
import { openJournal } from './journal/journal.ts';
import { openRuntime } from './open-runtime.ts';
import { SHIPPED_MANIFESTS } from './pipeline/shipped-manifests.ts';

/**
 * The process on the gateway port. The host starts it and configures it over the control channel; without a host it
 * serves nothing. The host handles signals: a signal to the whole group must not end this process early.
 */
process.title = 'sluice-gateway';
const log = createLogger('gateway');
const channel = hostChannel();
const OwnWorker = takeWorker();
const gateway = new Gateway({
  channel,
  log,
  openJournal: (options) => openJournal({ ...options, chain: 'gateway', startThread }),
  openRuntime: (options) => openRuntime(options, log),
  exit: (code) => process.exit(code),
});

/**
 * Without the permission model, which disables Node's `fsync`. The thread runs only our own code and receives only
 * rows.
 */
function startThread(url: URL, options: WorkerOptions): Worker {
  return new OwnWorker(url, { ...options, execArgv: [] });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
channel.onMessage((message) => gateway.handle(message));
channel.onClosed(() => void gateway.orphaned());
channel.send({ type: 'hello', version: VERSION, pid: process.pid, kinds: [...SHIPPED_MANIFESTS] });
// A killed gateway does not exit in the orderly way in which Node would save its compile cache: the next start is twice
// as fast.
flushCompileCache();
releaseIdleMemory();
