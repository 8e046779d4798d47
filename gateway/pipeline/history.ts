/**
 * The newest runs, in memory (docs/spec/pipelines.md#runs): all of them, or, on a busy gateway, all failed ones and a
 * part of the others. Recording keeps references to messages, which are immutable; they are rendered and masked when
 * they are read. Limits: runs per pipeline, pipelines, estimated bytes in total; the oldest runs are removed first.
 * Payloads are measured at most ten times per second instead of with each run: measuring each cost 9 % of a small
 * request. Between two measurements, memory may exceed its limit by the runs of 0.1 s. Security: results are masked
 * (record.ts). Payloads are only for readers with `edit_pipelines`, which the admin API enforces.
 */
import type { RunRecord } from '#common/model/records.ts';
import { TokenBucket } from '../gates/token-bucket.ts';
import {
  PIPELINE_SUCCESSES_KEPT_PER_SECOND,
  PIPELINES_WITH_RUNS_MAX,
  RUN_BYTES_MAX,
  RUNS_BYTES_MAX,
  RUNS_PER_PIPELINE_MAX,
  SUCCESS_KEPT_EVERY_MS,
  SUCCESSES_KEPT_PER_SECOND,
} from './limits.ts';
import { renderRun, type RunLabel } from './record.ts';
import { listBudget, type ShowBudget } from './render.ts';
import type { PipelineRun } from './run.ts';
import { addedBytes } from './size.ts';

const STEP_BYTES = 160;
const RUN_BASE_BYTES = 512;
const MEASURE_EVERY_MS = 100;

/** A kept run, linked to its neighbours in time over all pipelines. */
interface Kept {
  readonly run: PipelineRun;
  readonly label: RunLabel;
  /** An estimate; without payloads until the run is measured. */
  bytes: number;
  measured: boolean;
  readonly ring: Ring;
  readonly slot: number;
  older: Kept | null;
  newer: Kept | null;
}

/** The runs of one pipeline; its revisions hold a reference, so that recording needs no look-up. */
export interface Ring {
  readonly slots: (Kept | undefined)[];
  next: number;
  /** Its own share of successful runs. */
  readonly successes: TokenBucket;
  /** When a successful run was last kept; monotonic milliseconds. */
  successKeptMs: number;
}

export class RunHistory {
  readonly #idPrefix: string;
  readonly #bytesMax: number;
  readonly #rings = new Map<string, Ring>();
  readonly #successes = new TokenBucket(SUCCESSES_KEPT_PER_SECOND, 0, performance.now());
  #oldest: Kept | null = null;
  #newest: Kept | null = null;
  #bytes = 0;
  #lastId = 0;
  #measuredAtMs = 0;

  /** `idPrefix` distinguishes the runs of this process from those of an earlier one. */
  constructor(idPrefix: string, bytesMax = RUNS_BYTES_MAX) {
    this.#idPrefix = idPrefix;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    this.#measure();
    return this.#bytes;
  }

  ring(project: string, pipeline: string): Ring {
    const key = `${project}/${pipeline}`;
    const ring = this.#rings.get(key) ?? newRing();
    this.#rings.delete(key);
    this.#rings.set(key, ring);
    if (this.#rings.size > PIPELINES_WITH_RUNS_MAX) this.#forgetOldestRing();
    return ring;
  }

  add(ring: Ring, label: RunLabel, run: PipelineRun): void {
    if (run.id === 0) run.id = ++this.#lastId;
    // A test's run is awaited by its starter.
    if (!run.test && wentWell(run) && !this.#takesSuccess(ring, run.endedMs)) return;
    const slot = ring.next;
    ring.next = (slot + 1) % RUNS_PER_PIPELINE_MAX;
    const before = ring.slots[slot];
    if (before !== undefined) this.#drop(before);
    const kept: Kept = {
      run,
      label,
      bytes: baseBytes(run),
      measured: false,
      ring,
      slot,
      older: this.#newest,
      newer: null,
    };
    if (this.#newest === null) this.#oldest = kept;
    else this.#newest.newer = kept;
    this.#newest = kept;
    ring.slots[slot] = kept;
    this.#bytes += kept.bytes;
    if (performance.now() - this.#measuredAtMs > MEASURE_EVERY_MS) this.#measure();
  }

  #takesSuccess(ring: Ring, nowMs: number): boolean {
    const hasShare = ring.successes.take(nowMs) && this.#successes.take(nowMs);
    if (!hasShare && nowMs - ring.successKeptMs < this.#successKeptEveryMs) return false;
    ring.successKeptMs = nowMs;
    return true;
  }

  /**
   * Over all pipelines, at most SUCCESSES_KEPT_PER_SECOND more are kept in this way, however many pipelines there are.
   */
  get #successKeptEveryMs(): number {
    return SUCCESS_KEPT_EVERY_MS * Math.max(1, this.#rings.size / SUCCESSES_KEPT_PER_SECOND);
  }

  /** Measures the runs kept since the last time, newest first, and removes the oldest beyond the limit. */
  #measure(): void {
    this.#measuredAtMs = performance.now();
    for (let kept = this.#newest; kept !== null && !kept.measured; kept = kept.older) {
      const bytes = keptBytes(kept.run);
      this.#bytes += bytes - kept.bytes;
      kept.bytes = bytes;
      kept.measured = true;
    }
    while (this.#bytes > this.#bytesMax && this.#oldest !== null) this.#drop(this.#oldest);
  }

  list(project: string, pipeline: string): RunRecord[] {
    this.#measure();
    const ring = this.#rings.get(`${project}/${pipeline}`);
    if (ring === undefined) return [];
    const kept = ring.slots.filter((entry) => entry !== undefined).toSorted((a, b) => b.run.id - a.run.id);
    const budget = listBudget();
    return kept.map((entry) => this.render(entry.label, entry.run, budget));
  }

  find(project: string, pipeline: string, id: string): RunRecord | null {
    this.#measure();
    const ring = this.#rings.get(`${project}/${pipeline}`);
    const kept = ring?.slots.find((entry) => entry !== undefined && this.#name(entry.run) === id);
    return kept === undefined ? null : this.render(kept.label, kept.run);
  }

  render(label: RunLabel, run: PipelineRun, budget?: ShowBudget): RunRecord {
    return renderRun(this.#name(run), label, run, budget);
  }

  /** Also of a run that has not ended, and that may not be kept. */
  nameOf(run: PipelineRun): string {
    if (run.id === 0) run.id = ++this.#lastId;
    return this.#name(run);
  }

  #name(run: PipelineRun): string {
    return `${this.#idPrefix}-${run.id}`;
  }

  #drop(kept: Kept): void {
    if (kept.older === null) this.#oldest = kept.newer;
    else kept.older.newer = kept.newer;
    if (kept.newer === null) this.#newest = kept.older;
    else kept.newer.older = kept.older;
    // A removed run is in the old generation. The collector treats its references as alive until a full collection.
    kept.older = kept.newer = null;
    kept.ring.slots[kept.slot] = undefined;
    this.#bytes -= kept.bytes;
  }

  #forgetOldestRing(): void {
    for (const [key, ring] of this.#rings) {
      for (const kept of ring.slots) if (kept !== undefined) this.#drop(kept);
      this.#rings.delete(key);
      return;
    }
  }
}

function newRing(): Ring {
  const successes = new TokenBucket(PIPELINE_SUCCESSES_KEPT_PER_SECOND, RUNS_PER_PIPELINE_MAX, performance.now());
  return { slots: [], next: 0, successes, successKeptMs: -Infinity };
}

function wentWell({ outcome, reply }: PipelineRun): boolean {
  return outcome === 'ended' || (outcome === 'replied' && reply !== null && reply.status < 400);
}

function baseBytes(run: PipelineRun): number {
  return RUN_BASE_BYTES + run.steps.length * STEP_BYTES;
}

/** Estimates the memory that the run keeps alive; a run that is too large drops its payloads. */
function keptBytes(run: PipelineRun): number {
  const base = baseBytes(run);
  let bytes = base + addedBytes(run.message.payload, undefined);
  for (const step of run.steps) {
    if (step.output !== null && step.output !== step.input)
      bytes += addedBytes(step.output.payload, step.input.payload);
    if (bytes > RUN_BYTES_MAX) break;
  }
  const reply = run.reply?.body;
  if (reply instanceof Uint8Array) bytes += reply.byteLength;
  else if (typeof reply === 'string') bytes += reply.length;
  if (bytes <= RUN_BYTES_MAX) return bytes;
  run.omitPayloads();
  return base;
}
