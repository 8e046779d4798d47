import { backoffMs } from '#common/backoff.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Slows log-ins down: after 5 failures for a name or a source, the next attempt waits 1 s after the last failure, then
 * 2 s, doubling to 60 s. A quarter of an hour without a failure clears the count; a successful log-in clears that of
 * the name, not that of the source (otherwise an attacker with an account could guess the passwords of others without
 * limit). A name that logged in recently has a separate count at its source instead (log-in-lanes.ts). Times are from a
 * clock that cannot be set (elapsed.ts).
 *
 * Limits: 10,000 names and sources; the least recently used is removed first. Known weakness: continued guesses at a
 * name delay its owner as well, where the name has no lane, by a minute at most.
 */
export const FREE_FAILURES = 5;
const WAIT_MS_MIN = 1_000;
export const WAIT_MS_MAX = 60_000;
export const FORGET_MS = 15 * 60_000;
export const ENTRIES_MAX = 10_000;

export interface Failures {
  /** Throws `login_slowed` while one of the keys has to wait. */
  check(keys: readonly string[]): void;
  add(keys: readonly string[]): void;
  clear(key: string): void;
  clearAll(prefix: string): void;
  readonly size: number;
}

interface Entry {
  count: number;
  lastAt: number;
}

export function createFailures(elapsedMs: () => number, entriesMax = ENTRIES_MAX): Failures {
  const entries = new Map<string, Entry>();
  const current = (key: string): Entry | null => {
    const entry = entries.get(key);
    return entry && elapsedMs() - entry.lastAt < FORGET_MS ? entry : null;
  };
  return {
    check(keys) {
      const waitMs = Math.max(...keys.map((key) => remainingMs(current(key), elapsedMs())));
      if (waitMs <= 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new SluiceError('login_slowed', stated('login_slowed', { seconds }), {
        retryAfterSeconds: seconds,
      });
    },
    add(keys) {
      for (const key of keys) {
        const count = (current(key)?.count ?? 0) + 1;
        entries.delete(key);
        entries.set(key, { count, lastAt: elapsedMs() });
      }
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break;
        entries.delete(oldest);
      }
    },
    clear: (key) => void entries.delete(key),
    clearAll(prefix) {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}

function remainingMs(entry: Entry | null, nowMs: number): number {
  if (entry === null || entry.count < FREE_FAILURES) return 0;
  return entry.lastAt + waitMsAfter(entry.count) - nowMs;
}

/** The delay of the next attempt after this many consecutive failures. */
export function waitMsAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return backoffMs(failures - FREE_FAILURES, { msMin: WAIT_MS_MIN, msMax: WAIT_MS_MAX });
}
