import type { HistoryRequest } from './messages.ts';

/** The range divided into equal parts from its start; the last one ends with the range. */
export class Buckets {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly #stepMs: number;

  constructor({ from, to, stepMs }: Pick<HistoryRequest, 'from' | 'to' | 'stepMs'>) {
    this.from = from;
    this.to = to;
    this.#stepMs = stepMs ?? to - from;
    this.count = Math.ceil((to - from) / this.#stepMs);
  }

  start(index: number): number {
    return this.from + index * this.#stepMs;
  }

  end(index: number): number {
    return Math.min(this.start(index + 1), this.to);
  }

  indexOf(time: number): number {
    return Math.floor((time - this.from) / this.#stepMs);
  }
}
