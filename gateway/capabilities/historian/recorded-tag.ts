import type { TagDefinition, TagValue } from '#common/model/tag.ts';
import { BAD, type Encoded, encode, isBad, isNumber } from './form.ts';
import { CLOCK_AHEAD_MS_MAX } from './limits.ts';
import type { SeriesRef } from './writer/point-queue.ts';

export type HistorySettings = NonNullable<TagDefinition['history']>;

/** Records a point; false if that is not possible now. */
export type PutPoint = (series: SeriesRef, time: number, encoded: Encoded) => boolean;

interface Point {
  readonly time: number;
  readonly encoded: Encoded;
}

/**
 * Decides which samples of one tag become points: a change beyond the deadband, each change of quality or type, an
 * older sample that arrives late, and the current value once `maxInterval` has passed since the last point.
 *
 * A point has the time of its source. If the tag became bad or good again but its source time has not changed (a
 * disconnected device keeps its last time, also after it reconnects), the sample gets the time of arrival. Otherwise
 * the bad period would overwrite the last good point. Values that could not be recorded (queue full, disk full) show as
 * a bad point as soon as recording resumes.
 */
export class RecordedTag {
  readonly series: SeriesRef;
  history: HistorySettings;
  /** False once the tag is no longer recorded. */
  active = true;
  /** Counts its entries in the timer wheel; only the newest is valid. */
  turn = 0;
  #latest: Point | null = null;
  #recorded: Point | null = null;
  /** By the gateway's clock; a first point that was older counts from its own time. */
  #recordedAt: number | null = null;
  #gapFrom: number | null = null;

  constructor(series: SeriesRef, history: HistorySettings) {
    this.series = series;
    this.history = history;
  }

  /** True when the last attempt to record it failed. */
  get held(): boolean {
    return this.#gapFrom !== null && this.#recordedAt === null;
  }

  take(value: TagValue, now: number, put: PutPoint): void {
    const point = this.#placed(value, now);
    if (this.#latest !== null && point.time < this.#latest.time) return void this.#put(point, put);
    this.#latest = point;
    if (this.#differs(point)) this.#record(point, now, put);
  }

  /** Records the current value when it is due; returns the time of the next check. */
  due(now: number, put: PutPoint): number {
    const dueAt = this.#dueAt(now);
    if (dueAt > now || this.#latest === null) return dueAt;
    const time = Math.max(now, this.#latest.time);
    this.#record({ time, encoded: this.#latest.encoded }, now, put);
    return Math.max(this.#dueAt(now), now + 1);
  }

  #dueAt(now: number): number {
    if (this.#recordedAt === null) return now;
    const intervalMs = this.history.maxInterval * 1_000;
    // The clock was set back: that must not delay the next point by the same amount.
    return this.#recordedAt > now ? now : this.#recordedAt + intervalMs;
  }

  #placed(value: TagValue, now: number): Point {
    const encoded = encode(value.value, value.quality);
    const source = value.time === null ? Number.NaN : Date.parse(value.time);
    const time = source <= now + CLOCK_AHEAD_MS_MAX && source >= 0 ? source : now;
    const latest = this.#latest;
    if (latest === null || time > latest.time) return { time, encoded };
    const bad = isBad(encoded.form);
    const wasBad = isBad(latest.encoded.form);
    if (bad && wasBad) return latest;
    return { time: bad === wasBad ? time : Math.max(now, latest.time + 1), encoded };
  }

  #differs(point: Point): boolean {
    const last = this.#recorded;
    if (last === null) return true;
    const { form, stored } = point.encoded;
    if (form !== last.encoded.form) return true;
    if (stored !== last.encoded.stored && (point.time === last.time || !isNumber(form))) return true;
    if (point.time - last.time >= this.history.maxInterval * 1_000) return true;
    return isNumber(form) && Math.abs(Number(stored) - Number(last.encoded.stored)) > this.history.deadband;
  }

  #record(point: Point, now: number, put: PutPoint): void {
    if (!this.#put(point, put)) return;
    this.#recordedAt = this.#recordedAt === null ? Math.min(point.time, now) : now;
    this.#recorded = point;
  }

  #put(point: Point, put: PutPoint): boolean {
    this.#showGap(point.time, put);
    if (put(this.series, point.time, point.encoded)) return true;
    // The next sample is recorded regardless of the deadband.
    this.#gapFrom = Math.min(point.time, this.#gapFrom ?? Infinity);
    this.#recorded = null;
    this.#recordedAt = null;
    return false;
  }

  #showGap(before: number, put: PutPoint): void {
    if (this.#gapFrom === null || before < this.#gapFrom) return;
    if (before === this.#gapFrom || put(this.series, this.#gapFrom, BAD)) this.#gapFrom = null;
  }
}
