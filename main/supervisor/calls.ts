import type { Failure, GatewayCallName } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PendingRequests } from '#common/node/pending-requests.ts';
import { asError, gatewayDown } from './pending.ts';

const CALLS_MAX = 1_000;
/**
 * A test runs as long as its draft allows, at most the longest timeout of a route; other calls are answered from
 * memory.
 */
const CALL_MS_MAX = {
  check: 30_000,
  test: 3_660_000,
  'key-things': 10_000,
  runs: 10_000,
  run: 10_000,
  capability: 310_000,
  'connection-test': 310_000,
  'database-schema': 310_000,
  'query-test': 310_000,
  'script-test': 3_660_000,
  'script-check': 30_000,
  stats: 10_000,
  traffic: 10_000,
  'node-traffic': 10_000,
  'egress-state': 5_000,
  // A try waits for the target's response, as long as the timeout of the node that stored the event.
  'egress-target-act': 3_660_000,
  'egress-events': 60_000,
  'egress-event': 30_000,
  'egress-event-act': 30_000,
  'egress-edit': 60_000,
  'egress-import': 120_000,
} as const satisfies Record<GatewayCallName, number>;

/** Unanswered requests to one gateway process. */
export interface PendingCalls {
  /**
   * Sends a request with `send` and resolves to the response; SluiceError `gateway_down` if too many are already
   * waiting. An error of `send` (JSON that is nested too deeply) is an error of this call, and then no response is
   * pending.
   */
  ask(call: GatewayCallName, send: (id: number) => void): Promise<unknown>;
  reply(id: number, value: unknown, error: Failure | undefined): void;
  gone(): void;
}

export function createPendingCalls(): PendingCalls {
  const pending = new PendingRequests<unknown>();
  return {
    async ask(call, send) {
      if (pending.size >= CALLS_MAX) throw new SluiceError('gateway_down', 'Too many requests wait for the gateway.');
      const { id, promise } = pending.add(undefined, { ms: CALL_MS_MAX[call], error: gatewayDown });
      try {
        send(id);
      } catch (error) {
        pending.take(id);
        throw error;
      }
      return promise;
    },
    reply(id, value, error) {
      if (error) pending.reject(id, asError(error));
      else pending.resolve(id, value);
    },
    gone: () => pending.rejectAll(gatewayDown),
  };
}
