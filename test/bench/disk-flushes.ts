import { readFileSync, statSync } from 'node:fs';

/** Field 19 of /proc/diskstats (Linux 5.5): flush requests that the disk has completed. */
const FLUSHES_FIELD = 18;

/**
 * Counts the flushes of the disk of a folder, including those of other programs; null if the kernel does not report
 * them.
 */
export function createFlushCounter(folder: string): () => number | null {
  const { dev } = statSync(folder);
  const major = (dev >> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
  return () => {
    const line = diskStats().find(([a, b]) => a === String(major) && b === String(minor));
    const flushes = Number(line?.[FLUSHES_FIELD]);
    return Number.isFinite(flushes) ? flushes : null;
  };
}

function diskStats(): string[][] {
  try {
    const text = readFileSync('/proc/diskstats', 'utf8');
    return text.split('\n').map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}
