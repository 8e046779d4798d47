import { createHash, randomBytes } from 'node:crypto';

/**
 * Sessions of people, in memory alone: a restart logs everybody out. The cookie's value is 256 random bits; only its
 * SHA-256 is kept, so that neither a look-up's timing nor a memory image gives it away. Times are of a clock that nobody
 * can set (elapsed.ts).
 *
 * Limits: 12 h each, 32 per user and 1,000 in all; past that the oldest (of the user, else of all) ends.
 */
export const SESSION_MS = 12 * 60 * 60_000;
export const SESSIONS_PER_USER_MAX = 32;
export const SESSIONS_MAX = 1000;

export interface SessionEntry {
  readonly userId: string;
  readonly csrfToken: string;
  readonly endsAtMs: number;
}

/** `expired`: after SESSION_MS; `displaced`: by a newer one, past the limits. */
export type SessionEndCause = 'expired' | 'displaced';

export interface Sessions {
  open(userId: string): { cookie: string; entry: SessionEntry };
  find(cookie: string): SessionEntry | null;
  close(cookie: string): void;
  closeOf(userId: string): void;
  /** Ends those whose time is over. `find` finds none of them before that either. */
  endExpired(): void;
  readonly size: number;
}

/** `onEnd` hears of sessions that nobody ended. */
export function createSessions(
  elapsedMs: () => number,
  onEnd: (userId: string, cause: SessionEndCause) => void = () => {},
): Sessions {
  const entries = new Map<string, SessionEntry>();

  function end(key: string, cause: SessionEndCause): void {
    const entry = entries.get(key);
    entries.delete(key);
    if (entry) onEnd(entry.userId, cause);
  }

  function endExpired(): void {
    for (const [key, entry] of entries) if (entry.endsAtMs <= elapsedMs()) end(key, 'expired');
  }

  function makeRoom(userId: string): void {
    endExpired();
    const own = [...entries].filter(([, entry]) => entry.userId === userId).map(([key]) => key);
    for (const key of own.slice(0, Math.max(0, own.length - SESSIONS_PER_USER_MAX + 1))) end(key, 'displaced');
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= SESSIONS_MAX) end(oldest, 'displaced');
  }

  return {
    open(userId) {
      makeRoom(userId);
      const cookie = randomBytes(32).toString('base64url');
      const entry = { userId, csrfToken: randomBytes(32).toString('base64url'), endsAtMs: elapsedMs() + SESSION_MS };
      entries.set(digest(cookie), entry);
      return { cookie, entry };
    },
    find(cookie) {
      const entry = entries.get(digest(cookie));
      return entry && entry.endsAtMs > elapsedMs() ? entry : null;
    },
    close: (cookie) => void entries.delete(digest(cookie)),
    closeOf(userId) {
      for (const [key, entry] of entries) if (entry.userId === userId) entries.delete(key);
    },
    endExpired,
    get size() {
      return entries.size;
    },
  };
}

function digest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64');
}
