import { CallLimit } from './call-limit.ts';
import type { HttpCall, HttpClient, HttpClientSettings, HttpResult } from './contract.ts';
import { failureOf } from '#net/call-failure.ts';
import type { Edge } from './routes.ts';
import { Sender } from './sender.ts';

/**
 * Makes HTTP calls for the outbox: one attempt each, its end told as a value (contract.ts).
 *
 * Limits: the answer's body and head, the call's time from look-up to last byte, agents and sockets (routes.ts,
 * agents.ts), bytes of answers at once (read-answer.ts). How many calls are in flight is the caller's to limit.
 * Security: no address is dialled that the target guard did not check (routes.ts); no redirect is followed, nothing is
 * decompressed, the environment's proxy and TLS variables are not looked at; texts name neither path nor headers.
 * Known weaknesses: an answer that neither says its length nor is chunked ends where its connection does, so that a cut
 * cannot be told from its end. A call that a kept connection lost goes out once more (exchange.ts): whether the target
 * had read the first cannot be told, so that it may get both, with one Idempotency-Key. A name server that hangs takes one of Node's four look-up threads until it gives up.
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
