import type { Counts } from '#common/traffic/counts.ts';

/** Counts as bytes: the bucket (one byte), then the count, seven bits per byte, the lowest first (LEB128). */
export function countsToBlob(counts: Counts): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < counts.length; i += 2) {
    bytes.push(counts[i] ?? 0);
    let count = counts[i + 1] ?? 0;
    while (count >= 128) {
      bytes.push((count % 128) + 128);
      count = Math.floor(count / 128);
    }
    bytes.push(count);
  }
  return Uint8Array.from(bytes);
}

/** Incomplete entries are omitted. */
export function countsFromBlob(bytes: Uint8Array): Counts {
  const counts: number[] = [];
  for (let i = 0; i < bytes.length;) {
    const bucket = bytes[i++] ?? 0;
    let count = 0;
    for (let factor = 1; i < bytes.length; factor *= 128) {
      const byte = bytes[i++] ?? 0;
      count += (byte % 128) * factor;
      if (byte < 128) break;
    }
    counts.push(bucket, count);
  }
  return counts;
}
