import type { KeyTrafficRange, TrafficRange } from '#common/model/traffic.ts';
import { Level } from './level.ts';
import { ALL, isKeySeries, type Tally } from './tally.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limit of series; further ones count only in the total. */
export const SERIES_MAX = 20_000;

interface RangePlan {
  /** Levels that supply counts and durations. */
  readonly counts: Level;
  readonly times: Level;
  /** For the chart of all routes and the chart of one route. */
  readonly chart: Level;
  readonly chartFold: number;
  readonly routeFold: number;
}

/** The same traffic in steps of several lengths, each as long as a range or a figure needs. */
export class Levels {
  readonly fine = new Level(5_000, 180, false);
  readonly minute = new Level(MINUTE_MS, 15, true);
  /** Only for keys: a rotation is watched minute by minute. */
  readonly keyMinute = new Level(MINUTE_MS, 120, false);
  readonly five = new Level(5 * MINUTE_MS, 96, false);
  readonly quarter = new Level(15 * MINUTE_MS, 32, true);
  readonly hour = new Level(HOUR_MS, 168, true);
  readonly sixth = new Level(6 * HOUR_MS, 28, true);
  readonly #all = [this.fine, this.minute, this.keyMinute, this.five, this.quarter, this.hour, this.sixth];
  readonly #past = [this.five, this.quarter, this.hour, this.sixth];

  readonly ranges: Readonly<Record<TrafficRange, RangePlan>> = {
    '15m': { counts: this.fine, times: this.minute, chart: this.fine, chartFold: 2, routeFold: 6 },
    '8h': { counts: this.quarter, times: this.quarter, chart: this.five, chartFold: 1, routeFold: 1 },
    '7d': { counts: this.sixth, times: this.sixth, chart: this.hour, chartFold: 1, routeFold: 1 },
  };

  /** Charts of one key. */
  readonly keyRanges: Readonly<Record<KeyTrafficRange, Level>> = {
    '2h': this.keyMinute,
    '8h': this.five,
    '7d': this.hour,
  };

  add(series: string, atMs: number, tally: Tally): void {
    this.fine.add(series, atMs, tally);
    (isKeySeries(series) ? this.keyMinute : this.minute).add(series, atMs, tally);
    this.addPast(series, atMs, tally);
  }

  /** From the file, in which the newest minutes are aggregated. */
  addPast(series: string, atMs: number, tally: Tally, nowMs = atMs): void {
    const ofKey = isKeySeries(series);
    if (ofKey || series === ALL) {
      this.five.add(series, atMs, tally, nowMs);
      this.hour.add(series, atMs, tally, nowMs);
    }
    if (ofKey) return;
    this.quarter.add(series, atMs, tally, nowMs);
    this.sixth.add(series, atMs, tally, nowMs);
  }

  measure(fromMs: number, ms: number): void {
    for (const level of this.#all) level.measure(fromMs, ms);
  }

  measurePast(fromMs: number, ms: number, nowMs: number): void {
    for (const level of this.#past) level.measure(fromMs, ms, nowMs);
  }

  forget(prefix: string): void {
    for (const level of this.#all) level.forget(prefix);
  }

  prune(nowMs: number): void {
    for (const level of this.#all) level.prune(nowMs);
  }
}
