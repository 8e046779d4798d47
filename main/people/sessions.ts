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

export interface Sessions {
  open(userId: string): { cookie: string; entry: SessionEntry };
  find(cookie: string): SessionEntry | null;
  close(cookie: string): void;
  closeOf(userId: string): void;
  readonly size: number;
}

export function createSessions(elapsedMs: () => number): Sessions {
  const entries = new Map<string, SessionEntry>();

  function makeRoom(userId: string): void {
    for (const [key, entry] of entries) if (entry.endsAtMs <= elapsedMs()) entries.delete(key);
    const own = [...entries].filter(([, entry]) => entry.userId === userId).map(([key]) => key);
    for (const key of own.slice(0, Math.max(0, own.length - SESSIONS_PER_USER_MAX + 1))) entries.delete(key);
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= SESSIONS_MAX) entries.delete(oldest);
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
    get size() {
      return entries.size;
    },
  };
}

function digest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64');
}
