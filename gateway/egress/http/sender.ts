import http, { type ClientRequest, IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { AxiosAdapter, AxiosRequestConfig, AxiosResponse, AxiosStatic, InternalAxiosRequestConfig } from 'axios';
import type { CallLimit } from './call-limit.ts';
import type { Axios } from './load-axios.ts';
import type { HttpCall, HttpClientSettings } from './contract.ts';
import { CallFailure } from './failure.ts';
import { ProxyError } from './proxy-agents.ts';
import { type AnswerMemory, answerHeaders, readAnswer } from './read-answer.ts';
import { headersOf, requestPath } from './request-head.ts';
import { type Edge, type Lease, Routes } from './routes.ts';

/** An answer that came whole; `body` is null when it is too large. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

const PROXY_WANTS_A_USER = 407;

/**
 * Makes calls with axios: by checked addresses, with exact paths and headers, reading each answer to its end. It is an
 * adapter of axios, so that a retry of axios-retry is a new attempt in all of this: address, connection and reading.
 */
export class Sender {
  readonly #routes: Routes;
  readonly #closing = new AbortController();
  readonly #memory: AnswerMemory = { bytes: 0 };

  constructor(settings: HttpClientSettings, edge?: Edge) {
    this.#routes = new Routes(settings, edge);
  }

  /** Aborted when the sender is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** An answer of any status is one, unless `options` names others as failures. Rejects as axios does. */
  async send(axios: Axios, call: HttpCall, limit: CallLimit, options: AxiosRequestConfig = {}): Promise<Answer> {
    const { origin, method, body } = call;
    const answer = await axios.instance.request<Answer>({
      validateStatus: () => true,
      ...options,
      // The path is put in by `exactly`: axios would rewrite it, and tell it in errors.
      url: `${origin}/`,
      method,
      data: body === null ? undefined : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      signal: limit.signal,
      adapter: (config) => this.#attempt(axios.library, call, limit, config),
    });
    return answer.data;
  }

  configure(settings: HttpClientSettings): void {
    this.#routes.configure(settings);
  }

  close(): void {
    this.#closing.abort();
    this.#routes.close();
  }

  async #attempt(
    { AxiosError, getAdapter }: AxiosStatic,
    call: HttpCall,
    limit: CallLimit,
    config: InternalAxiosRequestConfig,
  ): Promise<AxiosResponse<Answer>> {
    let response: AxiosResponse<Answer>;
    try {
      const lease = await this.#lease(call, limit);
      response = await this.#exchange(getAdapter('http'), call, lease, config).finally(lease.release);
    } catch (error) {
      throw AxiosError.from(error, undefined, config);
    }
    if (config.validateStatus?.(response.status) !== false) return response;
    throw new AxiosError('the answer is a failure', AxiosError.ERR_BAD_RESPONSE, config, undefined, response);
  }

  async #lease({ origin, tls }: HttpCall, limit: CallLimit): Promise<Lease> {
    const leasing = this.#routes.lease(origin, tls);
    try {
      return await limit.race(leasing);
    } catch (error) {
      // A look-up cannot be stopped: what comes of it later is given back.
      if (limit.over !== null)
        leasing.then(
          ({ release }) => release(),
          () => undefined,
        );
      throw error;
    }
  }

  async #exchange(
    adapter: AxiosAdapter,
    call: HttpCall,
    lease: Lease,
    config: InternalAxiosRequestConfig,
  ): Promise<AxiosResponse<Answer>> {
    const { agent, proxy, url } = lease;
    const transport = exactly(call, lease);
    const response = await adapter({
      ...config,
      validateStatus: null,
      transport,
      httpAgent: agent,
      httpsAgent: agent,
    }).catch((cause: unknown) => {
      // Of a tunnel the agent says itself whether it was the proxy.
      throw proxy === null || url.secure ? cause : new ProxyError('the proxy does not answer', { cause });
    });
    const message: unknown = response.data;
    if (!(message instanceof IncomingMessage)) throw new CallFailure('unreachable', 'the answer cannot be read');
    const body = await readAnswer(message, this.#memory);
    transport.abandonUpload();
    if (proxy !== null && response.status === PROXY_WANTS_A_USER)
      throw new CallFailure('unreachable', 'the proxy asks for a user and password, which Sluice does not send (407)');
    return { ...response, data: { status: response.status, headers: answerHeaders(message), body } };
  }
}

/** Node's own request, with path and headers as they shall go out: axios would rewrite both. */
function exactly(call: HttpCall, { agent, url, proxy }: Lease) {
  const path = requestPath(call.path);
  const target = proxy !== null && !url.secure ? `${url.origin}${path}` : path;
  const headers = headersOf(call);
  let sent: ClientRequest | undefined;
  return {
    request(options: RequestOptions, answered: (answer: IncomingMessage) => void): ClientRequest {
      sent = (url.secure ? https : http).request({ ...options, agent, path: target, headers }, answered);
      return sent.once('upgrade', (_answer, socket) => {
        // Node has let go of the request by now: destroying it would tell nobody.
        socket.destroy();
        sent?.emit('error', new CallFailure('unreachable', 'the answer asks for another protocol (101)'));
      });
    },
    /** The target answered before it took the whole body: it will hardly take the rest. */
    abandonUpload(): void {
      if (sent?.writableFinished === false) sent.destroy();
    },
  };
}
