/**
 * The backlog of each target of store-and-forward, and how full the buffer is, over time.
 *
 * Asks the gateway every 5 s and keeps the greatest values of each step, for three ranges. A step without an answer of
 * the gateway is unknown. Limits: the steps of BACKLOG_RANGES, with at most BACKLOG_TARGETS_MAX targets each, those
 * with the most events first.
 * Crash and damage: written once a minute, what came later is lost; a file that cannot be read is set aside as
 * `backlog.sqlite.damaged`, and a step that cannot be written is in memory only.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type Backlog, type EgressState, filledShare } from '#common/model/egress.ts';
import { type Series, TRAFFIC_RANGES, type TrafficRange } from '#common/model/traffic.ts';
import { inTransaction } from '#common/node/transaction.ts';
import { type DisposableForm, openDisposable } from '../disk/disposable-database.ts';
import type { CollectorOptions } from './collector.ts';
import { rounded } from './level.ts';
import { Poller } from './poller.ts';

export const BACKLOG_TARGETS_MAX = 100;
const ASK_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The length of a step, and how many are kept. */
export const BACKLOG_RANGES: Readonly<Record<TrafficRange, { stepMs: number; steps: number }>> = {
  '15m': { stepMs: 10_000, steps: 90 },
  '8h': { stepMs: 5 * MINUTE_MS, steps: 96 },
  '7d': { stepMs: HOUR_MS, steps: 168 },
};

interface Step {
  /** The share of the buffer that is in use, 0 to 1. */
  filled: number;
  /** Events by target; one without is missing. */
  waiting: Map<string, number>;
}

const FORM: DisposableForm = {
  what: 'backlogs of store and forward',
  version: 1,
  schema: `
  CREATE TABLE steps (
    range TEXT NOT NULL, step INTEGER NOT NULL, filled REAL NOT NULL, waiting TEXT NOT NULL,
    PRIMARY KEY (range, step)) STRICT, WITHOUT ROWID;
`,
  probes: ['SELECT sum(length(waiting)) FROM steps'],
};

export class BacklogHistory {
  readonly #options: CollectorOptions;
  readonly #db: DatabaseSync;
  readonly #ranges = new Map<TrafficRange, Map<number, Step>>(TRAFFIC_RANGES.map((range) => [range, new Map()]));
  /** Steps that have changed since they were written. */
  readonly #unwritten = new Map<TrafficRange, Set<number>>(TRAFFIC_RANGES.map((range) => [range, new Set()]));
  #minute: number;
  readonly #poller = new Poller(() => this.#ask());
  /** Logged once, until something works again. */
  #isFailing = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#db = openDisposable(options.file, FORM, options.log);
    this.#minute = Math.floor(options.now() / MINUTE_MS);
    this.#load();
  }

  /** Asks until the returned function is called. */
  start(everyMs = ASK_EVERY_MS): () => Promise<void> {
    const stop = this.#poller.start(everyMs);
    return async () => {
      await stop();
      this.#write();
      this.#db.close();
    };
  }

  /** One asking; one at a time. */
  tick(): Promise<void> {
    return this.#poller.tick();
  }

  /** `target`: scheme, host and port. One that never had events has waited for nothing. */
  of(target: string, range: TrafficRange): Backlog {
    const nowMs = this.#options.now();
    return {
      target,
      range,
      at: new Date(nowMs).toISOString(),
      waiting: this.#series(range, nowMs, ({ waiting }) => waiting.get(target) ?? 0),
      filled: this.#series(range, nowMs, ({ filled }) => rounded(filled)),
    };
  }

  #series(range: TrafficRange, nowMs: number, value: (step: Step) => number): Series {
    const { stepMs, steps } = BACKLOG_RANGES[range];
    const known = this.#ranges.get(range);
    const first = Math.floor(nowMs / stepMs) - steps + 1;
    const values = Array.from({ length: steps }, (_, index) => {
      const step = known?.get(first + index);
      return step === undefined ? null : value(step);
    });
    return { from: new Date(first * stepMs).toISOString(), stepSeconds: stepMs / 1000, values };
  }

  async #ask(): Promise<void> {
    const { gateway, now } = this.#options;
    // The collector of the traffic figures logs a gateway that does not answer; here its steps stay unknown.
    if (gateway.state === 'running')
      await gateway.call('egress-state', {}).then(
        (state) => this.#take(state),
        () => undefined,
      );
    const minute = Math.floor(now() / MINUTE_MS);
    if (minute !== this.#minute) this.#write();
    this.#minute = minute;
  }

  #take({ buffer, targets }: EgressState): void {
    const nowMs = this.#options.now();
    const filled = filledShare(buffer);
    const waiting = targets
      .filter(({ queued }) => queued > 0)
      .toSorted((a, b) => b.queued - a.queued)
      .slice(0, BACKLOG_TARGETS_MAX);
    for (const [range, known] of this.#ranges) {
      const at = Math.floor(nowMs / BACKLOG_RANGES[range].stepMs);
      const step = known.get(at) ?? { filled: 0, waiting: new Map<string, number>() };
      known.set(at, step);
      step.filled = Math.max(step.filled, filled);
      for (const { target, queued } of waiting) addMost(step.waiting, target, queued);
      this.#unwritten.get(range)?.add(at);
      forgetOutside(known, at, BACKLOG_RANGES[range].steps);
    }
  }

  #load(): void {
    const nowMs = this.#options.now();
    for (const row of this.#safely([], () => this.#db.prepare('SELECT * FROM steps').all())) {
      const { data } = storedStep.safeParse(row);
      if (data === undefined) continue;
      this.#ranges.get(data.range)?.set(data.step, { filled: data.filled, waiting: new Map(data.waiting) });
    }
    for (const [range, known] of this.#ranges)
      forgetOutside(known, Math.floor(nowMs / BACKLOG_RANGES[range].stepMs), BACKLOG_RANGES[range].steps);
  }

  #write(): void {
    this.#safely(undefined, () =>
      inTransaction(this.#db, () => {
        const put = this.#db.prepare('INSERT OR REPLACE INTO steps (range, step, filled, waiting) VALUES (?, ?, ?, ?)');
        const prune = this.#db.prepare('DELETE FROM steps WHERE range = ? AND (step < ? OR step > ?)');
        for (const [range, known] of this.#ranges) {
          for (const at of this.#unwritten.get(range) ?? []) {
            const step = known.get(at);
            if (step !== undefined) put.run(range, at, step.filled, JSON.stringify([...step.waiting]));
          }
          const newest = Math.floor(this.#options.now() / BACKLOG_RANGES[range].stepMs);
          prune.run(range, newest - BACKLOG_RANGES[range].steps + 1, newest);
        }
      }),
    );
    for (const steps of this.#unwritten.values()) steps.clear();
  }

  #safely<T>(otherwise: T, work: () => T): T {
    try {
      const value = work();
      this.#isFailing = false;
      return value;
    } catch (error) {
      const { log, file } = this.#options;
      if (!this.#isFailing) log.warn('the backlogs of store and forward cannot be read or written', { file, error });
      this.#isFailing = true;
      return otherwise;
    }
  }
}

const storedStep = z.object({
  range: z.enum(TRAFFIC_RANGES),
  step: z.number(),
  filled: z.number(),
  waiting: z.string().transform((text, context): [string, number][] => {
    try {
      return z.array(z.tuple([z.string(), z.number()])).parse(JSON.parse(text));
    } catch {
      context.addIssue('not a list of targets');
      return z.NEVER;
    }
  }),
});

function addMost(waiting: Map<string, number>, target: string, queued: number): void {
  const before = waiting.get(target);
  if (before === undefined && waiting.size >= BACKLOG_TARGETS_MAX) return;
  waiting.set(target, Math.max(before ?? 0, queued));
}

/** Later steps are of a clock that was set back. */
function forgetOutside(known: Map<number, Step>, newest: number, steps: number): void {
  for (const at of known.keys()) if (at <= newest - steps || at > newest) known.delete(at);
}
