import { setTimeout as sleep } from 'node:timers/promises';
import type { EgressState } from '#common/model/egress.ts';
import type { TestGateway } from '#test/gateway.ts';
import { until } from '#test/until.ts';
import type { DeadLetter } from './evidence.ts';
import type { GatewayUnderFire } from './gateway-under-fire.ts';
import { readMark } from './witness.ts';

/**
 * A user of the gateway: checks store and forward, resumes paused targets, and counts remaining events. Uses only calls
 * of the admin UI.
 */
export interface Operator {
  /** As last read; null: not yet. */
  readonly state: EgressState | null;
  readonly resumed: number;
  readonly backlogMost: number;
  stop(): Promise<void>;
}

const LOOK_MS = 250;
const PAGE_EVENTS = 100;
const NAME = 'Rita';

export function startOperator(fire: GatewayUnderFire): Operator {
  let going = true;
  let state: EgressState | null = null;
  let resumed = 0;
  let backlogMost = 0;

  async function look(gateway: TestGateway): Promise<void> {
    state = await gateway.call('egress-state', {});
    backlogMost = Math.max(backlogMost, backlogOf(state));
    for (const { id, state: how, pausedBy } of state.targets) {
      if (how !== 'paused' || pausedBy !== null) continue;
      if (fire.gateway !== gateway) return;
      await gateway.call('egress-target-act', { target: id, act: 'resume', by: NAME });
      resumed += 1;
    }
  }

  async function live(): Promise<void> {
    while (going) {
      const { gateway } = fire;
      // A gateway that is killed during a call does not respond: the next one is asked again.
      if (gateway !== null)
        await look(gateway).catch((error: unknown) => {
          if (fire.gateway === gateway) throw error;
        });
      await sleep(LOOK_MS);
    }
  }

  const living = live();
  // Reported by `stop`.
  living.catch(() => {});
  return {
    get state() {
      return state;
    },
    get resumed() {
      return resumed;
    },
    get backlogMost() {
      return backlogMost;
    },
    async stop() {
      going = false;
      await living;
    },
  };
}

export const backlogOf = (state: EgressState): number => state.targets.reduce((sum, { queued }) => sum + queued, 0);

/** Waits until nothing is queued; returns what still is after `timeoutMs`. */
export async function drained(fire: GatewayUnderFire, timeoutMs: number): Promise<number> {
  let left = Infinity;
  const empty = async () => {
    const gateway = await fire.ready();
    left = backlogOf(await gateway.call('egress-state', {}));
    return left === 0;
  };
  await until('everything is delivered', empty, { timeoutMs, everyMs: LOOK_MS }).catch((error: unknown) => {
    if (left === Infinity) throw error;
  });
  return left;
}

/** All dead letters, with their identifying data. */
export async function deadLetters(fire: GatewayUnderFire, nameOf: (origin: string) => string): Promise<DeadLetter[]> {
  const gateway = await fire.ready();
  const letters: DeadLetter[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof nextPage>> = await nextPage(gateway, cursor);
    for (const { id, origin, payload } of page.items) {
      const idempotencyKey = payload?.idempotencyKey ?? '';
      letters.push({ id, idempotencyKey, target: nameOf(origin), event: readMark(Buffer.from(payload?.text ?? '')) });
    }
    cursor = page.next;
  } while (cursor !== null);
  return letters;
}

function nextPage(gateway: Awaited<ReturnType<GatewayUnderFire['ready']>>, cursor: string | null) {
  return gateway.call('egress-events', { state: 'dead', target: null, cursor, limit: PAGE_EVENTS, payloads: true });
}
