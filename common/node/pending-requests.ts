/** A request that has been sent to another thread or process and has no response yet. */
export interface PendingRequest<Value, Info> {
  readonly id: number;
  readonly info: Info;
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/** After `ms` without a response, the request fails with this error. */
export interface AnswerLimit {
  readonly ms: number;
  error(): Error;
}

/**
 * Requests to one thread or process, each with a unique ID. A request is settled once and then removed, so a late or
 * repeated response is ignored.
 *
 * It has no limit: callers compare `size`, or their `info`, with their own limit before they add a request.
 */
export class PendingRequests<Value, Info = undefined> {
  readonly #requests = new Map<number, PendingRequest<Value, Info>>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #lastId = 0;

  get size(): number {
    return this.#requests.size;
  }

  infos(): Info[] {
    return [...this.#requests.values()].map(({ info }) => info);
  }

  add(info: Info, limit?: AnswerLimit): PendingRequest<Value, Info> {
    const id = ++this.#lastId;
    const request = { id, info, ...Promise.withResolvers<Value>() };
    this.#requests.set(id, request);
    if (limit) {
      const timer = setTimeout(() => this.reject(id, limit.error()), limit.ms);
      this.#timers.set(id, timer);
    }
    return request;
  }

  /** Removes the request; undefined if it was already removed. */
  take(id: number): PendingRequest<Value, Info> | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    return request;
  }

  resolve(id: number, value: Value): void {
    this.take(id)?.resolve(value);
  }

  reject(id: number, error: unknown): void {
    this.take(id)?.reject(error);
  }

  /** Removes all requests, for a caller that settles them itself. */
  takeAll(): PendingRequest<Value, Info>[] {
    const requests = [...this.#requests.values()];
    for (const { id } of requests) this.take(id);
    return requests;
  }

  /** No more responses can arrive. */
  rejectAll(error: (info: Info) => Error): void {
    for (const { info, reject } of this.takeAll()) reject(error(info));
  }
}
