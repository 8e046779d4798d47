import { inEnglish, type Phrase } from '#common/alarms/phrase.ts';
import { clip } from '#common/clip.ts';
import { type ErrorCode, SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import { type HeldFile, NO_HELD_FILE } from './held-file.ts';

/**
 * Changes that only remove rights (a revocation, a stop, fewer rights of a user) and that could not be saved, such as
 * on a full disk. Each is already in effect, in this process and in the gateway. It is retried until it is saved, or
 * until there is nothing to save because its subject has been deleted. They are kept across a restart in the held file
 * (held-file.ts), from which the admin API applies them before the gateway starts.
 *
 * Limits: one change per `id`, so there are never more than there are keys, pipelines and users. One attempt at a time,
 * one round after `RETRY_MS`, then after twice as long each time up to `RETRY_MS_MAX`: each attempt writes rows to a
 * journal, possibly the only file that can still be written. If the held file cannot be written, a restart of the host
 * undoes them; the error of the call and the alarm `changes_unsaved` report this.
 */
export const RETRY_MS = 5_000;
export const RETRY_MS_MAX = 60_000;
/** Bytes kept of unreadable records in the held file; further ones are only logged. */
const UNREADABLE_BYTES_MAX = 16 * 1024;
const NAMED_CHARS_MAX = 500;

export interface UnsavedChange {
  /** The subject, such as `key k1`; a second change with the same ID replaces the first. */
  readonly id: string;
  /** Restrictions are numbered in the order of their requests; 0 for those of an earlier host. */
  readonly begun: number;
  /** The change as part of a sentence, such as `the revocation of the key "MES"`. */
  readonly what: Phrase;
  /** JSON from which the change is restored after a restart. */
  readonly record: object;
  /** Saves it; throws if it cannot be saved yet. */
  save(): Promise<unknown>;
  /** Called when it is no longer held: it was saved, replaced or refused. */
  release(): void;
}

export interface UnsavedChanges {
  keep(change: UnsavedChange): void;
  /**
   * Calls `take` with each record of an earlier host, possibly of another release. The file is written once, after the
   * last one. Records for which `take` returns false stay in the file.
   */
  takeUp(take: (record: unknown) => boolean): void;
  /** Records in the file that this release cannot read, so that they are not in effect. */
  readonly unreadable: number;
  /** A user continues without them. False if there are none. */
  forgetUnreadable(): boolean;
  /** Whether all of them are kept across a restart. */
  readonly survive: boolean;
  /** It was saved in another way, or reversed. A change that began after the number `upTo` stays. */
  drop(id: string, upTo?: number): void;
  has(id: string): boolean;
  get(id: string): UnsavedChange | undefined;
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
  const rounds = createRounds(() => retry().then(() => changes.size > 0));
  let survive = true;
  let takingUp = false;
  let unreadable: readonly unknown[] = [];

  function store(): void {
    if (takingUp) return;
    survive = file.write([...unreadable, ...[...changes.values()].map(({ record }) => record)]);
    onChange();
  }

  function drop(id: string, upTo = Infinity): void {
    const change = changes.get(id);
    if (change === undefined || change.begun > upTo) return;
    changes.delete(id);
    change.release();
    store();
    if (changes.size === 0) rounds.stop();
  }

  function takeUp(take: (record: unknown) => boolean): void {
    if (file.records.length === 0) return;
    takingUp = true;
    try {
      unreadable = boundedRecords(
        file.records.filter((record) => !take(record)),
        log,
      );
    } finally {
      takingUp = false;
    }
    store();
  }

  async function saveAll(): Promise<void> {
    for (const change of changes.values()) {
      try {
        await change.save();
        log.info('a change that could not be saved is saved now', { change: inEnglish(change.what) });
      } catch (error) {
        // The others would wait for the journal as long as this one, even while Sluice stops.
        if (error instanceof SluiceError && error.code === 'audit_unavailable') return;
        if (cannotBeSaved(error)) continue;
        log.warn('a change is not saved, because there is nothing left to save', {
          change: inEnglish(change.what),
          error,
        });
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
      log.error('a change is in force but could not be saved', { change: inEnglish(change.what) });
      changes.set(change.id, change);
      rounds.start();
      store();
    },
    takeUp,
    get unreadable() {
      return unreadable.length;
    },
    forgetUnreadable() {
      if (unreadable.length === 0) return false;
      unreadable = [];
      store();
      return true;
    },
    get survive() {
      return survive;
    },
    drop,
    has: (id) => changes.has(id),
    get: (id) => changes.get(id),
    list: () => [...changes.values()],
    retry,
    async close() {
      rounds.close();
      if (changes.size > 0) await retry();
    },
  };
}

/** One round after RETRY_MS, then after twice as long each time. `run` resolves with true if another one is needed. */
function createRounds(run: () => Promise<boolean>): { start(): void; stop(): void; close(): void } {
  let timer: NodeJS.Timeout | null = null;
  let waitMs = RETRY_MS;
  let closed = false;

  function start(): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = null;
      waitMs = Math.min(waitMs * 2, RETRY_MS_MAX);
      void run().then((again) => again && start());
    }, waitMs).unref();
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    waitMs = RETRY_MS;
  }

  return {
    start,
    stop,
    close() {
      closed = true;
      stop();
    },
  };
}

/** Each record is named in the log, so that a user can make the change again. */
function boundedRecords(records: readonly unknown[], log: Logger): unknown[] {
  let bytes = 0;
  return records.filter((record) => {
    const text = JSON.stringify(record);
    bytes += Buffer.byteLength(text);
    const isKept = bytes <= UNREADABLE_BYTES_MAX;
    const details = { record: clip(text, NAMED_CHARS_MAX), isKept };
    log.error('a change of another release of Sluice cannot be read and is not in force', details);
    return isKept;
  });
}

const PASSING: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'audit_unavailable', 'overloaded']);

/** Caused by the disk, the journal or a queue, and not by the change itself. */
export function cannotBeSaved(error: unknown): boolean {
  return !(error instanceof SluiceError) || PASSING.has(error.code);
}
