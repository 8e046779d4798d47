import type { KeyDay, Series } from '#common/model/traffic.ts';
import { type Counts, sumCounts } from '#common/traffic/counts.ts';
import { addTally, emptyTally, type Tally } from './tally.ts';

/** Below this, no rate is computed: one call in the first 100 ms is not ten per second. */
const MEASURED_MS_MIN = 1_000;
/** How much of an ended step must be measured, at most half of it; otherwise the step is shown as a gap. */
const MEASURED_OF_STEP_MS = 10_000;

interface Slot extends Tally {
  step: number;
}

interface Measured {
  step: number;
  ms: number;
}

/**
 * Tallies in equal steps of time, the newest `steps` of them, and the measured time of each step. Memory: a slot per
 * series and step with calls.
 *
 * Steps later than `nowMs` are from a clock that was wrong and has been set back: they are removed, so that the figures
 * continue.
 */
export class Level {
  readonly stepMs: number;
  readonly steps: number;
  readonly #withTimes: boolean;
  readonly #slots = new Map<string, (Slot | undefined)[]>();
  readonly #measured: (Measured | undefined)[] = [];
  readonly #sums = new Map<number, number>();

  constructor(stepMs: number, steps: number, withTimes: boolean) {
    this.stepMs = stepMs;
    this.steps = steps;
    this.#withTimes = withTimes;
  }

  add(series: string, atMs: number, tally: Tally, nowMs = atMs): void {
    const step = Math.floor(atMs / this.stepMs);
    const newest = Math.floor(nowMs / this.stepMs);
    if (step > newest) return;
    const slots = this.#slots.get(series) ?? [];
    if (slots.length === 0) this.#slots.set(series, slots);
    const place = step % this.steps;
    const before = slots[place];
    if (before !== undefined && before.step > step && before.step <= newest) return;
    const slot = before?.step === step ? before : { step, ...emptyTally() };
    slots[place] = slot;
    addTally(slot, this.#withTimes ? tally : { ...tally, times: [] });
  }

  /** The time from `fromMs` on was measured, for `ms`. */
  measure(fromMs: number, ms: number, nowMs = fromMs + ms): void {
    this.#sums.clear();
    const newest = Math.floor(nowMs / this.stepMs);
    let at = Math.max(fromMs, fromMs + ms - this.stepMs * this.steps);
    const end = Math.min(fromMs + ms, nowMs);
    while (at < end) {
      const step = Math.floor(at / this.stepMs);
      const next = Math.min(end, (step + 1) * this.stepMs);
      const place = step % this.steps;
      const before = this.#measured[place];
      if (before === undefined || before.step < step || before.step > newest)
        this.#measured[place] = { step, ms: next - at };
      else if (before.step === step) before.ms = Math.min(this.stepMs, before.ms + next - at);
      at = next;
    }
  }

  /** Counts of the newest `steps` steps, including the one of `nowMs`; without times. */
  sum(series: string, nowMs: number): Omit<Tally, 'times'> {
    const total = { calls: 0, refused: 0, errors: 0 };
    const last = Math.floor(nowMs / this.stepMs);
    for (const slot of this.#slots.get(series) ?? []) {
      if (slot === undefined || slot.step <= last - this.steps || slot.step > last) continue;
      total.calls += slot.calls;
      total.refused += slot.refused;
      total.errors += slot.errors;
    }
    return total;
  }

  /** The times of the newest `steps` steps. */
  times(series: string, nowMs: number, steps = this.steps): Counts {
    const last = Math.floor(nowMs / this.stepMs);
    const within: Counts[] = [];
    for (const slot of this.#slots.get(series) ?? [])
      if (slot !== undefined && slot.step > last - steps && slot.step <= last) within.push(slot.times);
    return sumCounts(within);
  }

  /** Calls, or another count, per measured second; null if too little was measured. */
  rate(series: string, nowMs: number, steps: number, count: (tally: Tally) => number = callsOf): number | null {
    const last = Math.floor(nowMs / this.stepMs);
    return this.#rate(series, last - steps + 1, steps, count);
  }

  /** The whole window, `fold` steps to each value; `per` seconds. */
  series(series: string, nowMs: number, fold = 1, per = 1, count: (tally: Tally) => number = callsOf): Series {
    const stepSeconds = (this.stepMs * fold) / 1000;
    const last = Math.floor(nowMs / this.stepMs / fold);
    const length = Math.floor(this.steps / fold);
    const values: (number | null)[] = [];
    for (let step = last - length + 1; step <= last; step++) {
      const least = step === last ? MEASURED_MS_MIN : Math.min(MEASURED_OF_STEP_MS, (this.stepMs * fold) / 2);
      const rate = this.#rate(series, step * fold, fold, count, least);
      values.push(rate === null ? null : rounded(rate * per));
    }
    return { from: new Date((last - length + 1) * this.stepMs * fold).toISOString(), stepSeconds, values };
  }

  /** Passed and refused calls of the newest `steps` steps; null: nothing was measured. */
  counts(series: string, nowMs: number, steps: number): KeyDay {
    const slots = this.#slots.get(series);
    const first = Math.floor(nowMs / this.stepMs) - steps + 1;
    const day: KeyDay = { from: new Date(first * this.stepMs).toISOString(), passed: [], refused: [] };
    for (let step = first; step < first + steps; step++) {
      const slot = slots?.[step % this.steps];
      const isMeasured = this.#measuredMs(step, 1) >= MEASURED_MS_MIN;
      const { calls, refused } = slot?.step === step ? slot : { calls: 0, refused: 0 };
      day.passed.push(isMeasured ? calls - refused : null);
      day.refused.push(isMeasured ? refused : null);
    }
    return day;
  }

  /** Removes the series with this name prefix. */
  forget(prefix: string): void {
    for (const series of this.#slots.keys()) if (series.startsWith(prefix)) this.#slots.delete(series);
  }

  /** Removes series without data in the window. */
  prune(nowMs: number): void {
    // While nothing is measured, nothing else removes it.
    this.#sums.clear();
    const oldest = Math.floor(nowMs / this.stepMs) - this.steps + 1;
    for (const [series, slots] of this.#slots)
      if (slots.every((slot) => slot === undefined || slot.step < oldest)) this.#slots.delete(series);
  }

  get size(): number {
    return this.#slots.size;
  }

  #rate(
    series: string,
    first: number,
    steps: number,
    count: (tally: Tally) => number,
    leastMs = MEASURED_MS_MIN,
  ): number | null {
    const ms = this.#measuredMs(first, steps);
    if (ms < leastMs) return null;
    const slots = this.#slots.get(series);
    if (slots === undefined) return 0;
    let total = 0;
    for (let step = first; step < first + steps; step++) {
      const slot = slots[step % this.steps];
      if (slot?.step === step) total += count(slot);
    }
    return (total * 1000) / ms;
  }

  /** Measured milliseconds in these steps: the same for every series, so cached until the next measurement. */
  #measuredMs(first: number, steps: number): number {
    const id = first * this.steps + steps - 1;
    const known = this.#sums.get(id);
    if (known !== undefined) return known;
    let ms = 0;
    for (let step = first; step < first + steps; step++) {
      const measured = this.#measured[step % this.steps];
      if (measured?.step === step) ms += measured.ms;
    }
    this.#sums.set(id, ms);
    return ms;
  }
}

const callsOf = (tally: Tally): number => tally.calls;

/** Three significant digits, enough for a chart or a line of text. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
