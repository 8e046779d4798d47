import { expect, test } from 'vitest';
import type { GatewayToHost } from '#common/control/messages.ts';
import { createLogger } from '#common/node/log.ts';
import { freePort } from '#test/free-port.ts';
import { makeSnapshot, pipelineStart } from '#test/gateway.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { openJournal } from '../journal/journal.ts';
import { openCapabilities } from '../capabilities/capabilities.ts';
import type { Egress } from '../egress/contract.ts';
import { noScripts } from '../pipeline/harness.ts';
import type { PipelineRuntime } from '../pipeline/contract.ts';
import { Gateway } from './gateway.ts';

test('a changed port does not listen before the first snapshot is live', async () => {
  await using folder = await tempDir();
  const sent: GatewayToHost[] = [];
  const compiles = Promise.withResolvers<never>();
  const compiling = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<number>();
  const runtime = {
    compile: () => {
      compiling.resolve();
      return compiles.promise;
    },
  } satisfies Partial<PipelineRuntime>;
  const log = createLogger('gateway', () => {});
  const gateway = new Gateway({
    channel: { send: (message) => void sent.push(message), onMessage: () => {}, onClosed: () => {} },
    log,
    openJournal: (options) => openJournal({ ...options, chain: 'gateway' }),
    openRuntime: async ({ dataDir, settings }) => ({
      runtime: runtime as unknown as PipelineRuntime,
      capabilities: openCapabilities({ dataDir, settings, scripts: noScripts, copy: (payload) => payload, log }),
      egress: { settings: async () => {} } as unknown as Egress,
      plugins: async () => ({ kinds: [], plugins: [] }),
      close: async () => {},
    }),
    exit: exited.resolve,
  });
  const snapshot = { ...makeSnapshot({}, folder.path), pipelines: [pipelineStart(routePipeline())] };
  gateway.handle({ type: 'snapshot', epoch: 1, snapshot });
  await compiling.promise;
  const gatewayPort = await freePort();
  gateway.handle({
    type: 'change',
    epoch: 2,
    change: { kind: 'settings', settings: { ...snapshot.settings, gatewayPort } },
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent.some((message) => message.type === 'ready')).toBe(false);
  compiles.reject(new Error('no'));
  await until('the change is acknowledged', () =>
    sent.some((message) => message.type === 'ack' && message.epoch === 2),
  );
  const ports = sent.flatMap((message) => (message.type === 'ready' ? [message.port] : []));
  expect(ports).toHaveLength(2);
  expect(ports[1]).toBe(gatewayPort);
  gateway.handle({ type: 'stop', graceMs: 100 });
  expect(await exited.promise).toBe(0);
});
