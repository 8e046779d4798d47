import type { Aggregate } from '#common/capabilities/calls.ts';
import { BAD, type Encoded, isBad, isNumeric, isUncertain, numberForm } from '../form.ts';
import type { PointRow } from './point-source.ts';

/** Aggregates that read each point of a bucket once. */
export type Folded = Exclude<Aggregate, 'raw' | 'lastBefore' | 'interpolated'>;

/** Takes the points of one bucket in order and returns their aggregate. */
export interface Fold {
  add(row: PointRow): void;
  result(): Encoded;
}

/**
 * min, max, mean and timeWeightedMean use numbers and booleans (0 and 1), the others every value whose quality is not
 * bad. The quality is uncertain if an uncertain value was used, or if part of the bucket was bad or without data. A
 * bucket without a value is bad; its `count` is 0.
 */
export function makeFold(aggregate: Exclude<Folded, 'timeWeightedMean'>): Fold {
  if (aggregate === 'count') return new Count();
  if (aggregate === 'first' || aggregate === 'last') return new Edge(aggregate === 'first');
  if (aggregate === 'mean') return new Mean();
  return new Extreme(aggregate === 'min');
}

class Extreme implements Fold {
  readonly #least: boolean;
  #best: number | null = null;
  #doubtful = false;

  constructor(least: boolean) {
    this.#least = least;
  }

  add([, form, value]: PointRow): void {
    this.#doubtful ||= isBad(form) || isUncertain(form);
    if (!isNumeric(form)) return;
    const number = Number(value);
    if (this.#best === null || (this.#least ? number < this.#best : number > this.#best)) this.#best = number;
  }

  result(): Encoded {
    return numberResult(this.#best, this.#doubtful);
  }
}

class Mean implements Fold {
  #sum = 0;
  #count = 0;
  #doubtful = false;

  add([, form, value]: PointRow): void {
    this.#doubtful ||= isBad(form) || isUncertain(form);
    if (!isNumeric(form)) return;
    this.#sum += Number(value);
    this.#count += 1;
  }

  result(): Encoded {
    return numberResult(this.#count === 0 ? null : this.#sum / this.#count, this.#doubtful);
  }
}

class Count implements Fold {
  #count = 0;
  #doubtful = false;

  add([, form]: PointRow): void {
    this.#doubtful ||= isBad(form) || isUncertain(form);
    if (!isBad(form)) this.#count += 1;
  }

  result(): Encoded {
    return numberResult(this.#count, this.#doubtful);
  }
}

class Edge implements Fold {
  readonly #first: boolean;
  #found: Encoded | null = null;

  constructor(first: boolean) {
    this.#first = first;
  }

  add([, form, stored]: PointRow): void {
    if (isBad(form) || (this.#first && this.#found !== null)) return;
    this.#found = { form, stored };
  }

  result(): Encoded {
    return this.#found ?? BAD;
  }
}

function numberResult(value: number | null, doubtful: boolean): Encoded {
  // A sum beyond the range of numbers is not a value.
  return value === null || !Number.isFinite(value) ? BAD : { form: numberForm(doubtful), stored: value };
}

/** The time-weighted mean of one bucket: the weight of a value is the time for which it held. */
export class WeightedMean {
  #weighted = 0;
  #coveredMs = 0;
  #doubtful = false;

  /** `row` held for `ms`. */
  hold(row: PointRow | null, ms: number): void {
    if (ms <= 0) return;
    if (row === null || !isNumeric(row[1])) {
      this.#doubtful = true;
      return;
    }
    this.#doubtful ||= isUncertain(row[1]);
    this.#weighted += Number(row[2]) * ms;
    this.#coveredMs += ms;
  }

  result(): Encoded {
    return numberResult(this.#coveredMs === 0 ? null : this.#weighted / this.#coveredMs, this.#doubtful);
  }
}
