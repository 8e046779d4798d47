import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { HttpCall } from './contract.ts';
import { CallFailure, ProxyError } from '#net/call-failure.ts';
import { type AnswerMemory, answerHeaders, readAnswer } from './read-answer.ts';
import { headersOf, requestPath } from './request-head.ts';
import type { Lease } from './routes.ts';

/** An answer that came whole; `body` is null when it is too large. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

const PROXY_WANTS_A_USER = 407;

/**
 * One request over a leased connection, and its answer read to the end. By node:http as it is: path and headers go out
 * byte for byte, nothing is followed or decoded. Rejects with what went wrong, or when `signal` is aborted.
 */
export async function exchange(
  call: HttpCall,
  lease: Lease,
  signal: AbortSignal,
  memory: AnswerMemory,
): Promise<Answer> {
  const { proxy, url } = lease;
  const sent = begin(call, lease, signal);
  const answer = await answerOf(sent, signal).catch((cause: unknown) => {
    // Of a tunnel the agent says itself whether it was the proxy.
    throw proxy === null || url.secure || signal.aborted
      ? cause
      : new ProxyError('the proxy does not answer', { cause });
  });
  const body = await readAnswer(answer, memory);
  // An answer without a length ends with its connection, also when it was we who ended it.
  signal.throwIfAborted();
  // The target answered before it took the whole body: it will hardly take the rest.
  if (!sent.writableFinished) sent.destroy();
  const status = answer.statusCode ?? 0;
  if (proxy !== null && status === PROXY_WANTS_A_USER)
    throw new CallFailure('unreachable', 'the proxy asks for a user and password, which Sluice does not send (407)');
  return { status, headers: answerHeaders(answer), body };
}

function begin(call: HttpCall, { agent, url, proxy }: Lease, signal: AbortSignal): ClientRequest {
  const path = requestPath(call.path);
  const sent = (url.secure ? https : http).request({
    host: url.host,
    port: url.port,
    method: call.method,
    path: proxy !== null && !url.secure ? `${url.origin}${path}` : path,
    headers: headersOf(call),
    agent,
    signal,
  });
  sent.end(call.body ?? undefined);
  return sent;
}

function answerOf(sent: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // A request that still waits for its connection tells nothing when it is aborted.
  signal.addEventListener('abort', () => reject(new Error('the call is over')), { once: true });
  sent.once('response', resolve);
  // Stays for the whole call: a request may fail behind its answer too, and that must not end the process.
  sent.on('error', reject);
  sent.once('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(new CallFailure('unreachable', 'the answer asks for another protocol (101)'));
  });
  return promise;
}
