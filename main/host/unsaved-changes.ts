import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';

/**
 * Changes that only take rights away (a revocation, a stop, a deactivation) and that could not be saved, such as on a
 * full disk. Each is in force already, in this process and in the gateway. It is saved again and again until it is
 * saved, or until nothing is left to save because what it was about has been deleted.
 *
 * Limits: one change per `id`, so there are never more than there are keys, pipelines and users. One attempt at a
 * time, one round every `RETRY_MS`.
 * Known weakness: held in memory alone, so a restart of the host before it is saved undoes it. The caller's error and
 * the alarm `changes_unsaved` say so.
 */
export const RETRY_MS = 5_000;

export interface UnsavedChange {
  /** What it is about, such as `key k1`; a second change of the same id takes the first one's place. */
  readonly id: string;
  /** In a sentence: `the revocation of the key "MES"`. */
  readonly what: string;
  /** Saves it; throws while that cannot be done. */
  save(): Promise<unknown>;
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

  function drop(id: string): void {
    if (changes.delete(id)) onChange();
    if (changes.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  async function saveAll(): Promise<void> {
    for (const change of changes.values()) {
      try {
        await change.save();
        log.info('a change that could not be saved is saved now', { change: change.what });
      } catch (error) {
        if (cannotBeSaved(error)) continue;
        log.warn('a change is not saved, because there is nothing left to save', { change: change.what, error });
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
      timer ??= setInterval(() => void retry(), RETRY_MS).unref();
      onChange();
    },
    drop,
    has: (id) => changes.has(id),
    list: () => [...changes.values()],
    retry,
    async close() {
      if (changes.size > 0) await retry();
      if (timer !== null) clearInterval(timer);
    },
  };
}

/** The disk or the journal is in the way; a refusal of the change itself is not meant. */
export function cannotBeSaved(error: unknown): boolean {
  return !(error instanceof SluiceError) || error.code === 'internal' || error.code === 'audit_unavailable';
}
