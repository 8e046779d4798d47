import { type Excuse, meaningOf } from './acts.ts';
import type { Seen } from './arrivals.ts';
import type { Kill } from './evidence.ts';

/** Why an event arrived again. `the gateway disconnected`: because of its timeout. */
export type DuplicateExcuse = Excuse | 'kill' | 'the gateway disconnected';

/**
 * A delivery is stored within this time after its response; a later kill does not explain a repetition. Generous, for
 * busy machines: the outbox aims at 20 ms, and one commit.
 */
export const WRITTEN_DOWN_MS_MAX = 1000;
/**
 * The gateway disconnects when the node's timeout has passed since it began with the call: on a starved machine, whose
 * timers run before its sockets are read, that may be right after the request arrived or seconds later. A connection
 * whose response it did read is reused, or closed after 4 s of idle time, which is later than this. How often it
 * disconnects is judged separately, by HUNG_UP_SHARE_MAX.
 */
const HUNG_UP_MS_MAX = 3000;
/** Share of all arrivals. Time pressure cannot explain more unread responses than this. */
export const HUNG_UP_SHARE_MAX = 0.03;

/** The reason why `again` arrived after `before`, both of one event; null: there is none. */
export function excuse(before: Seen, again: Seen, kills: readonly Kill[]): DuplicateExcuse | null {
  const { again: meant } = meaningOf(before.act);
  if (meant !== null) return meant;
  if (killBetween(before, again, kills) !== null) return 'kill';
  if (before.ended === null) return null;
  const { atMs, torn } = before.ended;
  if (torn) return atMs - before.answeredAtMs <= WRITTEN_DOWN_MS_MAX ? 'reply unread' : null;
  return atMs - before.atMs <= HUNG_UP_MS_MAX ? 'the gateway disconnected' : null;
}

/** The first kill between both that happened before the earlier delivery had to be on disk. `kills` in their order. */
export function killBetween(before: Seen, again: Seen, kills: readonly Kill[]): Kill | null {
  const kill = kills[firstNotBefore(kills, before.atMs)];
  if (kill === undefined || kill.atMs > again.atMs) return null;
  return kill.atMs - before.answeredAtMs <= WRITTEN_DOWN_MS_MAX ? kill : null;
}

/** Data that was sent before the end may be read after it: a kill counts until its process was gone. */
function firstNotBefore(kills: readonly Kill[], atMs: number): number {
  let low = 0;
  let high = kills.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kills[middle]?.goneAtMs ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
