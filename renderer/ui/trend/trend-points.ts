/**
 * The arithmetic of a trend: pure functions, so that it can be tested without drawing. Times are ms since the epoch.
 */
export type TrendPoint = readonly [at: number, value: number | null];
/** Lowest and highest value within an interval that begins at `at`. */
export type TrendSpan = readonly [at: number, low: number | null, high: number | null];

export interface TrendSeries {
  label: string;
  unit: string;
  /** By time. Null: no good value from then on; the line is interrupted. */
  points: readonly TrendPoint[];
  /** The area between the lowest and the highest value of each interval is shaded. */
  spans?: readonly TrendSpan[];
  /** Lengths of dashes and gaps in pixels; absent: the pattern of its position. */
  dash?: readonly number[];
  /** The axis begins at zero: a rate or a count, whose heights are compared. */
  fromZero?: boolean;
  /** Columns from zero to the value of each step, instead of a line. */
  bars?: boolean;
}

/** A series with its position in the legend, which determines its colour and its dash pattern. */
export interface PlacedSeries extends TrendSeries {
  place: number;
}

/** One chart for each unit, so that different scales are never combined. In the order of the series. */
export function byUnit(series: readonly TrendSeries[]): PlacedSeries[][] {
  const placed = series.map((one, place): PlacedSeries => ({ ...one, place }));
  const units = [...new Set(placed.map(({ unit }) => unit))];
  return units.map((unit) => placed.filter((one) => one.unit === unit));
}

/** Four lines can still be distinguished by dash alone. */
export const SERIES_MAX = 4;
const DASHES: readonly (readonly number[])[] = [[], [9, 4], [2, 3], [12, 4, 2, 4]];

export function dashOf({ dash }: TrendSeries, index: number): readonly number[] {
  return dash ?? DASHES[index % DASHES.length] ?? [];
}

/** A value holds until the next one. Null before the first. */
export function valueAt(points: readonly TrendPoint[], at: number): number | null {
  return points[indexAt(points, at)]?.[1] ?? null;
}

/** The index of the last point at or before `at`; -1 if there is none. */
function indexAt(points: readonly TrendPoint[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.[0] ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function lastValue(points: readonly TrendPoint[]): number | null {
  return points.at(-1)?.[1] ?? null;
}

/** All series on a common list of times; where a series has no point, its previous value holds. */
export function alignedColumns(series: readonly TrendSeries[]): { times: number[]; values: (number | null)[][] } {
  const times = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].toSorted((a, b) => a - b);
  return { times, values: series.map(({ points }) => held(points, times)) };
}

function held(points: readonly TrendPoint[], times: readonly number[]): (number | null)[] {
  let index = -1;
  return times.map((time) => {
    while ((points[index + 1]?.[0] ?? Infinity) <= time) index += 1;
    return points[index]?.[1] ?? null;
  });
}

/** Minimum and maximum of these series in the chart; null if there are no values. */
export function extremes(series: readonly TrendSeries[]): { low: number; high: number } | null {
  let low = Infinity;
  let high = -Infinity;
  const see = (value: number | null) => {
    if (value === null) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const { points, spans = [] } of series) {
    for (const [, value] of points) see(value);
    for (const [, least, most] of spans) {
      see(least);
      see(most);
    }
  }
  return low > high ? null : { low, high };
}

const ROOM = 1.1;

/** The scale of series that begin at zero. */
export function heightFromZero(high: number): [number, number] {
  return [0, high > 0 ? high * ROOM : 1];
}

/** Texts at the ends of lines, moved apart so that each is readable. Positions and height in pixels, top first. */
export function spreadLabels(places: readonly number[], height: number): number[] {
  const order = places.map((_, index) => index).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const spread = [...places];
  let free = -Infinity;
  for (const index of order) {
    spread[index] = Math.max(places[index] ?? 0, free);
    free = (spread[index] ?? 0) + height;
  }
  return spread;
}

/** The minimum length of a range. */
const RANGE_MS_MIN = 1_000;
/** The range of the historian, plus a margin. */
const RANGE_MS_MAX = 401 * 86_400_000;

export interface TimeRange {
  from: number;
  to: number;
}

/** The range moved by a share of its length, or made longer or shorter around its middle. */
export function moved({ from, to }: TimeRange, share: number): TimeRange {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

export function zoomed({ from, to }: TimeRange, factor: number): TimeRange {
  const half = Math.min(RANGE_MS_MAX, Math.max(RANGE_MS_MIN, (to - from) * factor)) / 2;
  const middle = (from + to) / 2;
  return { from: middle - half, to: middle + half };
}
