import { sourceBlock } from '#common/cidr.ts';
import { TokenBucket } from './token-bucket.ts';

/**
 * Buckets for failed authentication, one per source block and route (docs/spec/routes.md#rate-limit): a guesser runs
 * out of attempts without slowing down a valid key. At most `max` are kept; the least recently used is removed first.
 */
export class SourceBuckets {
  readonly #max: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(max: number) {
    this.#max = max;
  }

  bucket(routeId: string, ip: string, rate: number, burst: number, nowMs: number): TokenBucket {
    return this.named(`${sourceBlock(ip)} ${routeId}`, rate, burst, nowMs);
  }

  /** For holders that are not source blocks. */
  named(id: string, rate: number, burst: number, nowMs: number): TokenBucket {
    const known = this.#buckets.get(id);
    const bucket = known?.rate === rate && known.burst === burst ? known : new TokenBucket(rate, burst, nowMs);
    this.#buckets.delete(id);
    this.#buckets.set(id, bucket);
    if (this.#buckets.size > this.#max) this.#evict();
    return bucket;
  }

  #evict(): void {
    for (const id of this.#buckets.keys()) {
      this.#buckets.delete(id);
      return;
    }
  }
}
