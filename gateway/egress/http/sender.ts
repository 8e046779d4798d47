import type { AxiosRequestConfig, AxiosResponse, AxiosStatic, InternalAxiosRequestConfig } from 'axios';
import type { CallLimit } from './call-limit.ts';
import type { HttpCall, HttpClientSettings } from './contract.ts';
import { type Answer, exchange } from './exchange.ts';
import type { Axios } from './load-axios.ts';
import type { AnswerMemory } from './read-answer.ts';
import { type Edge, type Lease, Routes } from './routes.ts';

/**
 * Sends calls to checked addresses: directly, or as the adapter of axios, so that each attempt of axios-retry is
 * checked too.
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

  /** One attempt. Rejects with the error (`failureOf`). */
  async send(call: HttpCall, limit: CallLimit): Promise<Answer> {
    const lease = await this.#lease(call, limit);
    let letGo: () => void = () => undefined;
    try {
      letGo = lease.hold((refusal) => limit.refuse(refusal));
      return await exchange(call, lease, limit, this.#memory);
    } catch (error) {
      throw limit.refusal ?? error;
    } finally {
      letGo();
      lease.release();
    }
  }

  /**
   * The same through axios. A response with any status is a success, unless `options` names failures. Rejects like
   * axios.
   */
  async sendBy(axios: Axios, call: HttpCall, limit: CallLimit, options: AxiosRequestConfig): Promise<Answer> {
    const answer = await axios.instance.request<Answer>({
      validateStatus: () => true,
      ...options,
      // Only a placeholder: axios would rewrite a path and include it in errors.
      url: `${call.origin}/`,
      method: call.method,
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
    { AxiosError }: AxiosStatic,
    call: HttpCall,
    limit: CallLimit,
    config: InternalAxiosRequestConfig,
  ): Promise<AxiosResponse<Answer>> {
    const data = await this.send(call, limit).catch((error: unknown) => {
      throw AxiosError.from(error, undefined, config);
    });
    const response = { data, status: data.status, statusText: '', headers: { ...data.headers }, config };
    if (config.validateStatus?.(data.status) !== false) return response;
    throw new AxiosError('the answer is a failure', AxiosError.ERR_BAD_RESPONSE, config, undefined, response);
  }

  async #lease({ origin, tls, pool }: HttpCall, limit: CallLimit): Promise<Lease> {
    const leasing = this.#routes.lease(origin, tls, pool);
    try {
      return await limit.race(leasing);
    } catch (error) {
      // A lookup cannot be stopped: its late result is released.
      if (limit.over !== null)
        leasing.then(
          ({ release }) => release(),
          () => undefined,
        );
      throw error;
    }
  }
}
