import { expect, test, vi } from 'vitest';
import type { GatewayToHost } from '#common/control/messages.ts';
import type { Settings } from '#common/model/settings.ts';
import { createLogger } from '#common/node/log.ts';
import { freePort } from '#test/free-port.ts';
import { makeSnapshot, pipelineStart } from '#test/gateway.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { openJournal } from '../journal/journal.ts';
import { openCapabilities } from '../capabilities/capabilities.ts';
import type { Egress } from '../egress/contract.ts';
import { noScripts } from '../pipeline/harness.ts';
import type { PipelineRuntime } from '../pipeline/contract.ts';
import { Gateway } from './gateway.ts';

interface Opened {
  readonly gateway: Gateway;
  /** Messages that it has sent to its host. */
  readonly sent: GatewayToHost[];
  readonly exited: Promise<number>;
}

/** A gateway in this process; its pipelines are irrelevant. */
function openGateway(compile: () => Promise<never> = () => Promise.reject(new Error('no'))): Opened {
  const sent: GatewayToHost[] = [];
  const exited = Promise.withResolvers<number>();
  const log = createLogger('gateway', () => {});
  const gateway = new Gateway({
    channel: { send: (message) => void sent.push(message), onMessage: () => {}, onClosed: () => {} },
    log,
    openJournal: (options) => openJournal({ ...options, chain: 'gateway' }),
    openRuntime: async ({ dataDir, settings, journal }) => ({
      runtime: { compile } satisfies Partial<PipelineRuntime> as unknown as PipelineRuntime,
      capabilities: openCapabilities({
        dataDir,
        settings,
        scripts: noScripts,
        journal,
        onDiskWriters: () => {},
        copy: (payload) => ({ payload, bytes: 0 }),
        log,
      }),
      egress: { settings: async () => {} } as unknown as Egress,
      scripts: { settings: () => {}, runs: () => ({ native: 0, sandbox: 0 }) },
      plugins: async () => ({ kinds: [], plugins: [] }),
      close: async () => {},
    }),
    exit: exited.resolve,
  });
  return { gateway, sent, exited: exited.promise };
}

const acknowledged = ({ sent }: Opened, epoch: number) =>
  until(`${epoch} is acknowledged`, () => sent.some((message) => message.type === 'ack' && message.epoch === epoch));

/** A gateway that serves with one thread, and its current settings. */
async function listening(folder: string): Promise<{ opened: Opened; saved: Settings }> {
  const opened = openGateway();
  const snapshot = makeSnapshot({ settings: { workers: 1 } }, folder);
  opened.gateway.handle({ type: 'snapshot', epoch: 1, snapshot });
  await acknowledged(opened, 1);
  return { opened, saved: snapshot.settings };
}

async function stop({ gateway, exited }: Opened): Promise<void> {
  gateway.handle({ type: 'stop', graceMs: 100 });
  expect(await exited).toBe(0);
}

test('a changed port does not listen before the first snapshot is live', async () => {
  await using folder = await tempDir();
  const compiles = Promise.withResolvers<never>();
  const compiling = Promise.withResolvers<void>();
  const opened = openGateway(() => {
    compiling.resolve();
    return compiles.promise;
  });
  const { gateway, sent } = opened;
  const snapshot = { ...makeSnapshot({}, folder.path), pipelines: [pipelineStart(routePipeline())] };
  gateway.handle({ type: 'snapshot', epoch: 1, snapshot });
  await compiling.promise;
  const settings = { ...snapshot.settings, gatewayPort: await freePort() };
  gateway.handle({ type: 'change', epoch: 2, change: { kind: 'settings', settings } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent.some((message) => message.type === 'ready')).toBe(false);
  compiles.reject(new Error('no'));
  await acknowledged(opened, 2);
  const ports = sent.flatMap((message) => (message.type === 'ready' ? [message.port] : []));
  expect(ports).toHaveLength(2);
  expect(ports[1]).toBe(settings.gatewayPort);
  await stop(opened);
});

test('a stop cancels a start that waits for the first snapshot', async () => {
  await using folder = await tempDir();
  const compiles = Promise.withResolvers<never>();
  const compiling = Promise.withResolvers<void>();
  let compiled = 0;
  const opened = openGateway(() => {
    compiled++;
    compiling.resolve();
    return compiles.promise;
  });
  const { gateway, sent } = opened;
  const start = pipelineStart(routePipeline());
  gateway.handle({ type: 'snapshot', epoch: 1, snapshot: { ...makeSnapshot({}, folder.path), pipelines: [start] } });
  await compiling.promise;
  gateway.handle({ type: 'change', epoch: 2, change: { kind: 'start', start } });
  const { project, definition } = start;
  gateway.handle({ type: 'change', epoch: 3, change: { kind: 'stop', project, pipeline: definition.id } });
  await acknowledged(opened, 3);
  compiles.reject(new Error('no'));
  await acknowledged(opened, 2);
  const answer = sent.find((message) => message.type === 'ack' && message.epoch === 2);
  expect(answer).toMatchObject({ error: { code: 'conflict' } });
  expect(compiled).toBe(1);
  await stop(opened);
});

test('the host is notified of progress while threads start, for half a minute', async () => {
  await using folder = await tempDir();
  const { opened, saved } = await listening(folder.path);
  const { gateway, sent } = opened;
  const told = () => sent.filter((message) => message.type === 'progress' && message.epoch === 2).length;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  try {
    const settings = { ...saved, workers: 3 };
    gateway.handle({ type: 'change', epoch: 2, change: { kind: 'settings', settings } });
    await until('its turn has come', () => told() === 1);
    vi.advanceTimersByTime(5_000);
    expect(told()).toBe(11);
    vi.advanceTimersByTime(60_000);
    expect(told()).toBeLessThanOrEqual(61);
  } finally {
    vi.useRealTimers();
  }
  await acknowledged(opened, 2);
  await stop(opened);
});

test('a gateway that is stopped during a change of its port leaves neither port open', async () => {
  await using folder = await tempDir();
  const { opened, saved } = await listening(folder.path);
  const { gateway, sent } = opened;
  const settings = { ...saved, gatewayPort: await freePort(), workers: 2 };
  gateway.handle({ type: 'change', epoch: 2, change: { kind: 'settings', settings } });
  await until('its turn has come', () => sent.some(({ type }) => type === 'progress'));
  await stop(opened);
  await acknowledged(opened, 2);
  for (const message of sent)
    if (message.type === 'ready') await expect(call(message.port)).rejects.toThrow('ECONNREFUSED');
});
