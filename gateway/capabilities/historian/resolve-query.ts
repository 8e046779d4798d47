import type { CallArgs } from '#common/capabilities/calls.ts';
import { isTagPattern, type TagDefinition, tagMatches } from '#common/model/tag.ts';
import { NodeError } from '#sdk';
import { ANSWER_POINTS_MAX, SERIES_PER_QUERY_MAX } from './limits.ts';
import { readRange } from './moment.ts';
import { Buckets } from './reader/buckets.ts';
import type { HistoryRequest, SeriesWish } from './reader/messages.ts';

type QueryArgs = CallArgs<'historian.query'>;
export type TagMap = ReadonlyMap<string, TagDefinition>;

const MS_PER_SECOND = 1_000;
const NUMERIC = new Set<QueryArgs['aggregate']>(['min', 'max', 'mean', 'timeWeightedMean']);

/**
 * The query with times, tags and buckets resolved. Throws NodeError `history_range`, `history_too_many_tags`,
 * `history_too_many_points`, `history_not_numeric`, `tag_unknown`.
 */
export function resolveQuery(project: string, args: QueryArgs, tags: TagMap, now: number): HistoryRequest {
  const { aggregate, limit } = args;
  const range = readRange(args.from, args.to, now);
  const stepMs = stepOf(args.interval, range.to - range.from);
  const series = seriesOf(args.tags, tags);
  if (NUMERIC.has(aggregate)) refuseTexts(series, tags, aggregate);
  const request = { project, series, ...range, stepMs, aggregate, limit, now };
  if (aggregate !== 'raw') refuseTooManyBuckets(request);
  return request;
}

/** Null: one bucket. */
function stepOf(seconds: number, rangeMs: number): number | null {
  if (seconds === 0) return null;
  const stepMs = Math.round(seconds * MS_PER_SECOND);
  if (stepMs < 1) throw new NodeError('history_range', 'interval: expected 0 or at least 0.001 seconds');
  return Math.min(stepMs, rangeMs);
}

/**
 * Each tag once, in the order of the list. A pattern selects the matching recorded tags. A path can also name a tag
 * that is no longer defined, if it has points.
 */
function seriesOf(wanted: readonly string[], tags: TagMap): SeriesWish[] {
  const paths = new Set(wanted.flatMap((wish) => (isTagPattern(wish) ? recordedTags(wish, tags) : [wish])));
  if (paths.size > SERIES_PER_QUERY_MAX)
    throw new NodeError(
      'history_too_many_tags',
      `${paths.size} tags were asked for; expected at most ${SERIES_PER_QUERY_MAX}`,
    );
  return [...paths].map((path) => ({ path, defined: tags.has(path) }));
}

function recordedTags(pattern: string, tags: TagMap): string[] {
  const fitting = [...tags.values()].filter(({ path, history }) => history !== null && tagMatches(pattern, path));
  if (fitting.length === 0) throw new NodeError('tag_unknown', `no recorded tag fits "${pattern}"`);
  return fitting.map(({ path }) => path);
}

function refuseTexts(series: readonly SeriesWish[], tags: TagMap, aggregate: string): void {
  const text = series.find(({ path }) => tags.get(path)?.type === 'text');
  if (text === undefined) return;
  throw new NodeError(
    'history_not_numeric',
    `${aggregate} is over numbers, and "${text.path}" is text; expected raw, lastBefore, interpolated, count, first or last`,
  );
}

function refuseTooManyBuckets(request: HistoryRequest): void {
  const { count } = new Buckets(request);
  const most = Math.min(request.limit, Math.floor(ANSWER_POINTS_MAX / request.series.length));
  if (count <= most) return;
  throw new NodeError(
    'history_too_many_points',
    `the interval makes ${count} points per tag; expected at most ${most}: a longer interval or a shorter range`,
  );
}
