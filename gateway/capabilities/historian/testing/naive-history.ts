import type { Aggregate } from '#common/capabilities/calls.ts';
import type { TagQuality } from '#common/model/tag.ts';

export interface NaivePoint {
  readonly time: number;
  readonly value: number | boolean | string | null;
  readonly quality: TagQuality;
}

export interface NaiveQuery {
  readonly from: number;
  readonly to: number;
  /** Milliseconds; 0: one bucket. */
  readonly step: number;
  readonly now: number;
  readonly aggregate: Aggregate;
}

/**
 * A reference implementation of the queries over a list in memory, millisecond by millisecond; intentionally slow and
 * simple.
 */
export function naiveQuery(recorded: readonly NaivePoint[], query: NaiveQuery): NaivePoint[] {
  const points = sortedWithoutDuplicates(recorded);
  const { from, to, step, aggregate } = query;
  if (aggregate === 'raw') return points.filter(({ time }) => time >= from && time < to);
  if (aggregate === 'lastBefore' && step === 0) return [lastAt(points, to) ?? nothing(to)];
  if (aggregate === 'interpolated' && step === 0) return [interpolate(points, to, query.now)];
  const answer: NaivePoint[] = [];
  for (let start = from; start < to; start += step === 0 ? to - from : step) {
    const end = step === 0 ? to : Math.min(start + step, to);
    answer.push({ ...oneBucket(points, query, start, end), time: start });
  }
  return answer;
}

function oneBucket(points: readonly NaivePoint[], query: NaiveQuery, start: number, end: number): NaivePoint {
  const { aggregate, now } = query;
  if (aggregate === 'lastBefore') return lastAt(points, start) ?? nothing(start);
  if (aggregate === 'interpolated') return interpolate(points, start, now);
  if (aggregate === 'timeWeightedMean') return weighted(points, start, end, now);
  const inside = points.filter(({ time }) => time >= start && time < end);
  const good = inside.filter(({ quality }) => quality !== 'bad');
  const quality = inside.every((point) => point.quality === 'good') ? 'good' : 'uncertain';
  if (aggregate === 'count') return { time: start, value: good.length, quality };
  if (aggregate === 'first') return good[0] ?? nothing(start);
  if (aggregate === 'last') return good.at(-1) ?? nothing(start);
  const numbers = good.flatMap(({ value }) => (typeof value === 'string' || value === null ? [] : [Number(value)]));
  if (numbers.length === 0) return nothing(start);
  if (aggregate === 'min') return { time: start, value: Math.min(...numbers), quality };
  if (aggregate === 'max') return { time: start, value: Math.max(...numbers), quality };
  return { time: start, value: numbers.reduce((sum, number) => sum + number, 0) / numbers.length, quality };
}

function weighted(points: readonly NaivePoint[], start: number, end: number, now: number): NaivePoint {
  const values: number[] = [];
  let doubtful = false;
  for (let time = start; time < end; time++) {
    if (time >= now && !points.some((point) => point.time > time)) continue;
    const held = lastAt(points, time);
    if (held === undefined || held.quality === 'bad' || typeof held.value === 'string' || held.value === null)
      doubtful = true;
    else {
      doubtful ||= held.quality === 'uncertain';
      values.push(Number(held.value));
    }
  }
  if (values.length === 0) return nothing(start);
  const mean = values.reduce((sum, number) => sum + number, 0) / values.length;
  return { time: start, value: mean, quality: doubtful ? 'uncertain' : 'good' };
}

function interpolate(points: readonly NaivePoint[], time: number, now: number): NaivePoint {
  const last = lastAt(points, time);
  if (last === undefined || last.quality === 'bad') return nothing(time);
  if (last.time === time) return last;
  const next = points.find((point) => point.time > time);
  if (next === undefined) return time <= now ? { ...last, time } : nothing(time);
  if (typeof last.value !== 'number' || typeof next.value !== 'number' || next.quality === 'bad')
    return { ...last, time };
  const value = last.value + ((next.value - last.value) * (time - last.time)) / (next.time - last.time);
  return { time, value, quality: last.quality === 'good' && next.quality === 'good' ? 'good' : 'uncertain' };
}

function lastAt(points: readonly NaivePoint[], time: number): NaivePoint | undefined {
  return points.findLast((point) => point.time <= time);
}

function nothing(time: number): NaivePoint {
  return { time, value: null, quality: 'bad' };
}

function sortedWithoutDuplicates(recorded: readonly NaivePoint[]): NaivePoint[] {
  const byTime = new Map(
    recorded.map((point) => [point.time, point.quality === 'bad' ? { ...point, value: null } : point]),
  );
  return [...byTime.values()].toSorted((a, b) => a.time - b.time);
}
