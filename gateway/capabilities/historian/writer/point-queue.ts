import type { Encoded } from '../form.ts';
import { BATCH_POINTS_MAX, QUEUE_CHARS_MAX, QUEUE_POINTS_MAX } from '../limits.ts';
import type { PointBatch, SeriesName } from './messages.ts';

/**
 * A series as used by the recorder; `gone` once its project is deleted, so that none of its points is written any more.
 */
export interface SeriesRef extends SeriesName {
  readonly project: string;
  readonly path: string;
  unit: string;
  gone: boolean;
}

interface QueuedPoint {
  readonly series: SeriesRef;
  readonly time: number;
  readonly encoded: Encoded;
}

/**
 * Points that wait for the writer, oldest first. A full queue refuses points: the recorder shows a gap and tries again
 * later.
 */
export class PointQueue {
  #waiting: QueuedPoint[] = [];
  /** Passed to the writer, not yet on disk. */
  #sent: readonly QueuedPoint[] = [];
  #chars = 0;
  readonly #pointsMax: number;

  constructor(pointsMax = QUEUE_POINTS_MAX) {
    this.#pointsMax = pointsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get empty(): boolean {
    return this.#waiting.length === 0 && this.#sent.length === 0;
  }

  get underWay(): boolean {
    return this.#sent.length > 0;
  }

  /** False if the queue is full. */
  add(series: SeriesRef, time: number, encoded: Encoded): boolean {
    const chars = charsOf(encoded);
    if (this.#waiting.length + this.#sent.length >= this.#pointsMax || this.#chars + chars > QUEUE_CHARS_MAX)
      return false;
    this.#waiting.push({ series, time, encoded });
    this.#chars += chars;
    return true;
  }

  /** The next batch, kept until `written`; null if no points wait. One at a time. */
  take(): PointBatch | null {
    if (this.underWay) throw new Error('a batch is under way already');
    const taken = this.#waiting.splice(0, BATCH_POINTS_MAX);
    this.#sent = taken.filter(({ series }) => !series.gone);
    this.#chars -= charsOfAll(taken) - charsOfAll(this.#sent);
    if (this.#sent.length === 0) return this.#waiting.length > 0 ? this.take() : null;
    return columns(this.#sent);
  }

  written(): void {
    this.#chars -= charsOfAll(this.#sent);
    this.#sent = [];
  }

  /** The batch was not written: it becomes the next one again. */
  failed(): void {
    this.#waiting = [...this.#sent, ...this.#waiting];
    this.#sent = [];
  }
}

function columns(points: readonly QueuedPoint[]): PointBatch {
  const places = new Map<SeriesRef, number>();
  const series = points.map(({ series }) => {
    const place = places.get(series) ?? places.size;
    places.set(series, place);
    return place;
  });
  return {
    names: [...places.keys()].map(({ project, path, unit }) => ({ project, path, unit })),
    series,
    times: points.map(({ time }) => time),
    forms: points.map(({ encoded }) => encoded.form),
    values: points.map(({ encoded }) => encoded.stored),
  };
}

function charsOfAll(points: readonly QueuedPoint[]): number {
  return points.reduce((sum, { encoded }) => sum + charsOf(encoded), 0);
}

function charsOf({ stored }: Encoded): number {
  return typeof stored === 'string' ? stored.length : 0;
}
