import type { EgressBuffer } from '#common/model/egress.ts';
import type { OutboxSettings } from './contract.ts';
import { DISK_LOOK_MS, FULL_IN_SECONDS_MAX } from './limits.ts';
import type { Rates } from './rates.ts';

/**
 * Limits of stored data: those of the settings and the disk reserve (docs/spec/egress.md#buffer). Dead letters count
 * too.
 */
export class BufferGauge {
  events = 0;
  bytes = 0;
  #limits: OutboxSettings;
  readonly #freeBytes: () => number | null;
  #free: number | null = null;
  #lookedMs = -Infinity;
  /** Bytes stored since the disk was checked. */
  #since = 0;

  /** `freeBytes`: of the outbox's disk; null: unknown. */
  constructor(limits: OutboxSettings, freeBytes: () => number | null) {
    this.#limits = limits;
    this.#freeBytes = freeBytes;
  }

  configure(limits: OutboxSettings): void {
    this.#limits = limits;
    this.#lookedMs = -Infinity;
  }

  /** Changes the stored amounts; negative when events are removed. */
  change(events: number, bytes: number): void {
    this.events += events;
    this.bytes += bytes;
    if (bytes > 0) this.#since += bytes;
  }

  /** Why an event of this size may not be stored, in addition to the `waiting` ones; null: it may. */
  refusal(bytes: number, waiting: { events: number; bytes: number }, nowMs: number): string | null {
    const { eventsMax, bytesMax, diskReserveBytes } = this.#limits;
    if (this.events + waiting.events + 1 > eventsMax)
      return `the outbox is full: it holds ${this.events} of ${eventsMax} events`;
    if (this.bytes + waiting.bytes + bytes > bytesMax)
      return `the outbox is full: it holds ${this.bytes} of ${bytesMax} bytes`;
    const free = this.#look(nowMs);
    if (free !== null && free - waiting.bytes - bytes < diskReserveBytes)
      return `the outbox takes no more: the disk has ${free} bytes free, of which ${diskReserveBytes} are kept`;
    return null;
  }

  /** 0 to 1: the higher fill level of events and bytes. */
  get filled(): number {
    return Math.min(1, Math.max(this.events / this.#limits.eventsMax, this.bytes / this.#limits.bytesMax));
  }

  state(rates: Rates, trouble: string | null, nowMs: number): EgressBuffer {
    const { eventsMax, bytesMax, diskReserveBytes } = this.#limits;
    return {
      bytes: this.bytes,
      bytesMax,
      events: this.events,
      eventsMax,
      diskFreeBytes: this.#look(nowMs),
      diskReserveBytes,
      fullInSeconds: this.fullInSeconds(rates, nowMs),
      trouble: trouble ?? this.refusal(0, { events: 0, bytes: 0 }, nowMs),
    };
  }

  /** Seconds until the buffer is full at the rate of the last minute; null if it does not fill. */
  fullInSeconds(rates: Rates, nowMs: number): number | null {
    const { eventsMax, bytesMax, diskReserveBytes } = this.#limits;
    const { bytesPerSecond, eventsPerSecond } = rates.growth(nowMs);
    const free = this.#look(nowMs);
    const bytesLeft = Math.min(bytesMax - this.bytes, free === null ? Infinity : free - diskReserveBytes);
    const times = [
      ...(bytesPerSecond > 0 ? [bytesLeft / bytesPerSecond] : []),
      ...(eventsPerSecond > 0 ? [(eventsMax - this.events) / eventsPerSecond] : []),
    ];
    const seconds = Math.max(0, Math.round(Math.min(...times)));
    return seconds > FULL_IN_SECONDS_MAX ? null : seconds;
  }

  #look(nowMs: number): number | null {
    if (nowMs - this.#lookedMs >= DISK_LOOK_MS) {
      this.#free = this.#freeBytes();
      this.#lookedMs = nowMs;
      this.#since = 0;
    }
    return this.#free === null ? null : this.#free - this.#since;
  }
}
