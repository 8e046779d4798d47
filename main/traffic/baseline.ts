import { type Usual, USUAL_DAYS_MIN } from '#common/model/traffic.ts';
import { type Counts, quantileOf, totalOf } from '#common/traffic/counts.ts';

export const SAMPLES_MIN = 50;
export const BASELINE_DAYS = 14;
/** Measured minutes of an hour from which on it counts as known for that day. */
export const KNOWN_MINUTES_MIN = 20;
const LOW = 0.05;
const HIGH = 0.95;
const DAY_MS = 24 * 60 * 60 * 1000;

/** One measured minute of all calls. */
export interface Minute {
  /** Its start, milliseconds since 1970. */
  at: number;
  measuredMs: number;
  calls: number;
  refused: number;
  p99Ms: number | null;
}

/** The 5th to the 95th percentile; null with fewer than 50 samples. */
export function baselineOf(samples: readonly number[]): Usual | null {
  if (samples.length < SAMPLES_MIN) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { low: at(LOW), high: at(HIGH) };
}

export function baselineOfCounts(samples: Counts): Usual | null {
  if (totalOf(samples) < SAMPLES_MIN) return null;
  const [low, high] = [quantileOf(samples, LOW), quantileOf(samples, HIGH)];
  return low === null || high === null ? null : { low, high };
}

export interface HourBaseline {
  /** Number of days with data for this hour. With fewer than USUAL_DAYS_MIN there is no baseline. */
  days: number;
  callsPerSecond: Usual | null;
  refusedShare: Usual | null;
  p99Ms: Usual | null;
}

/** The minutes of the last 14 days, and the baseline of each hour of the day in the host's local time. */
export class BaselineMinutes {
  #minutes: Minute[] = [];
  /** Grouped once, on demand: a chart needs all hours of a day, and grouping 20,000 minutes for each would be slow. */
  #grouped: ReadonlyMap<number, Minute[]> | null = null;
  readonly #byHour = new Map<number, HourBaseline>();

  /** In chronological order. */
  add(minute: Minute): void {
    this.#minutes.push(minute);
    this.#changed();
    const oldest = minute.at - BASELINE_DAYS * DAY_MS;
    if ((this.#minutes[0]?.at ?? oldest) < oldest) this.#minutes = this.#minutes.filter(({ at }) => at >= oldest);
  }

  addPast(minutes: readonly Minute[]): void {
    this.#minutes = [...minutes, ...this.#minutes];
    this.#changed();
  }

  ofHour(hour: number): HourBaseline {
    const known = this.#byHour.get(hour);
    if (known) return known;
    this.#grouped ??= Map.groupBy(this.#minutes, ({ at }) => new Date(at).getHours());
    const minutes = this.#grouped.get(hour) ?? [];
    const days = knownDays(minutes);
    const usualOf = (samples: readonly number[]) => (days < USUAL_DAYS_MIN ? null : baselineOf(samples));
    const usual: HourBaseline = {
      days,
      callsPerSecond: usualOf(minutes.map(({ calls, measuredMs }) => (calls * 1000) / measuredMs)),
      refusedShare: usualOf(minutes.flatMap(({ calls, refused }) => (calls === 0 ? [] : [refused / calls]))),
      p99Ms: usualOf(minutes.flatMap(({ p99Ms }) => (p99Ms === null ? [] : [p99Ms]))),
    };
    this.#byHour.set(hour, usual);
    return usual;
  }

  #changed(): void {
    this.#byHour.clear();
    this.#grouped = null;
  }
}

function knownDays(minutes: readonly Minute[]): number {
  const days = Map.groupBy(minutes, ({ at }) => new Date(at).toDateString());
  return [...days.values()].filter(({ length }) => length >= KNOWN_MINUTES_MIN).length;
}

/**
 * The same hour of each of the last 14 days, as `[from, to)` in milliseconds, with changes to and from daylight saving
 * time.
 */
export function sameHours(nowMs: number): [number, number][] {
  return Array.from({ length: BASELINE_DAYS + 1 }, (_, daysBack) => {
    const from = new Date(nowMs);
    from.setDate(from.getDate() - daysBack);
    from.setMinutes(0, 0, 0);
    return [Math.max(from.getTime(), nowMs - BASELINE_DAYS * DAY_MS), from.getTime() + 60 * 60 * 1000];
  });
}
