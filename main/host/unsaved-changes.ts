import { type ErrorCode, SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';

/**
 * Changes that only take rights away (a revocation, a stop, a deactivation) and that could not be saved, such as on a
 * full disk. Each is in force already, in this process and in the gateway. It is saved again and again until it is
 * saved, or until nothing is left to save because what it was about has been deleted.
 *
 * Limits: one change per `id`, so there are never more than there are keys, pipelines and users. One attempt at a
 * time, one round after `RETRY_MS`, then after twice as long each time up to `RETRY_MS_MAX`: each attempt writes rows
 * into a journal that may be the one thing that can be written.
 * Known weakness: held in memory alone, so a restart of the host before it is saved undoes it. The caller's error and
 * the alarm `changes_unsaved` say so.
 */
export const RETRY_MS = 5_000;
export const RETRY_MS_MAX = 60_000;

export interface UnsavedChange {
  /** What it is about, such as `key k1`; a second change of the same id takes the first one's place. */
  readonly id: string;
  /** In a sentence: `the revocation of the key "MES"`. */
  readonly what: string;
  /** Saves it; throws while that cannot be done. */
  save(): Promise<unknown>;
  /** Takes it back in this process: it was refused, so nothing is left to save. */
  release(): void;
}

export interface UnsavedChanges {
  keep(change: UnsavedChange): void;
  /** It was saved in another way, or taken back. */
  drop(id: string): void;
  has(id: string): boolean;
  /** Oldest first. */
  list(): readonly UnsavedChange[];
  /** One round now. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

export function createUnsavedChanges(log: Logger, onChange: () => void = () => {}): UnsavedChanges {
  const changes = new Map<string, UnsavedChange>();
  let round: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  let waitMs = RETRY_MS;

  function drop(id: string): void {
    if (changes.delete(id)) onChange();
    if (changes.size === 0) stopWaiting();
  }

  function stopWaiting(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    waitMs = RETRY_MS;
  }

  function waitForRound(): void {
    timer ??= setTimeout(() => {
      timer = null;
      waitMs = Math.min(waitMs * 2, RETRY_MS_MAX);
      void retry().then(() => changes.size > 0 && !closed && waitForRound());
    }, waitMs).unref();
  }

  async function saveAll(): Promise<void> {
    for (const change of changes.values()) {
      try {
        await change.save();
        log.info('a change that could not be saved is saved now', { change: change.what });
      } catch (error) {
        // The others would wait for the journal as long as this one did, also while Sluice stops.
        if (error instanceof SluiceError && error.code === 'audit_unavailable') return;
        if (cannotBeSaved(error)) continue;
        log.warn('a change is not saved, because there is nothing left to save', { change: change.what, error });
        change.release();
      }
      if (changes.get(change.id) === change) drop(change.id);
    }
  }

  function retry(): Promise<void> {
    return (round ??= saveAll().finally(() => {
      round = null;
    }));
  }

  return {
    keep(change) {
      log.error('a change is in force but could not be saved', { change: change.what });
      changes.set(change.id, change);
      waitForRound();
      onChange();
    },
    drop,
    has: (id) => changes.has(id),
    list: () => [...changes.values()],
    retry,
    async close() {
      closed = true;
      if (changes.size > 0) await retry();
      stopWaiting();
    },
  };
}

const PASSING: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'audit_unavailable', 'overloaded']);

/** The disk, the journal or a queue is in the way; a refusal of the change itself is not meant. */
export function cannotBeSaved(error: unknown): boolean {
  return !(error instanceof SluiceError) || PASSING.has(error.code);
}
