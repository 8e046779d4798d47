import type { HistorySeries, TagHistory } from '#api/history-queries.ts';
import type { TrendPoint, TrendSeries, TrendSpan } from '#ui/trend/trend-points.ts';

type Point = HistorySeries['points'][number];

/** Numbers, and booleans as 1 and 0; a bad value, a text or an object interrupts the line. */
function numberOf({ value, quality }: Point): number | null {
  if (quality === 'bad') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : null;
}

const timeOf = ({ time }: Point) => Date.parse(time);

/**
 * The recorded values as a line. It begins at `from` with the value at that time. The last value holds until `until`,
 * unless that is in the future.
 */
export function trendOf(history: TagHistory, { from, until }: { from: number; until: number }): TrendSeries {
  const { tag, unit, before, values } = history;
  const points = values.map((point): TrendPoint => [timeOf(point), numberOf(point)]);
  if (before !== null && before.quality !== 'bad') points.unshift([from, numberOf(before)]);
  const last = points.at(-1);
  if (last !== undefined && last[0] < until) points.push([until, last[1]]);
  return { label: tag, unit, points, spans: spansOf(history) };
}

/** An interval without its own point had its mean throughout. */
function spansOf({ values, lows, highs }: TagHistory): TrendSpan[] {
  if (lows.length === 0) return [];
  return values.map((point, index) => {
    const mean = numberOf(point);
    const low = lows[index];
    const high = highs[index];
    return [timeOf(point), (low && numberOf(low)) ?? mean, (high && numberOf(high)) ?? mean];
  });
}
