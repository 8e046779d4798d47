import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { contextOptions, type TlsIdentity } from '#common/node/tls-context.ts';
import { METRICS_TYPE } from './prometheus.ts';
import { mayScrape, SCRAPE_TOKEN_EXPECTED } from './scrape-token.ts';

/**
 * Serves GET and HEAD /metrics to a scraper on another machine, one request per connection.
 *
 * Limits: CONNECTIONS_MAX connections, further ones are closed at once; a TLS handshake and a request head within
 * HEAD_MS_MAX; HEADER_BYTES_MAX of headers; bodies are not read; a client that does not read is disconnected after IDLE_MS_MAX.
 * Security: the token is checked first; no other path exists; the admin API cannot be reached from here.
 * Known weakness: a client that holds CONNECTIONS_MAX connections open blocks scrapes, nothing else.
 */
export const CONNECTIONS_MAX = 16;
const HEAD_MS_MAX = 5_000;
const HEADER_BYTES_MAX = 8 * 1024;
const IDLE_MS_MAX = 10_000;

export interface ScrapeSource {
  /** Null: every request is refused. */
  token(): string | null;
  text(): Promise<string>;
}

export type ScrapeServer = Server;

export interface ScrapeServerOptions {
  source: ScrapeSource;
  /** Null: plain HTTP. */
  identity: TlsIdentity | null;
  /** Errors that the scraper did not cause. */
  onError: (error: unknown) => void;
}

/** Throws Node's error if certificate and key cannot be used. */
export function createScrapeServer({ source, identity, onError }: ScrapeServerOptions): ScrapeServer {
  const limits = {
    headersTimeout: HEAD_MS_MAX,
    requestTimeout: HEAD_MS_MAX,
    connectionsCheckingInterval: 500,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: 1,
  };
  const listener: RequestListener = (request, response) => void answer(source, request, response).catch(onError);
  const server =
    identity === null
      ? createServer(limits, listener)
      : process
          .getBuiltinModule('node:https')
          .createServer({ ...limits, ...contextOptions(identity), handshakeTimeout: HEAD_MS_MAX }, listener);
  server.maxConnections = CONNECTIONS_MAX;
  server.maxRequestsPerSocket = 1;
  server.setTimeout(IDLE_MS_MAX);
  return server;
}

async function answer(source: ScrapeSource, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Connection', 'close');
  response.setHeader('Cache-Control', 'no-store');
  const token = source.token();
  if (token === null || !mayScrape(request.headers.authorization, token)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    return say(response, 401, SCRAPE_TOKEN_EXPECTED);
  }
  if (request.url?.split('?')[0] !== '/metrics') return say(response, 404, 'There is only /metrics here.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return say(response, 405, 'Expected GET or HEAD.');
  }
  try {
    const text = await source.text();
    response.setHeader('Content-Type', METRICS_TYPE);
    response.end(text);
  } catch (error) {
    say(response, 500, 'The metrics could not be made; the log of Sluice says why.');
    throw error;
  }
}

function say(response: ServerResponse, status: number, sentence: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${sentence}\n`);
}
