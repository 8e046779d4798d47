import { randomBytes } from 'node:crypto';
import { TEST_PEPPER } from '#test/make-key.ts';
import type { Outbox, OutboxEvent } from '../../gateway/egress/outbox/contract.ts';
import { openPausedOutbox } from './paused-outbox.ts';

const BODY_BYTES = 1024;
/** Many events at a time share one fsync; the storing is not measured here. */
const LANES = 500;
/** If the disk is slow for seconds, events that were not stored in time are offered again. */
const TRIES_MAX = 10;
/** Events with different keys are sent at the same time, which is worse for the gateway's callers. */
const ORDERING_KEYS = 16;
const WAIT_MS = 60_000;

/** Fills the outbox of a stopped gateway, with its target paused. `dataDir` is the gateway's. */
export async function storeBacklog(dataDir: string, origin: string, events: number): Promise<void> {
  const { outbox, line } = await openPausedOutbox({
    dataDir,
    key: Buffer.from(TEST_PEPPER, 'hex'),
    bytesMax: 1024 ** 3,
    eventsMax: 1_000_000,
    project: 'line-1',
    origin,
    timeoutMs: 10_000,
  });
  try {
    const body = Buffer.from(randomBytes(BODY_BYTES / 2).toString('hex'));
    let next = 0;
    const lane = async () => {
      for (let at = next++; at < events; at = next++) {
        const event = { path: '/reports', orderingKey: `line ${at % ORDERING_KEYS}`, traceparent: null };
        await put(outbox, line, { ...event, contentType: 'text/plain', body });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await outbox.close();
  }
}

async function put(outbox: Outbox, line: number, event: OutboxEvent): Promise<void> {
  for (let tries = 1; ; tries++) {
    const outcome = await outbox.put(line, event, WAIT_MS);
    if (outcome.kind === 'queued') return;
    if (outcome.kind !== 'unavailable' || tries === TRIES_MAX)
      throw new Error(`the outbox answered ${JSON.stringify(outcome).slice(0, 200)}`);
  }
}
