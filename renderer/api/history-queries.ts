import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TagQuality } from '#common/model/tag.ts';
import type { CallBody } from '#common/contract/client.ts';
import { call } from './client.ts';

/** Recorded values of tags for charts. */
export interface HistorySeries {
  tag: string;
  unit: string;
  points: { time: string; value: unknown; quality: TagQuality }[];
  truncated: boolean;
}

export interface HistoryRange {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
}

/** One tag over a range: every point, or one value per interval with its minimum and maximum. */
export interface TagHistory {
  tag: string;
  unit: string;
  /** Seconds per value; null: every recorded point. */
  interval: number | null;
  /** The value of the tag at the start of the range. */
  before: HistorySeries['points'][number] | null;
  values: HistorySeries['points'];
  lows: HistorySeries['points'];
  highs: HistorySeries['points'];
}

/** Longer ranges are read as one value per interval. */
const RAW_MS_MAX = 3_600_000;
const POINTS_MAX = 5_000;
/** Width of an interval in the drawing. */
const PIXELS_PER_VALUE = 2;
const LIVE_PARTS = 200;
const LIVE_MS_MIN = 2_000;
const LIVE_MS_MAX = 60_000;

type Aggregate = 'raw' | 'lastBefore' | 'min' | 'max' | 'timeWeightedMean';

export interface HistoryWish {
  project: string;
  tags: readonly string[];
  /** A fixed range, or a number of milliseconds up to now. */
  range: HistoryRange | number;
  /** Width of the drawing. */
  pixels: number;
}

/** The range is returned with the values: for a live one, it ends at the time of the request. */
export interface History extends HistoryRange {
  /** The time of the request, in ms: no later values are included. */
  readAt: number;
  tags: TagHistory[];
}

export function useHistory({ project, tags, range, pixels }: HistoryWish) {
  const live = typeof range === 'number';
  return useQuery({
    queryKey: ['history', project, tags, range, pixels],
    queryFn: ({ signal }) => readHistory(project, tags, live ? lastly(range) : range, pixels, signal),
    enabled: tags.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: live && Math.min(LIVE_MS_MAX, Math.max(LIVE_MS_MIN, range / LIVE_PARTS)),
    gcTime: 30_000,
  });
}

function lastly(length: number): HistoryRange {
  const to = Date.now();
  return { from: to - length, to };
}

async function readHistory(
  project: string,
  tags: readonly string[],
  range: HistoryRange,
  pixels: number,
  signal: AbortSignal,
): Promise<History> {
  const read = (aggregate: Aggregate, interval: number) =>
    readSeries(project, { tags, ...times(range), aggregate, interval, limit: POINTS_MAX }, signal);
  const length = (range.to - range.from) / 1_000;
  if (range.to - range.from <= RAW_MS_MAX) {
    const [raw, before] = await Promise.all([read('raw', 0), read('lastBefore', length)]);
    if (!raw.some(({ truncated }) => truncated))
      return { ...range, readAt: Date.now(), tags: raw.map((one) => rawHistory(one, before)) };
  }
  const interval = Math.max(0.1, Math.round((length / pixels) * PIXELS_PER_VALUE * 10) / 10);
  const [means, lows, highs] = await Promise.all([
    read('timeWeightedMean', interval),
    read('min', interval),
    read('max', interval),
  ]);
  return { ...range, readAt: Date.now(), tags: means.map((one) => meanHistory(one, interval, lows, highs)) };
}

const times = ({ from, to }: HistoryRange) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });

type Asked = CallBody<'POST /projects/:project/tags/history'>;

async function readSeries(project: string, body: Asked, signal: AbortSignal): Promise<HistorySeries[]> {
  return (await call('POST /projects/:project/tags/history', { path: { project }, body, signal })).items;
}

const pointsOf = (all: readonly HistorySeries[], tag: string) => all.find((one) => one.tag === tag)?.points ?? [];

function rawHistory({ tag, unit, points }: HistorySeries, before: readonly HistorySeries[]): TagHistory {
  return { tag, unit, interval: null, before: pointsOf(before, tag)[0] ?? null, values: points, lows: [], highs: [] };
}

function meanHistory(
  { tag, unit, points }: HistorySeries,
  interval: number,
  lows: readonly HistorySeries[],
  highs: readonly HistorySeries[],
): TagHistory {
  return { tag, unit, interval, before: null, values: points, lows: pointsOf(lows, tag), highs: pointsOf(highs, tag) };
}
