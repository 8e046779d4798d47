/**
 * Durations and gaps as counts in logarithmic buckets: each is a tenth wider than the one before, so that what is read
 * from a bucket's middle is at most 5 % off. From 0.01 ms to some four days; what is beyond falls into the last one.
 */
export const BUCKETS = 256;

const FIRST_MS = 0.01;
const GROWTH = 1.1;
const PER_FACTOR = 1 / Math.log(GROWTH);
const OFFSET = -Math.log(FIRST_MS) * PER_FACTOR;

/** The bucket of a time in milliseconds. Bucket 0 has everything up to 0.01 ms. */
export function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(BUCKETS - 1, Math.log(ms) * PER_FACTOR + OFFSET + 1) | 0;
}

/** Milliseconds in the (geometric) middle of a bucket. */
export function middleOf(bucket: number): number {
  return bucket === 0 ? FIRST_MS : FIRST_MS * GROWTH ** (bucket - 0.5);
}
