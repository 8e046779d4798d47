import { randomBytes } from 'node:crypto';
import type { GatewayContext } from '../gateway-context.ts';
import type { ConnectionLimiter } from '../connection-limiter.ts';
import { startTimeoutSweep } from '../timeout-sweep.ts';
import type { GatewayServer, ListenAddress } from '../server.ts';
import type { TlsIdentity } from '#common/node/tls-context.ts';
import { HttpThread } from './http-thread.ts';

export interface ThreadedServerParts {
  readonly edge: GatewayContext;
  readonly guests: ConnectionLimiter;
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
  readonly threads: number;
  /** A thread ended unexpectedly: its callers are not served. */
  onThreadLost(cause: unknown): void;
}

const TICKET_KEYS_BYTES = 48;

/** A listener on a gateway port whose sockets are owned by threads, which share the port. */
export function createThreadedServer(parts: ThreadedServerParts): GatewayServer {
  const { edge, guests, onThreadLost } = parts;
  const identity = parts.identity && withTicketKeys(parts.identity);
  const threads = Array.from(
    { length: parts.threads },
    () => new HttpThread({ edge, guests, identity, onLost: onThreadLost }),
  );
  const stopRounds = startTimeoutSweep(function* () {
    for (const thread of threads) yield* thread.connections;
  });
  const end = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.end()));
    stopRounds();
  };
  return {
    sharesPort: true,
    async prepare() {
      await Promise.all(threads.map((thread) => thread.ask({ ask: 'up' })));
    },
    listen: (address) => listen(threads, address),
    async renew(next) {
      const shared = withTicketKeys(next);
      await Promise.all(threads.map((thread) => thread.ask({ ask: 'renew', identity: shared })));
    },
    async close() {
      await all(threads, 'close');
      return { gone: all(threads, 'end').then(end) };
    },
    destroy: end,
  };
}

/** All threads listen on the port of the first. */
async function listen(threads: readonly HttpThread[], { host, port }: ListenAddress): Promise<number> {
  let got = port;
  for (const thread of threads) {
    const answer = await thread.ask({ ask: 'listen', address: { host, port: got } });
    if ('port' in answer) got = answer.port;
  }
  return got;
}

/** A thread that has ended has neither a listener nor connections. */
async function all(threads: readonly HttpThread[], ask: 'close' | 'end'): Promise<void> {
  await Promise.all(threads.map((thread) => thread.ask({ ask }).catch(() => {})));
}

/** A caller that reconnects may reach another thread, which must know its session ticket. */
function withTicketKeys(identity: TlsIdentity): TlsIdentity {
  return { ...identity, ticketKeys: new Uint8Array(randomBytes(TICKET_KEYS_BYTES)) };
}
