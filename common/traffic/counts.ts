import { BUCKETS, middleOf } from './log-buckets.ts';

/** Counts of the non-empty buckets, as flat pairs: `[bucket, count, bucket, count, …]`. */
export type Counts = readonly number[];

/** The sum of two. */
export function addCounts(a: Counts, b: Counts): Counts {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const sum: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i] ?? BUCKETS;
    const right = b[j] ?? BUCKETS;
    sum.push(Math.min(left, right), (left <= right ? (a[i + 1] ?? 0) : 0) + (right <= left ? (b[j + 1] ?? 0) : 0));
    if (left <= right) i += 2;
    if (right <= left) j += 2;
  }
  return sum;
}

/** The sum of many. */
export function sumCounts(many: readonly Counts[]): Counts {
  if (many.length < 2) return many[0] ?? [];
  const row = new Float64Array(BUCKETS);
  for (const counts of many)
    for (let i = 0; i < counts.length; i += 2) {
      const bucket = counts[i] ?? 0;
      row[bucket] = (row[bucket] ?? 0) + (counts[i + 1] ?? 0);
    }
  const sum: number[] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = row[bucket] ?? 0;
    if (count > 0) sum.push(bucket, count);
  }
  return sum;
}

export function totalOf(counts: Counts): number {
  let total = 0;
  for (let i = 1; i < counts.length; i += 2) total += counts[i] ?? 0;
  return total;
}

/** The time in milliseconds that a share `q` (0 to 1) of all values does not exceed; null without values. */
export function quantileOf(counts: Counts, q: number): number | null {
  const rank = Math.max(1, Math.ceil(q * totalOf(counts)));
  let seen = 0;
  for (let i = 0; i < counts.length; i += 2) {
    seen += counts[i + 1] ?? 0;
    if (seen >= rank) return middleOf(counts[i] ?? 0);
  }
  return null;
}
