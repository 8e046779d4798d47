import type { Counts } from './counts.ts';
import { BUCKETS, bucketOf } from './log-buckets.ts';

/** Counts times as they are measured. Only the buckets between the shortest and the longest are read. */
export class Histogram {
  readonly #row = new Uint32Array(BUCKETS);
  #low = BUCKETS;
  #high = -1;

  add(ms: number): void {
    const bucket = bucketOf(ms);
    this.#row[bucket] = (this.#row[bucket] ?? 0) + 1;
    if (bucket < this.#low) this.#low = bucket;
    if (bucket > this.#high) this.#high = bucket;
  }

  /** Returns the counts since the last call and resets them. */
  take(): Counts {
    const counts: number[] = [];
    for (let bucket = this.#low; bucket <= this.#high; bucket++) {
      const count = this.#row[bucket] ?? 0;
      if (count === 0) continue;
      counts.push(bucket, count);
      this.#row[bucket] = 0;
    }
    this.#low = BUCKETS;
    this.#high = -1;
    return counts;
  }
}
