import type { Clock } from './clock.ts';
import { SETTLE_MS, UNSETTLED_FLUSH, WRITE_RETRY_MS } from './limits.ts';

/**
 * Group commit: writes are collected and committed together, with one fsync.
 *
 * A write with `failed` has a waiting caller: it is committed in the next turn of the event loop, and dropped if that
 * fails. The others (deliveries, attempts, pauses) wait a little for further writes and are kept until they are on
 * disk; each may be applied again after a failure, so it must state the result and not the change.
 */
export interface Write {
  apply(): void;
  committed?(): void;
  /** `text`: plain text for users. */
  failed?(text: string): void;
}

export class GroupWriter {
  readonly #atomically: (work: () => void) => void;
  readonly #clock: Clock;
  #pending: Write[] = [];
  #lasting = 0;
  #soon: NodeJS.Immediate | null = null;
  #cancelLater: (() => void) | null = null;
  #trouble: string | null = null;
  readonly #onTrouble: (text: string | null) => void;

  constructor(
    atomically: (work: () => void) => void,
    clock: Clock,
    onTrouble: (text: string | null) => void = () => undefined,
  ) {
    this.#atomically = atomically;
    this.#clock = clock;
    this.#onTrouble = onTrouble;
  }

  /** Writes without a waiter that are not on disk. */
  get unsettled(): number {
    return this.#lasting;
  }

  /** Why the last commit failed; null: it succeeded. */
  get trouble(): string | null {
    return this.#trouble;
  }

  add(write: Write): void {
    this.#pending.push(write);
    if (write.failed !== undefined) return this.#flushSoon();
    this.#lasting += 1;
    if (this.#lasting >= UNSETTLED_FLUSH && this.#trouble === null) this.#flushSoon();
    else this.#cancelLater ??= this.#clock.after(SETTLE_MS, () => this.flush());
  }

  /** Commits the collected writes. False if that failed. */
  flush(): boolean {
    this.#disarm();
    if (this.#pending.length === 0) return true;
    const batch = this.#pending;
    this.#pending = [];
    try {
      this.#atomically(() => batch.forEach((write) => write.apply()));
    } catch (error) {
      this.#undone(batch, error);
      return false;
    }
    this.#lasting = this.#pending.filter(({ failed }) => failed === undefined).length;
    this.#tell(null);
    for (const write of batch) write.committed?.();
    return true;
  }

  close(): void {
    this.#disarm();
  }

  #undone(batch: readonly Write[], error: unknown): void {
    const text = reason(error);
    this.#tell(text);
    this.#pending = [...batch.filter(({ failed }) => failed === undefined), ...this.#pending];
    for (const write of batch) write.failed?.(text);
    this.#lasting = this.#pending.filter(({ failed }) => failed === undefined).length;
    if (this.#pending.length > 0) this.#cancelLater ??= this.#clock.after(WRITE_RETRY_MS, () => this.flush());
  }

  #tell(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#onTrouble(trouble);
  }

  #flushSoon(): void {
    this.#soon ??= setImmediate(() => this.flush());
  }

  #disarm(): void {
    if (this.#soon !== null) clearImmediate(this.#soon);
    this.#soon = null;
    this.#cancelLater?.();
    this.#cancelLater = null;
  }
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `the outbox cannot be written: ${text}`;
}
