import type { Logger } from '#common/node/log.ts';
import { openCapabilities } from './capabilities/capabilities.ts';
import { closeInTime } from './control/close-in-time.ts';
import type { OpenedRuntime, RuntimeOptions } from './control/compose.ts';
import { openEgress } from './egress/egress.ts';
import { copyPayload } from './pipeline/copy.ts';
import { watchRuns } from './pipeline/run-watch/run-watch.ts';
import { createPipelineRuntime } from './pipeline/runtime.ts';
import { kinds as shipped } from './pipeline/shipped-kinds.ts';
import { SHIPPED_MANIFESTS } from './pipeline/shipped-manifests.ts';
import { openTrustedCode } from './third-party/plugin-code.ts';
import { PluginSet } from './third-party/plugin-set.ts';
import { sandboxedCode } from './third-party/sandboxed-code.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** The outbox, which ends its calls and closes its files, may use most of it. */
const CLOSE_MS_MAX = 5_000;

/** The components that run pipelines: sandbox, capabilities, plugins and the runtime that connects them. */
export async function openRuntime(
  { dataDir, settings, outboxKey, journal, onEgress, onDiskWriters }: RuntimeOptions,
  log: Logger,
): Promise<OpenedRuntime> {
  const sandbox = await createSandbox({
    native: settings.scriptExecution === 'native',
    log: (level, text) => log[level](text),
  });
  const capabilities = openCapabilities({
    dataDir,
    settings,
    scripts: sandbox,
    copy: copyPayload,
    journal,
    onDiskWriters,
    log,
  });
  const key = Buffer.from(outboxKey, 'hex');
  const { disk, writes } = capabilities;
  const egress = openEgress({ dataDir, settings, key, disk, writes, log, onNews: onEgress });
  const watch = watchRuns(dataDir);
  const runtime = createPipelineRuntime({
    kinds: shipped,
    scripts: sandbox,
    egress: (place) => egress.forNode(place),
    surroundings: capabilities,
    watch,
    log: (level, text, fields) => log[level](text, { ...fields }),
  });
  const plugins = new PluginSet({
    shipped: new Set(shipped.map(({ id }) => id)),
    openSandboxed: sandboxedCode(sandbox),
    openTrusted: openTrustedCode,
    log,
  });
  return {
    runtime,
    capabilities,
    egress,
    scripts: {
      settings: ({ scriptExecution }) => sandbox.useNative(scriptExecution === 'native'),
      runs: () => sandbox.runs,
    },
    async plugins(loads) {
      const { kinds, manifests, states } = await plugins.configure(loads);
      runtime.setKinds([...shipped, ...kinds]);
      return { kinds: [...SHIPPED_MANIFESTS, ...manifests], plugins: [...states] };
    },
    close: () =>
      closeInTime(
        CLOSE_MS_MAX,
        [
          { pipelines: () => runtime.close() },
          { plugins: () => plugins.close(), egress: () => egress.close(), capabilities: () => capabilities.close() },
          { sandbox: () => sandbox.close(), watch: () => watch.close() },
        ],
        log,
      ),
  };
}
