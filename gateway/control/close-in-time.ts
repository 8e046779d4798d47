import type { Logger } from '#common/node/log.ts';

/** Components by their name in the log. */
type Closes = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Closes group after group, the components of one group in parallel. A component that has not closed after `ms` is
 * named in the log and abandoned, together with the groups after it: the process is about to end, and its journal still
 * has to be closed.
 */
export async function closeInTime(ms: number, groups: readonly Closes[], log: Logger): Promise<void> {
  const open = new Set(groups.flatMap((group) => Object.keys(group)));
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([closeAll(groups, open, log), late.promise]);
  clearTimeout(timer);
  if (open.size > 0) log.warn('not everything closed in time', { open: [...open], afterMs: ms });
}

async function closeAll(groups: readonly Closes[], open: Set<string>, log: Logger): Promise<void> {
  const closed = async ([part, close]: [string, () => Promise<unknown>]) => {
    try {
      await close();
    } catch (error) {
      log.error('a part did not close', { part, reason: error instanceof Error ? error.message : 'unknown' });
    }
    open.delete(part);
  };
  for (const group of groups) await Promise.all(Object.entries(group).map(closed));
}
