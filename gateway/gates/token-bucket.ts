/**
 * Token bucket on a monotonic clock (docs/spec/routes.md#rate-limit): capacity max(1, rate) + burst tokens, refilled at
 * `rate` per second. Times are `performance.now()` milliseconds.
 */
export class TokenBucket {
  readonly rate: number;
  readonly burst: number;
  readonly capacity: number;
  /** Value of `RateLimit-Policy`. */
  readonly policy: string;
  #tokens: number;
  #at: number;

  constructor(rate: number, burst: number, nowMs: number) {
    this.rate = rate;
    this.burst = burst;
    this.capacity = Math.max(1, rate) + burst;
    this.policy = `"route";q=${this.capacity};w=${wholeSeconds(this.capacity / rate)}`;
    this.#tokens = this.capacity;
    this.#at = nowMs;
  }

  /** Takes one token; false if there is none. */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Value of `RateLimit`: whole tokens left, and seconds until it is full. */
  state(nowMs: number): string {
    return `"route";r=${this.left(nowMs)};t=${this.#secondsUntilFull()}`;
  }

  /** Whole tokens. */
  left(nowMs: number): number {
    this.#refill(nowMs);
    return Math.floor(this.#tokens);
  }

  #secondsUntilFull(): number {
    return wholeSeconds((this.capacity - this.#tokens) / this.rate);
  }

  /** Seconds until the next token, at least 1 (`Retry-After`). */
  secondsUntilNext(): number {
    return Math.max(1, wholeSeconds((1 - this.#tokens) / this.rate));
  }

  #refill(nowMs: number): void {
    const passed = nowMs - this.#at;
    if (passed <= 0) return;
    this.#tokens = Math.min(this.capacity, this.#tokens + (passed * this.rate) / 1000);
    this.#at = nowMs;
  }
}

/** An integer that callers can parse, however low the rate is. */
const SECONDS_MAX = 999_999_999;

function wholeSeconds(seconds: number): number {
  return Math.min(SECONDS_MAX, Math.ceil(seconds));
}
