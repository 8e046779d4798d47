import { createHash, randomBytes } from 'node:crypto';

/**
 * Sessions of users, only in memory: a restart logs everyone out. The value of the cookie is 256 random bits; only its
 * SHA-256 is kept, so that neither the timing of a lookup nor a memory image reveals it. Times are from a clock that
 * cannot be set (elapsed.ts).
 *
 * Limits: 12 h each, 32 per user and 1,000 in total; beyond that the oldest (of the user, or of all) ends.
 */
export const SESSION_MS = 12 * 60 * 60_000;
export const SESSIONS_PER_USER_MAX = 32;
export const SESSIONS_MAX = 1000;

export interface SessionEntry {
  readonly userId: string;
  readonly csrfToken: string;
  readonly endsAtMs: number;
}

/** `expired`: after SESSION_MS; `displaced`: by a newer one, because of the limits. */
export type SessionEndCause = 'expired' | 'displaced';

export interface Sessions {
  open(userId: string): { cookie: string; entry: SessionEntry };
  find(cookie: string): SessionEntry | null;
  close(cookie: string): void;
  closeOf(userId: string): void;
  /** Ends expired sessions. `find` ignores them before that in any case. */
  endExpired(): void;
  readonly size: number;
}

/** `onEnd` is called for sessions that ended automatically. */
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
