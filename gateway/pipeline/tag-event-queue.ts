import type { TagValue } from '#common/model/tag.ts';
import type { Pace } from '../capabilities/pace.ts';
import { addedBytes } from './size.ts';

/** Waiting values above which only the newest of each tag is kept, and their estimated bytes. */
export const VALUES_WAITING_MAX = 10_000;
const BYTES_WAITING_MAX = 32 * 1024 * 1024;
const COMPLAIN_MS_MIN = 10_000;

interface Entry {
  readonly value: TagValue;
  readonly bytes: number;
}

/**
 * The values for one trigger, in order of arrival: delivered immediately while the turn of the event loop has time for
 * their runs, otherwise in later turns.
 *
 * Limits: up to VALUES_WAITING_MAX and BYTES_WAITING_MAX, nothing is omitted. Beyond that, only the newest of each tag
 * is kept, so that a trigger never misses the last value of a tag; the others are counted and reported. The sweep that
 * does so runs again when as many values as it left have been added, so that the cost per value is constant.
 */
export class TagEventQueue {
  readonly #pace: Pace;
  readonly #listener: (value: TagValue) => void;
  readonly #complain: (message: string) => void;
  #waiting: Entry[] = [];
  /**
   * Number of entries in `#waiting` that were already taken: shifting each one would cost time in proportion to the
   * rest.
   */
  #taken = 0;
  #bytes = 0;
  #sweepAt = VALUES_WAITING_MAX;
  #sweepAtBytes = BYTES_WAITING_MAX;
  #leftOut = 0;
  #complainedAt = Number.NEGATIVE_INFINITY;

  /** The listener must not throw. */
  constructor(pace: Pace, listener: (value: TagValue) => void, complain: (message: string) => void) {
    this.#pace = pace;
    this.#listener = listener;
    this.#complain = complain;
  }

  tell(value: TagValue): void {
    if (this.#size === 0 && this.#pace.free) return this.#pace.run(() => this.#listener(value));
    const bytes = Math.min(addedBytes(value.value, null), BYTES_WAITING_MAX);
    this.#waiting.push({ value, bytes });
    this.#bytes += bytes;
    if (this.#size > this.#sweepAt || this.#bytes > this.#sweepAtBytes) this.#sweep();
    this.#pace.later(this.#next);
  }

  /** Returns the number of waiting values. */
  end(): number {
    const left = this.#size;
    this.#pace.forget(this.#next);
    this.#keep([]);
    return left;
  }

  get #size(): number {
    return this.#waiting.length - this.#taken;
  }

  readonly #next = (): void => {
    const entry = this.#waiting[this.#taken];
    if (entry === undefined) return;
    this.#taken += 1;
    this.#bytes -= entry.bytes;
    if (this.#taken * 2 > this.#waiting.length) this.#keep(this.#waiting.slice(this.#taken));
    if (this.#size > 0) this.#pace.later(this.#next);
    this.#listener(entry.value);
  };

  #sweep(): void {
    const before = this.#size;
    const newest = new Map<string, Entry>();
    for (const entry of this.#waiting.slice(this.#taken)) {
      newest.delete(entry.value.path);
      newest.set(entry.value.path, entry);
    }
    this.#keep([...newest.values()]);
    this.#sweepAt = Math.max(VALUES_WAITING_MAX, this.#size * 2);
    this.#sweepAtBytes = Math.max(BYTES_WAITING_MAX, this.#bytes * 2);
    if (this.#size < before) this.#left(before - this.#size);
  }

  #keep(entry: Entry[]): void {
    this.#waiting = entry;
    this.#taken = 0;
    this.#bytes = entry.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #left(count: number): void {
    this.#leftOut += count;
    const now = performance.now();
    if (now - this.#complainedAt < COMPLAIN_MS_MIN) return;
    this.#complainedAt = now;
    this.#complain(
      `${this.#leftOut} values of tags were left out since the start, newer ones of the same tags kept: more came ` +
        'than runs could begin',
    );
  }
}
