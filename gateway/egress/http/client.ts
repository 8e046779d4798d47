import { CallLimit } from './call-limit.ts';
import type { HttpCall, HttpClient, HttpClientSettings, HttpResult } from './contract.ts';
import { failureOf } from '#net/call-failure.ts';
import type { Edge } from './routes.ts';
import { Sender } from './sender.ts';

/**
 * Makes HTTP calls for the outbox: one attempt each, with its result as a value (contract.ts).
 *
 * Limits: body and head of the response, the time from the DNS lookup to the last byte, agents and sockets (routes.ts,
 * agents.ts), bytes of concurrent responses (read-answer.ts). The caller limits how many calls are in flight. Security:
 * only addresses that the target guard checked are dialled (routes.ts); no redirect is followed, nothing is
 * decompressed, the environment's proxy and TLS variables are ignored; messages name neither path nor headers. Known
 * weaknesses: a response without a length that is not chunked ends with its connection, so a truncated one cannot be
 * detected. A call that was lost on a kept connection is sent once more (exchange.ts): it is unknown whether the target
 * had read the first, so it may receive both, with one Idempotency-Key. A hanging DNS server blocks one of Node's four
 * lookup threads until it times out.
 */
export function createHttpClient(settings: HttpClientSettings, edge?: Edge): HttpClient {
  const sender = new Sender(settings, edge);
  return {
    async call(call, signal) {
      const limit = new CallLimit(call.timeoutMs, signal, sender.closing);
      try {
        const { status, headers, body } = await sender.send(call, limit);
        return { kind: 'answered', status, headers, body, ...accountOf(limit) };
      } catch (error) {
        return { ...failureIn(error, call, limit), ...accountOf(limit) };
      } finally {
        limit.dispose();
      }
    },
    configure: (next) => sender.configure(next),
    close: () => sender.close(),
  };
}

function accountOf({ durationMs, sends }: CallLimit): Pick<HttpResult, 'durationMs' | 'repeated'> {
  return { durationMs, repeated: sends > 1 };
}

function failureIn(error: unknown, { timeoutMs }: HttpCall, { over, refusal }: CallLimit) {
  if (refusal !== null) return failureOf(refusal);
  if (over === 'cancelled') return { kind: 'cancelled' } as const;
  if (over === 'timeout') return { kind: 'timeout', text: lateText(timeoutMs) } as const;
  return failureOf(error);
}

export function lateText(timeoutMs: number): string {
  return `no whole answer within ${timeoutMs / 1000} s`;
}
