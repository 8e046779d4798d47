import { setTimeout as sleep } from 'node:timers/promises';
import { createEventCaller } from './caller.ts';
import { nowMs } from './clock.ts';
import type { SentEvent } from './evidence.ts';
import type { Stream } from './line.ts';
import type { Random } from '#test/random.ts';
import { bodyHash } from './witness.ts';

/**
 * One caller per stream sends its events in order, each once: an event with an unknown outcome is never sent again.
 * While the gateway is down, or the backlog of the target is at its limit, they wait.
 */
export interface Load {
  readonly sent: readonly SentEvent[];
  accepted(): number;
  /** The longest time from the last event that was accepted before an outage to the first after it. */
  longestSilenceMs(): number;
  /** No further events; resolves when those in progress have their outcomes. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly port: number;
  readonly apiKey: string;
  readonly streams: readonly Stream[];
  readonly random: Random;
  /** Whether the target may be sent more now. */
  mayCall(target: string): boolean;
}

const WAIT_MS = 20;
const POISON_SHARE = 0.002;
const LARGE_SHARE = 0.005;
const LARGE_BYTES = 48 * 1024;
const SMALL_BYTES = [40, 600] as const;

export function startLoad({ port, apiKey, streams, random, mayCall }: LoadOptions): Load {
  const sent: SentEvent[] = [];
  let going = true;
  let accepted = 0;
  let lastAtMs = nowMs();
  let longestSilenceMs = 0;

  function note(event: SentEvent): void {
    sent.push(event);
    if (event.outcome.kind !== 'accepted') return;
    accepted += 1;
    longestSilenceMs = Math.max(longestSilenceMs, event.endedAtMs - lastAtMs);
    lastAtMs = event.endedAtMs;
  }

  async function run({ target, key, routes }: Stream): Promise<void> {
    const caller = createEventCaller(apiKey);
    for (let seq = 1; going;) {
      if (!mayCall(target)) {
        await sleep(WAIT_MS);
        continue;
      }
      const poison = random.chance(POISON_SHARE);
      const body = eventBody(key, seq, poison, random);
      const sentAtMs = nowMs();
      const outcome = await caller.post(port, random.pick(routes).path, `${key}/${seq}`, body);
      note({ target, key, seq, poison, body: bodyHash(body), sentAtMs, endedAtMs: nowMs(), outcome });
      seq += 1;
    }
    caller.close();
  }

  const callers = streams.map(run);
  return {
    sent,
    accepted: () => accepted,
    longestSilenceMs: () => longestSilenceMs,
    async stop() {
      going = false;
      await Promise.all(callers);
    },
  };
}

/** The keys in the order in which the gateway serializes JSON again: unchanged. */
function eventBody(key: string, seq: number, poison: boolean, random: Random): Buffer {
  const bytes = random.chance(LARGE_SHARE) ? LARGE_BYTES : random.between(...SMALL_BYTES);
  return Buffer.from(JSON.stringify({ key, seq, poison, report: 'x'.repeat(bytes) }));
}
