/** The rate at which the backlog of a target is sent: a token bucket with a capacity of 100 ms. */
export class BacklogRate {
  #tokens = 1;
  #filledAtMs: number;

  constructor(nowMs: number) {
    this.#filledAtMs = nowMs;
  }

  /** Zero if one event may be sent now, at `ratePerSecond`; otherwise the milliseconds to wait. */
  take(ratePerSecond: number, nowMs: number): number {
    const capacity = Math.max(1, ratePerSecond / 10);
    this.#tokens = Math.min(capacity, this.#tokens + ((nowMs - this.#filledAtMs) / 1000) * ratePerSecond);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return Math.max(1, Math.ceil(((1 - this.#tokens) / ratePerSecond) * 1000));
    this.#tokens -= 1;
    return 0;
  }
}
