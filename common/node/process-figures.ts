import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { ProcessFigures } from '../control/messages.ts';

/** Resource use of this process for the metrics. The event loop is measured from the first call on. */
export function processFigures(): ProcessFigures {
  meter ??= new LoopMeter();
  const { user, system } = process.cpuUsage();
  const { used_heap_size: heapUsedBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics();
  return {
    startedAt: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    heapUsedBytes,
    heapLimitBytes,
    eventLoopDelay: meter.read(performance.now()),
  };
}

let meter: LoopMeter | null = null;

/** Period of the measured timer. A shorter one would wake an idle process more often. */
const PERIOD_MS = 20;
/** Reads within this time return the same values, so that several scrapers do not disturb each other. */
export const WINDOW_MS = 10_000;
/** The first window is shorter, so that a value is available soon. */
export const FIRST_WINDOW_MS = 1_000;
const NS_PER_SECOND = 1e9;

/** How late timers fired during the last complete window. */
export class LoopMeter {
  readonly #delay = monitorEventLoopDelay({ resolution: PERIOD_MS });
  #since: number | null = null;
  #last: ProcessFigures['eventLoopDelay'] = null;

  constructor() {
    this.#delay.enable();
  }

  /** `nowMs`: monotonic milliseconds. Null before the first window is complete. */
  read(nowMs: number): ProcessFigures['eventLoopDelay'] {
    this.#since ??= nowMs;
    const windowMs = this.#last === null ? FIRST_WINDOW_MS : WINDOW_MS;
    if (nowMs - this.#since < windowMs || this.#delay.count === 0) return this.#last;
    this.#last = {
      mean: seconds(this.#delay.mean),
      p99: seconds(this.#delay.percentile(99)),
      max: seconds(this.#delay.max),
    };
    this.#delay.reset();
    this.#since = nowMs;
    return this.#last;
  }

  close(): void {
    this.#delay.disable();
  }
}

/** Node includes the period itself in the delay. */
function seconds(ns: number): number {
  return Math.max(0, ns / NS_PER_SECOND - PERIOD_MS / 1000);
}
