import { type ErrorCode, SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { type HeldFile, NO_HELD_FILE } from './held-file.ts';

/**
 * Changes that only take rights away (a revocation, a stop, fewer rights of a person) and that could not be saved, such
 * as on a full disk. Each is in force already, in this process and in the gateway. It is tried again and again until it
 * is saved, or until nothing is left to save because what it was about has been deleted. Over a restart they are in the
 * held file (held-file.ts), from where the admin API puts them into force before the gateway starts.
 *
 * Limits: one change per `id`, so there are never more than there are keys, pipelines and users. One attempt at a
 * time, one round after `RETRY_MS`, then after twice as long each time up to `RETRY_MS_MAX`: each attempt writes rows
 * into a journal that may be the one thing that can be written.
 * Where the held file cannot be written, a restart of the host undoes them; the caller's error and the alarm
 * `changes_unsaved` say so.
 */
export const RETRY_MS = 5_000;
export const RETRY_MS_MAX = 60_000;

export interface UnsavedChange {
  /** The subject, such as `key k1`; a second change of the same id replaces the first. */
  readonly id: string;
  /** In a sentence: `the revocation of the key "MES"`. */
  readonly what: string;
  /** The same in German. */
  readonly german: string;
  /** JSON, from which it is created again after a restart. */
  readonly record: object;
  /** Saves it; throws while that cannot be done. */
  save(): Promise<unknown>;
  /** Takes it back in this process: it was refused, so nothing is left to save. */
  release(): void;
}

export interface UnsavedChanges {
  /** False when a restart undoes it. */
  keep(change: UnsavedChange): boolean;
  /** Records of an earlier host, which may be of another release. */
  readonly earlier: readonly unknown[];
  /** Whether all of them are kept over a restart. */
  readonly survive: boolean;
  /** It was saved in another way, or taken back. */
  drop(id: string): void;
  has(id: string): boolean;
  /** Oldest first. */
  list(): readonly UnsavedChange[];
  /** One round now. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

export function createUnsavedChanges(
  log: Logger,
  onChange: () => void = () => {},
  file: HeldFile = NO_HELD_FILE,
): UnsavedChanges {
  const changes = new Map<string, UnsavedChange>();
  let round: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let waitMs = RETRY_MS;
  let survive = true;

  function store(): void {
    survive = file.write([...changes.values()].map(({ record }) => record));
    onChange();
  }

  function drop(id: string): void {
    if (changes.delete(id)) store();
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
      store();
      return survive;
    },
    earlier: file.records,
    get survive() {
      return survive;
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
