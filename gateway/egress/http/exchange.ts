import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Agents } from './agents.ts';
import type { CallLimit } from './call-limit.ts';
import type { HttpCall } from './contract.ts';
import { CallFailure, ProxyError } from '#net/call-failure.ts';
import { type AnswerMemory, answerHeaders, readAnswer } from './read-answer.ts';
import { headersOf, requestPath } from './request-head.ts';
import type { Lease } from './routes.ts';

/** A complete response; `body` is null if it is too large. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

const PROXY_WANTS_A_USER = 407;

/** A request that was sent, and the head of its response. */
interface Asked {
  readonly sent: ClientRequest;
  readonly answer: IncomingMessage;
}

/** A kept connection was closed when the request was sent on it. It is unknown whether the target read the request. */
class KeptConnectionEnded extends Error {}

/**
 * Sends one request over a leased connection and reads the complete response. Uses plain node:http: path and headers are
 * sent unchanged, redirects are not followed, bodies are not decoded. Rejects with the error, or when the signal of the
 * time limit is aborted.
 */
export async function exchange(call: HttpCall, lease: Lease, limit: CallLimit, memory: AnswerMemory): Promise<Answer> {
  const { proxy, url } = lease;
  const { signal } = limit;
  const { sent, answer } = await ask(call, lease, limit).catch((cause: unknown) => {
    // For a tunnel, the agent knows whether the proxy was the cause.
    throw proxy === null || url.secure || signal.aborted
      ? cause
      : new ProxyError('the proxy does not answer', { cause });
  });
  const body = await readAnswer(answer, memory);
  // A response without a length ends with its connection, even if Sluice closed it.
  signal.throwIfAborted();
  // The target responded before it received the whole body: it will hardly read the rest.
  if (!sent.writableFinished) sent.destroy();
  const status = answer.statusCode ?? 0;
  if (proxy !== null && status === PROXY_WANTS_A_USER)
    throw new CallFailure('unreachable', 'the proxy asks for a user and password, which Sluice does not send (407)');
  return { status, headers: answerHeaders(answer), body };
}

/**
 * A request that was lost on a kept connection is sent again immediately, once per call and on a new connection:
 * another kept one may be closed as well (RFC 9110, 9.2.2; RFC 9112, 9.3.1). Every later attempt of the call uses a new
 * connection too.
 */
async function ask(call: HttpCall, lease: Lease, limit: CallLimit): Promise<Asked> {
  const mayTakeKept = call.repeatable && limit.sends === 0;
  try {
    return await askBy(mayTakeKept ? 'kept' : 'fresh', call, lease, limit);
  } catch (error) {
    if (!(error instanceof KeptConnectionEnded) || limit.over !== null) throw error;
    return askBy('fresh', call, lease, limit);
  }
}

async function askBy(way: keyof Agents, call: HttpCall, lease: Lease, limit: CallLimit): Promise<Asked> {
  limit.sends += 1;
  const sent = begin(way, call, lease, limit.signal);
  const untouched = way === 'kept' ? watchReuse(sent) : null;
  const answer = await answerOf(sent, limit.signal).catch((cause: unknown) => {
    throw untouched?.() === true && isEnd(cause) ? new KeptConnectionEnded('it had ended', { cause }) : cause;
  });
  return { sent, answer };
}

/**
 * Returns whether the request was sent on a used connection and no byte of a response arrived. It compares the bytes
 * read from the connection: the request reports no partial head, and its `reusedSocket` is not set for a connection
 * that it waited for in the queue.
 */
function watchReuse(sent: ClientRequest): () => boolean {
  let bytesBefore = 0;
  sent.once('socket', ({ bytesRead }) => (bytesBefore = bytesRead));
  return () => (sent.reusedSocket || bytesBefore > 0) && (sent.socket?.bytesRead ?? 0) === bytesBefore;
}

function isEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function begin(way: keyof Agents, call: HttpCall, { agents, url, proxy }: Lease, signal: AbortSignal): ClientRequest {
  const path = requestPath(call.path);
  const sent = (url.secure ? https : http).request({
    host: url.host,
    port: url.port,
    method: call.method,
    path: proxy !== null && !url.secure ? `${url.origin}${path}` : path,
    headers: headersOf(call),
    agent: agents[way],
    signal,
  });
  // Without this, an agent that keeps no connections still passes one on to a waiting request.
  if (way === 'fresh') sent.shouldKeepAlive = false;
  sent.end(call.body ?? undefined);
  return sent;
}

function answerOf(sent: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // A request that still waits for its connection emits no event when it is aborted.
  signal.addEventListener('abort', () => reject(new Error('the call is over')), { once: true });
  sent.once('response', resolve);
  // Stays for the whole call: a request can also fail after its response, and that must not end the process.
  sent.on('error', reject);
  sent.once('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(new CallFailure('unreachable', 'the answer asks for another protocol (101)'));
  });
  return promise;
}
