/**
 * Durations and intervals as counts in logarithmic buckets: each is a tenth wider than the one before, so that the
 * middle of a bucket is at most 5 % off. The range is 0.01 ms to about four days; longer times fall into the last
 * bucket.
 */
export const BUCKETS = 256;

const FIRST_MS = 0.01;
const GROWTH = 1.1;
const PER_FACTOR = 1 / Math.log(GROWTH);
const OFFSET = -Math.log(FIRST_MS) * PER_FACTOR;

/** The bucket of a time in milliseconds. Bucket 0 contains everything up to 0.01 ms. */
export function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(BUCKETS - 1, Math.log(ms) * PER_FACTOR + OFFSET + 1) | 0;
}

/** The (geometric) middle of a bucket in milliseconds. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? FIRST_MS : FIRST_MS * GROWTH ** (bucket - 0.5);
}
