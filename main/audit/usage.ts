import fs from 'node:fs';
import { join } from 'node:path';
import type { ChainName } from '#common/model/audit.ts';
import { chainFolder } from '#common/node/journal/format.ts';

export interface JournalUsage {
  /** Bytes of both chains, pruned segments included. */
  bytes: number;
  /** Bytes that today's rate makes in a day. */
  bytesPerDay: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** From the sizes and times of the segments: those touched within the last 24 hours give today's rate. */
export async function usageOf(folder: string, now: number = Date.now()): Promise<JournalUsage> {
  let bytes = 0;
  let recentBytes = 0;
  let since = now;
  for (const chain of ['gateway', 'host'] satisfies ChainName[]) {
    const path = chainFolder(folder, chain);
    for (const name of fs.existsSync(path) ? await fs.promises.readdir(path) : []) {
      const stat = await fs.promises.stat(join(path, name)).catch(() => null);
      if (!stat || !name.endsWith('.jsonl')) continue;
      bytes += stat.size;
      if (stat.mtimeMs < now - DAY_MS || name.includes('.part.')) continue;
      recentBytes += stat.size;
      since = Math.min(since, stat.birthtimeMs || stat.mtimeMs);
    }
  }
  const spanMs = Math.max(60_000, now - since);
  return { bytes, bytesPerDay: Math.round((recentBytes / spanMs) * DAY_MS) };
}
