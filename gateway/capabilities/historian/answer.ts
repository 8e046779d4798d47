import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallValue } from '#common/capabilities/calls.ts';
import { decode, qualityOf } from './form.ts';
import type { SeriesColumns } from './reader/messages.ts';

type Series = CallValue<'historian.query'>[number];

/** Points that are created before the event loop continues: about 2 ms. */
const POINTS_PER_TURN = 2_000;

/** The result for callers, built in slices so that a long one does not delay other requests. */
export async function makeAnswer(
  series: readonly SeriesColumns[],
  unitOf: (path: string) => string | undefined,
  signal: AbortSignal,
): Promise<Series[]> {
  const answer: Series[] = [];
  let made = 0;
  for (const columns of series) {
    const points: Series['points'] = [];
    for (let at = 0; at < columns.times.length; at++) {
      points.push(pointAt(columns, at));
      if (++made % POINTS_PER_TURN !== 0) continue;
      await nextTurn();
      signal.throwIfAborted();
    }
    const unit = unitOf(columns.path) ?? columns.unit;
    answer.push({ tag: columns.path, unit, points, truncated: columns.truncated });
  }
  return answer;
}

function pointAt({ times, forms, values }: SeriesColumns, at: number): Series['points'][number] {
  const form = forms[at] ?? 0;
  return {
    time: new Date(times[at] ?? 0).toISOString(),
    value: decode(form, values[at] ?? null),
    quality: qualityOf(form),
  };
}
