import type { Failure, GatewayCallName } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { asError, gatewayDown } from './pending.ts';

const CALLS_MAX = 1_000;
/** A test runs as long as its draft lets it, at most a route's longest timeout; the rest answers from memory. */
const CALL_MS_MAX = {
  check: 30_000,
  test: 3_660_000,
  runs: 10_000,
  run: 10_000,
  capability: 310_000,
  'connection-test': 310_000,
  'query-test': 310_000,
  'script-test': 3_660_000,
  'script-check': 30_000,
  stats: 10_000,
  traffic: 10_000,
  'node-traffic': 10_000,
  'egress-state': 5_000,
  // A try waits for the target's answer, as long as the node that stored the event lets it.
  'egress-target-act': 3_660_000,
  'egress-events': 60_000,
  'egress-event': 30_000,
  'egress-event-act': 30_000,
  'egress-edit': 60_000,
  'egress-import': 120_000,
} as const satisfies Record<GatewayCallName, number>;

interface Waiting {
  timer: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Questions that one gateway process has been asked and has not answered. */
export interface PendingCalls {
  /**
   * Sends a request with `send` and resolves to the response; SluiceError `gateway_down` if too many wait already. An
   * error of `send` (JSON that is nested too deeply) is an error of this call, and then no response is pending.
   */
  ask(call: GatewayCallName, send: (id: number) => void): Promise<unknown>;
  reply(id: number, value: unknown, error: Failure | undefined): void;
  gone(): void;
}

export function createPendingCalls(): PendingCalls {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const take = (id: number): Waiting | undefined => {
    const entry = waiting.get(id);
    if (entry) clearTimeout(entry.timer);
    waiting.delete(id);
    return entry;
  };
  return {
    async ask(call, send) {
      if (waiting.size >= CALLS_MAX) throw new SluiceError('gateway_down', 'Too many questions wait for the gateway.');
      const id = ++lastId;
      send(id);
      return new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(() => take(id)?.reject(gatewayDown()), CALL_MS_MAX[call]);
        waiting.set(id, { timer, resolve, reject });
      });
    },
    reply(id, value, error) {
      const entry = take(id);
      if (error) entry?.reject(asError(error));
      else entry?.resolve(value);
    },
    gone() {
      for (const id of waiting.keys()) take(id)?.reject(gatewayDown());
    },
  };
}
