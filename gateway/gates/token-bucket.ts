/**
 * Token bucket on a monotonic clock (behaviour 1, Rate and burst): capacity max(1, rate) + burst tokens, refilled at
 * `rate` per second. Times are `performance.now()` milliseconds.
 */
export class TokenBucket {
  readonly rate: number;
  readonly burst: number;
  readonly capacity: number;
  /** `RateLimit-Policy`'s value. */
  readonly policy: string;
  #tokens: number;
  #at: number;

  constructor(rate: number, burst: number, nowMs: number) {
    this.rate = rate;
    this.burst = burst;
    this.capacity = Math.max(1, rate) + burst;
    this.policy = `"route";q=${this.capacity};w=${Math.ceil(this.capacity / rate)}`;
    this.#tokens = this.capacity;
    this.#at = nowMs;
  }

  /** Takes one token; false when there is none. */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Whole tokens left. */
  get left(): number {
    return Math.floor(this.#tokens);
  }

  secondsUntilFull(): number {
    return Math.ceil((this.capacity - this.#tokens) / this.rate);
  }

  /** Seconds to the next token, at least 1 (`Retry-After`). */
  secondsUntilNext(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.rate));
  }

  #refill(nowMs: number): void {
    const passed = nowMs - this.#at;
    if (passed <= 0) return;
    this.#tokens = Math.min(this.capacity, this.#tokens + (passed * this.rate) / 1000);
    this.#at = nowMs;
  }
}
