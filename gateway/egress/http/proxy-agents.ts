import {
  Agent as HttpAgent,
  type AgentOptions,
  type ClientRequestArgs,
  type IncomingMessage,
  request,
} from 'node:http';
import { type AgentOptions as HttpsAgentOptions, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { connect, type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ProxyError } from '#net/call-failure.ts';

/**
 * The two modes of an HTTP proxy: plain calls are sent to it in absolute-form, TLS uses a tunnel (CONNECT), so that the
 * target's certificate is checked end to end.
 *
 * Limits: the time and number of tunnels that are being opened; the head of the proxy's response (Node's 16 KiB).
 * Security: the proxy is called at its checked address; data that it sends before the tunnel is refused. Not chosen:
 * Node's own `proxyEnv`, which keeps an endless answer to CONNECT in memory (0008-egress-http-client.md).
 */
export const TUNNEL_MS_MAX = 10_000;
export const TUNNELS_PENDING_MAX = 64;

export interface ProxyDial {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

type Created = (error: Error | null, socket: Duplex) => void;
type OnEnd = (end: Error | Socket) => void;

export class ForwardAgent extends HttpAgent {
  readonly #proxy: ProxyDial;

  constructor(options: AgentOptions, proxy: ProxyDial) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(_options: ClientRequestArgs): Duplex {
    return connect({ ...this.#proxy, noDelay: true });
  }
}

export class TunnelAgent extends HttpsAgent {
  readonly #proxy: ProxyDial;
  readonly #pending = new Set<{ destroy(error: Error): void }>();

  constructor(options: HttpsAgentOptions, proxy: ProxyDial) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(options: RequestOptions, created?: Created): undefined {
    const tell: OnEnd = (end) => {
      // With an error the socket is not used, but the type requires one.
      if (end instanceof Error) return created?.(end, new Socket());
      const secured = super.createConnection(Object.assign({}, options, { socket: end }));
      return secured ? created?.(null, secured) : end.destroy();
    };
    // Deferred: the request has no listeners while it is being created.
    if (this.#pending.size >= TUNNELS_PENDING_MAX)
      process.nextTick(tell, new ProxyError('too many tunnels are being opened'));
    else this.#open(options, tell);
    return undefined;
  }

  override destroy(): void {
    for (const pending of this.#pending) pending.destroy(new ProxyError('the tunnel is not needed any more'));
    super.destroy();
  }

  #open({ host, port }: RequestOptions, tell: OnEnd): void {
    const path = `${String(host).includes(':') ? `[${String(host)}]` : String(host)}:${Number(port)}`;
    const asked = request({ ...this.#proxy, method: 'CONNECT', path, headers: { Host: path }, agent: false });
    const late = setTimeout(() => asked.destroy(new ProxyError('the proxy opened no tunnel in time')), TUNNEL_MS_MAX);
    const ended = (): void => {
      clearTimeout(late);
      this.#pending.delete(asked);
    };
    this.#pending.add(asked);
    asked.once('connect', (answer: IncomingMessage, socket: Socket, ahead: Buffer) => {
      ended();
      const fault = faultOf(answer, ahead);
      if (fault === null) return tell(socket);
      socket.destroy();
      return tell(new ProxyError(fault));
    });
    asked.on('error', (error) => {
      ended();
      tell(error instanceof ProxyError ? error : new ProxyError('the proxy does not answer', { cause: error }));
    });
    asked.end();
  }
}

function faultOf({ statusCode }: IncomingMessage, ahead: Buffer): string | null {
  if (statusCode !== 200) return `the proxy refused the tunnel with status ${statusCode ?? 0}`;
  return ahead.byteLength > 0 ? 'the proxy sent bytes ahead of the tunnel' : null;
}
