import type { Presence } from '#common/contract/presence.ts';

/**
 * The users who have a pipeline open in the editor (docs/spec/ui.md#several-users). Kept in memory only: after a restart the
 * windows report themselves again.
 *
 * Limits: 16 windows of a user and 256 in all; beyond that, the window with the oldest report is removed.
 */
export const PRESENCE_MS = 30_000;
export const WINDOWS_PER_USER_MAX = 16;
export const WINDOWS_MAX = 256;

/** One editor window. */
export interface EditorWindow {
  readonly place: string;
  readonly window: string;
  readonly user: { readonly id: string; readonly name: string };
}

interface Entry extends EditorWindow {
  readonly since: string;
  readonly seenMs: number;
}

interface Clocks {
  now: () => number;
  /** Milliseconds of a monotonic clock. */
  elapsedMs: () => number;
}

const CLOCKS: Clocks = { now: Date.now, elapsedMs: () => performance.now() };

export class OpenWindows {
  /** By user and window; the longest silent one first. */
  readonly #entries = new Map<string, Entry>();
  readonly #clocks: Clocks;

  constructor(clocks: Clocks = CLOCKS) {
    this.#clocks = clocks;
  }

  /** Returns the pipelines whose list of users has changed. */
  stay(open: EditorWindow): string[] {
    const left = this.#dropSilent();
    const key = keyOf(open);
    const before = this.#entries.get(key);
    const isHere = before?.place === open.place;
    const since = isHere ? before.since : new Date(this.#clocks.now()).toISOString();
    this.#entries.delete(key);
    this.#entries.set(key, { ...open, since, seenMs: this.#clocks.elapsedMs() });
    if (isHere) return left;
    const moved = before === undefined ? [] : [before.place];
    return [...left, open.place, ...moved, ...this.#dropSurplus(open.user.id)];
  }

  /** Returns whether it was there. */
  leave(open: EditorWindow): boolean {
    if (this.#entries.get(keyOf(open))?.place !== open.place) return false;
    return this.#entries.delete(keyOf(open));
  }

  /** Users with other windows at the same place, the longest first; each user once. */
  others({ place, window, user }: EditorWindow): Presence[] {
    this.#dropSilent();
    const byUser = new Map<string, Entry>();
    for (const entry of this.#entries.values()) {
      const isOther = entry.place === place && (entry.window !== window || entry.user.id !== user.id);
      const first = byUser.get(entry.user.id);
      if (isOther && (first === undefined || entry.since < first.since)) byUser.set(entry.user.id, entry);
    }
    return [...byUser.values()]
      .map(({ user: { id, name }, since }) => ({ name, since, own: id === user.id }))
      .toSorted((a, b) => a.since.localeCompare(b.since) || a.name.localeCompare(b.name));
  }

  get size(): number {
    return this.#entries.size;
  }

  #dropSilent(): string[] {
    const oldestMs = this.#clocks.elapsedMs() - PRESENCE_MS;
    return this.#drop([...this.#entries.values()].filter(({ seenMs }) => seenMs <= oldestMs));
  }

  #dropSurplus(userId: string): string[] {
    const own = [...this.#entries.values()].filter(({ user }) => user.id === userId);
    const left = this.#drop(own.slice(0, Math.max(0, own.length - WINDOWS_PER_USER_MAX)));
    return [...left, ...this.#drop([...this.#entries.values()].slice(0, Math.max(0, this.size - WINDOWS_MAX)))];
  }

  #drop(entries: readonly Entry[]): string[] {
    for (const entry of entries) this.#entries.delete(keyOf(entry));
    return entries.map(({ place }) => place);
  }
}

const keyOf = ({ user, window }: EditorWindow) => `${user.id} ${window}`;
