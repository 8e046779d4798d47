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

/** Without the permission model, under which Node has no `fsync`. The thread runs our own code and gets rows alone. */
function startThread(url: URL, options: WorkerOptions): Worker {
  return new OwnWorker(url, { ...options, execArgv: [] });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
channel.onMessage((message) => gateway.handle(message));
channel.onClosed(() => void gateway.orphaned());
channel.send({ type: 'hello', version: VERSION, pid: process.pid, kinds: [...SHIPPED_MANIFESTS] });
// A gateway that is killed has no orderly end at which Node would keep what it compiled: the next start is twice as fast.
flushCompileCache();
releaseIdleMemory();
