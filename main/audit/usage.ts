import fs from 'node:fs';
import { join } from 'node:path';
import type { ChainName } from '#common/model/audit.ts';
import { chainFolder, partName, segmentName } from '#common/node/journal/format.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import type { JournalUsage } from '../contracts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** These bytes contain the header of a segment, or the first row of a pruned one. */
const HEAD_BYTES = 16 * 1024;
const FIRST_TIME = /"time":"([^"]{24})"/;

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
  const oldest = (await Promise.all([oldestIn(folder, 'gateway'), oldestIn(folder, 'host')])).filter(
    (at) => at !== null,
  );
  return { bytes, bytesPerDay: Math.round((recentBytes / spanMs) * DAY_MS), oldest: oldest.toSorted()[0] ?? null };
}

/** The time of the oldest row of the chain, including pruned ones; null if nothing can be read. */
async function oldestIn(folder: string, chain: ChainName): Promise<string | null> {
  const path = chainFolder(folder, chain);
  const { whole, pruned } = segmentNumbers(path);
  const names = [...whole.slice(0, 1).map(segmentName), ...pruned.slice(0, 1).map(partName)];
  const times = await Promise.all(names.map((name) => firstTime(join(path, name))));
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}

async function firstTime(file: string): Promise<string | null> {
  const handle = await fs.promises.open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return FIRST_TIME.exec(buffer.toString('utf8', 0, bytesRead))?.[1] ?? null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
