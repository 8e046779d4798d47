import { QueryRefusal } from './query-refusal.ts';
import { ANSWER_CHARS_MAX, ANSWER_POINTS_MAX } from '../limits.ts';
import type { HistoryRequest, SeriesColumns } from './messages.ts';
import type { PointSource } from './point-source.ts';
import { type Emit, readNothing, readSeries } from './read-series.ts';

/**
 * A query in steps: each `next` does a limited piece of work, so that other queries get their turn and it can be
 * abandoned at any time. Throws QueryRefusal `tag_unknown`, `history_too_many_points`.
 */
export function* runQuery(source: PointSource, request: HistoryRequest): Generator<void, SeriesColumns[]> {
  const room = { points: ANSWER_POINTS_MAX, chars: ANSWER_CHARS_MAX };
  const answer: SeriesColumns[] = [];
  for (const { path, defined } of request.series) {
    const series = source.find(request.project, path);
    if (series === null && !defined) throw new QueryRefusal('tag_unknown', `there is no tag "${path}"`);
    const columns: SeriesColumns = {
      path,
      unit: series?.unit ?? '',
      times: [],
      forms: [],
      values: [],
      truncated: false,
    };
    const emit = emitInto(columns, room);
    if (series === null) readNothing(request, emit);
    else columns.truncated = yield* readSeries(source, series.id, request, emit);
    answer.push(columns);
    yield;
  }
  return answer;
}

function emitInto({ times, forms, values }: SeriesColumns, room: { points: number; chars: number }): Emit {
  return (time, form, stored) => {
    room.points -= 1;
    room.chars -= typeof stored === 'string' ? stored.length : 0;
    if (room.points < 0 || room.chars < 0) throw tooMuch(room.points < 0);
    times.push(time);
    forms.push(form);
    values.push(stored);
  };
}

function tooMuch(points: boolean): QueryRefusal {
  const most = points ? `${ANSWER_POINTS_MAX} points` : `${ANSWER_CHARS_MAX} characters of text`;
  return new QueryRefusal(
    'history_too_many_points',
    `the answer has more than ${most}; expected fewer tags, a shorter range, a longer interval or a lower limit`,
  );
}
