import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outbox } from '../../gateway/egress/outbox/contract.ts';
import type { Acceptor } from './acceptor.ts';
import { openPausedOutbox } from './paused-outbox.ts';

/** No connections are made: the target is paused, and not on the list of allowed internal targets. */
const ORIGIN = 'http://127.0.0.1:9';
const WAIT_MS = 30_000;

/**
 * The outbox as used by the gateway: its own thread, encrypted payloads, WAL with `synchronous=FULL`. The target is
 * paused, so that `put` resolves as soon as the event is on disk.
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
  return openPausedOutbox({
    dataDir,
    key: randomBytes(32),
    bytesMax: 64 * 1024 ** 3,
    eventsMax: 1e9,
    project: 'bench',
    origin: ORIGIN,
    headers: { Authorization: 'Bearer bench' },
    timeoutMs: WAIT_MS,
  });
}
