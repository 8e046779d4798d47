import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import type { Outbox } from '../../gateway/egress/outbox/contract.ts';
import { openOutbox } from '../../gateway/egress/outbox/outbox.ts';
import type { Acceptor } from './acceptor.ts';

/** Nothing is dialled: the target is paused, and in addition not on the list of allowed internal targets. */
const ORIGIN = 'http://127.0.0.1:9';
const WAIT_MS = 30_000;

/**
 * The outbox as the gateway uses it: its own thread, sealed payloads, WAL with `synchronous=FULL`. The target is paused,
 * so that `put` answers as soon as the event is on disk.
 */
export async function startOutbox(folder: string): Promise<Acceptor> {
  let opened = await open(folder, 0);
  let count = 0;
  return {
    name: 'Sluice outbox',
    async accept(body) {
      const event = { path: '/reports', contentType: 'application/json', orderingKey: null, traceparent: null };
      const outcome = await opened.outbox.put(opened.line, { ...event, body: Buffer.from(body) }, WAIT_MS);
      if (outcome.kind !== 'queued') throw new Error(`the outbox answered ${JSON.stringify(outcome).slice(0, 200)}`);
    },
    held: async () => (await opened.outbox.control['egress-state']({})).buffer.events,
    async clear() {
      await opened.outbox.close();
      count += 1;
      opened = await open(folder, count);
    },
    stop: () => opened.outbox.close(),
  };
}

async function open(folder: string, count: number): Promise<{ outbox: Outbox; line: number }> {
  const dataDir = join(folder, String(count));
  await mkdir(dataDir);
  const outbox = openOutbox({
    dataDir,
    key: randomBytes(32),
    settings: {
      bytesMax: 64 * 1024 ** 3,
      eventsMax: 1e9,
      diskReserveBytes: 0,
      drainRate: 500,
      allowedInternalTargets: [],
      proxy: null,
      proxyTargets: [],
    },
    log: createLogger('bench', () => {}),
    onNews: () => {},
  });
  const place = { project: 'bench', pipeline: 'reports', node: 'send', test: false };
  const call = {
    origin: ORIGIN,
    method: 'POST',
    headers: { Authorization: 'Bearer bench' },
    timeoutMs: WAIT_MS,
    tls: null,
  };
  const line = await outbox.open({ ...place, ...call });
  const { targets } = await outbox.control['egress-state']({});
  const target = targets.find(({ target }) => target === ORIGIN);
  if (target === undefined) throw new Error('the outbox does not know its target once the line is open');
  await outbox.control['egress-target-act']({ target: target.id, act: 'pause', by: 'bench' });
  return { outbox, line };
}
