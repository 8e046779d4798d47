import { BAD, type Encoded, isBad, isNumber, isUncertain, numberForm } from '../form.ts';
import { Buckets } from './buckets.ts';
import { type Folded, makeFold, WeightedMean } from './fold.ts';
import type { HistoryRequest } from './messages.ts';
import type { PointRow, PointSource } from './point-source.ts';

/** Receives one point of the result. */
export type Emit = (time: number, form: number, stored: Encoded['stored']) => void;

/** Lookups between two points at which the query can be stopped. */
const LOOKUPS_PER_STEP = 500;

/**
 * Reads one series and emits the points of the result, oldest first. Yields after each limited piece of work. Returns
 * true if points were left out.
 *
 * A value holds until the next point; the last one holds until `now`. Chunks are read one after the other without a
 * common snapshot: a late point may be in one result and not in the next.
 */
export function* readSeries(
  source: PointSource,
  id: number,
  request: HistoryRequest,
  emit: Emit,
): Generator<void, boolean> {
  const { aggregate } = request;
  if (aggregate === 'raw') return yield* readRaw(source, id, request, emit);
  if (aggregate === 'lastBefore' || aggregate === 'interpolated') yield* readMoments(source, id, request, emit);
  else if (aggregate === 'timeWeightedMean') yield* readWeighted(source, id, request, emit);
  else yield* readFolded(source, id, request, aggregate, emit);
  return false;
}

/** The result of a series without any points. */
export function readNothing(request: HistoryRequest, emit: Emit): void {
  const { aggregate } = request;
  if (aggregate === 'raw') return;
  const empty = aggregate === 'count' ? makeFold('count').result() : BAD;
  for (const time of momentsOf(request)) emit(time, empty.form, empty.stored);
}

function* readRaw(source: PointSource, id: number, { from, to, limit }: HistoryRequest, emit: Emit) {
  let left = limit;
  for (const rows of source.chunks(id, from, to, limit + 1)) {
    for (const row of rows.slice(0, left)) emit(...row);
    if (rows.length > left) return true;
    left -= rows.length;
    yield;
  }
  return false;
}

/** One value per bucket, at its start; without buckets one value, at the end of the range. */
function* readMoments(source: PointSource, id: number, request: HistoryRequest, emit: Emit): Generator<void> {
  let done = 0;
  for (const time of momentsOf(request)) {
    const last = source.at(id, time);
    if (request.aggregate === 'lastBefore') emitLast(last, time, request, emit);
    else {
      const { form, stored } = last === null ? BAD : between(source, id, last, time, request.now);
      emit(time, form, stored);
    }
    if (++done % LOOKUPS_PER_STEP === 0) yield;
  }
}

function emitLast(last: PointRow | null, time: number, { stepMs }: HistoryRequest, emit: Emit): void {
  const [pointTime, form, stored] = last ?? [time, BAD.form, BAD.stored];
  emit(stepMs === null ? pointTime : time, form, stored);
}

/** The value at `time`: on the straight line between two numbers, otherwise the last value. */
function between(source: PointSource, id: number, last: PointRow, time: number, now: number): Encoded {
  const [from, form, stored] = last;
  if (from === time || isBad(form)) return { form, stored };
  const next = source.after(id, time);
  if (next === null) return time <= now ? { form, stored } : BAD;
  if (!isNumber(form) || !isNumber(next[1])) return { form, stored };
  const share = (time - from) / (next[0] - from);
  const value = Number(stored) * (1 - share) + Number(next[2]) * share;
  return { form: numberForm(isUncertain(form) || isUncertain(next[1])), stored: value };
}

function* readFolded(
  source: PointSource,
  id: number,
  request: HistoryRequest,
  aggregate: Exclude<Folded, 'timeWeightedMean'>,
  emit: Emit,
): Generator<void> {
  const buckets = new Buckets(request);
  let index = 0;
  let fold = makeFold(aggregate);
  const endBucket = (): void => {
    const { form, stored } = fold.result();
    emit(buckets.start(index++), form, stored);
    fold = makeFold(aggregate);
  };
  for (const rows of source.chunks(id, request.from, request.to)) {
    for (const row of rows) {
      const wanted = buckets.indexOf(row[0]);
      while (index < wanted) endBucket();
      fold.add(row);
    }
    yield;
  }
  while (index < buckets.count) endBucket();
}

function* readWeighted(source: PointSource, id: number, request: HistoryRequest, emit: Emit): Generator<void> {
  const buckets = new Buckets(request);
  let held = source.at(id, request.from);
  let at = request.from;
  let index = 0;
  let mean = new WeightedMean();
  const holdUntil = (time: number, known: number): void => {
    while (index < buckets.count) {
      const end = Math.min(time, buckets.end(index));
      mean.hold(held, Math.min(end, known) - at);
      at = end;
      if (end < buckets.end(index)) return;
      const { form, stored } = mean.result();
      emit(buckets.start(index++), form, stored);
      mean = new WeightedMean();
    }
  };
  for (const rows of source.chunks(id, request.from, request.to)) {
    for (const row of rows) {
      holdUntil(row[0], row[0]);
      held = row;
    }
    yield;
  }
  const next = source.after(id, request.to - 1);
  holdUntil(request.to, next === null ? request.now : request.to);
}

function momentsOf(request: HistoryRequest): Iterable<number> {
  const { stepMs, to, aggregate } = request;
  if (stepMs === null && (aggregate === 'lastBefore' || aggregate === 'interpolated')) return [to];
  const buckets = new Buckets(request);
  return Array.from({ length: buckets.count }, (_, index) => buckets.start(index));
}
