import { flushCompileCache } from 'node:module';
import { createLogger } from '#common/node/log.ts';
import { VERSION } from '#common/version.ts';
import { openCapabilities } from './capabilities/capabilities.ts';
import { hostChannel } from './control/channel.ts';
import { Gateway } from './control/gateway.ts';
import { openJournal } from './journal/journal.ts';
import { copyPayload } from './pipeline/copy.ts';
import { createPipelineRuntime } from './pipeline/runtime.ts';
import { kinds, manifestOf } from './pipeline/shipped-kinds.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/**
 * The process on the gateway port. It is started by the host, which tells it everything over the control channel; on
 * its own it serves nobody. Signals are the host's to act on: one sent to the whole group must not end it early.
 */
const log = createLogger('gateway');
const channel = hostChannel();
const gateway = new Gateway({
  channel,
  log,
  openJournal: (options) => openJournal({ ...options, chain: 'gateway' }),
  async openRuntime({ dataDir, settings }) {
    const sandbox = await createSandbox({ log: (level, text) => log[level](text) });
    const capabilities = openCapabilities({ dataDir, settings, scripts: sandbox, copy: copyPayload, log });
    const runtime = createPipelineRuntime({
      kinds,
      scripts: sandbox,
      surroundings: capabilities,
      log: (level, text, fields) => log[level](text, { ...fields }),
    });
    return {
      runtime,
      capabilities,
      close: async () => {
        await runtime.close();
        await capabilities.close();
        await sandbox.close();
      },
    };
  },
  exit: (code) => process.exit(code),
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
channel.onMessage((message) => gateway.handle(message));
channel.onClosed(() => void gateway.orphaned());
channel.send({ type: 'hello', version: VERSION, pid: process.pid, kinds: kinds.map(manifestOf) });
// A gateway that is killed has no orderly end at which Node would keep what it compiled: the next start is twice as fast.
flushCompileCache();
