import { performance } from 'node:perf_hooks';
import { clip } from '#common/clip.ts';
import type { AuditRow, WriteFields, WriteResult } from '#common/model/audit.ts';
import { WRITE_FORM } from '#common/model/audit.ts';
import type { Settings } from '#common/model/settings.ts';
import { NodeError } from '#sdk';
import type { Journal } from '../journal/contract.ts';
import { rowText, timeText } from '../journal/rows.ts';
import type { CallContext } from './contract.ts';
import { PartlyWritten } from './writes/partly-written.ts';
import type { CallResult, LookUp, PlannedWrite } from './writes/planned-write.ts';
import { type Ended, endOf, WriteTally } from './writes/write-tally.ts';

/**
 * The rows of writes (docs/spec/journal.md#writes): one before each write, one after it. A write begins when its first
 * row is in the file; without it, the write is refused with `audit_unavailable`.
 *
 * Folding: writes of runs that no request and no user began share their two rows if pipeline, node and thing are the same
 * and they begin within FOLD_MS of the first. The first row is written before the first of them. Limits: WINDOWS_MAX
 * open windows, beyond which each write has its own rows; VALUE_CHARS_MAX characters of a value.
 */
export const FOLD_MS = 1_000;
const WINDOWS_MAX = 10_000;
export const VALUE_CHARS_MAX = 160;
/** Longer texts are cut before they are masked: what is left of a secret at the cut is not shown. */
const MASKED_CHARS_MAX = 4_096;

export type WriteMode = Settings['journalWrites'];
export type WriteContext = Pick<CallContext, 'project' | 'pipeline' | 'node' | 'origin' | 'mask'>;
export type WriteJournal = Pick<Journal, 'commit' | 'record' | 'state'>;

/** One write or, folded, several of the same thing. */
interface Rows {
  /** Fields of both rows. */
  readonly fields: Omit<AuditRow, 'time' | 'type'>;
  readonly tally: WriteTally;
  /** The first row is in the file. Rejects with `audit_unavailable`. */
  begun: Promise<void>;
  /** Later writes of the same thing may still join. */
  open: boolean;
}

/** A write within its rows. */
interface Part {
  readonly rows: Rows;
  readonly to: string | undefined;
}

export class WriteLog {
  readonly #journal: WriteJournal;
  readonly #windows = new Map<string, Rows>();
  readonly #idPrefix = `${Date.now().toString(36)}${process.pid.toString(36)}`;
  #lastId = 0;
  mode: WriteMode;

  constructor(journal: WriteJournal, mode: WriteMode) {
    this.#journal = journal;
    this.mode = mode;
  }

  /**
   * Performs writes between their rows. Rejects with NodeError `audit_unavailable` if the first rows are not written;
   * `perform` is then not called, nor if `signal` is aborted before it. A removal by a user is performed without them:
   * the journal of the host has its row. `resultOf`: the result that the value states.
   */
  async around<T>(
    planned: readonly PlannedWrite[],
    context: WriteContext,
    signal: AbortSignal,
    work: { perform(): T | Promise<T>; resultOf(value: T): CallResult; lookUp: LookUp },
  ): Promise<T> {
    if (this.mode === 'off' || planned.length === 0) return work.perform();
    const isFreeing = context.origin().user !== undefined && planned.every(({ frees }) => frees === true);
    const parts = this.#begin(planned, context, work.lookUp, !isFreeing);
    await (isFreeing ? Promise.allSettled(parts.map(({ rows }) => rows.begun)) : this.#allBegun(parts));
    const beganMs = performance.now();
    const end = (ends: (index: number) => Ended): void => {
      const durationMs = Math.round(performance.now() - beganMs);
      for (const [index, part] of parts.entries()) this.#end(part, ends(index), durationMs);
    };
    if (signal.aborted) {
      const error = new NodeError('call_cancelled', 'the run ended before the write');
      end(() => ({ result: 'not_performed', code: error.code }));
      throw error;
    }
    try {
      const value = await work.perform();
      const ended = { result: 'done' as WriteResult, ...work.resultOf(value) };
      end(() => ended);
      return value;
    } catch (error) {
      const done = error instanceof PartlyWritten ? error.done : 0;
      end((index) => endOf(error, index, done));
      throw error;
    }
  }

  /** Ends all windows; writes that are still in progress have no second row. */
  close(): void {
    for (const [key, rows] of this.#windows) this.#shut(key, rows);
  }

  #begin(planned: readonly PlannedWrite[], context: WriteContext, lookUp: LookUp, needsRows: boolean): Part[] {
    const fresh: Rows[] = [];
    const origin = context.origin();
    const { keyId, user, requestId } = origin;
    // A public route has no rows of its calls: without its own rows, a caller could hide behind the first of a second.
    const isFolded = this.mode === 'folded' && [keyId, user, requestId].every((one) => one === undefined);
    const parts = planned.map((write) => {
      const to = write.to === undefined ? undefined : shown(write.to, context);
      const place = [context.project, context.pipeline, context.node, write.kind, write.thing, origin.rehearsal ?? ''];
      const key = isFolded ? place.join('\n') : '';
      const known = this.#windows.get(key);
      const rows = known ?? this.#rows(write, context, lookUp);
      if (known === undefined) {
        if (to !== undefined) rows.fields.to = to;
        fresh.push(rows);
        if (isFolded && this.#windows.size < WINDOWS_MAX) this.#openWindow(key, rows);
      }
      rows.tally.began();
      return { rows, to };
    });
    if (fresh.length > 0) this.#commit(fresh, needsRows);
    return parts;
  }

  #rows(write: PlannedWrite, { project, pipeline, node, origin, mask }: WriteContext, lookUp: LookUp): Rows {
    const { kind, thing, device } = write;
    const id = `${this.#idPrefix}-${(this.#lastId += 1).toString(36)}`;
    const fields: Partial<AuditRow> & WriteFields = { form: WRITE_FORM, write: id, kind, thing, project };
    if (device !== undefined && device !== '') fields.device = device;
    if (pipeline !== '') fields.pipeline = pipeline;
    if (node !== '') fields.node = node;
    Object.assign(fields, origin());
    const before = kind === 'tag' || kind === 'variable' ? lookUp(thing) : null;
    if (before !== null && 'value' in before) fields.from = shown(before.value, { mask });
    return { fields, tally: new WriteTally(), begun: Promise.resolve(), open: false };
  }

  #openWindow(key: string, rows: Rows): void {
    rows.open = true;
    this.#windows.set(key, rows);
    setTimeout(() => this.#shut(key, rows), FOLD_MS).unref();
  }

  #shut(key: string, rows: Rows): void {
    if (!rows.open) return;
    rows.open = false;
    this.#windows.delete(key);
    this.#finish(rows);
  }

  #commit(fresh: readonly Rows[], needsRows: boolean): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Each write that waits for it reports the failure.
    promise.catch(() => undefined);
    const isRefused = needsRows && this.#journal.state === 'ok';
    const text = fresh.map(({ fields }) => rowText({ time: timeText(), type: 'write', ...fields })).join('\n');
    this.#journal.commit(text, (ok) => {
      if (ok) return resolve();
      // The rows may still reach the file.
      if (isRefused)
        for (const { fields } of fresh) this.#record(fields, { result: 'not_performed', code: 'audit_unavailable' });
      for (const [key, rows] of this.#windows) if (fresh.includes(rows)) this.#forget(key, rows);
      reject(new NodeError('audit_unavailable', 'the audit journal cannot be written; nothing was written'));
    });
    for (const rows of fresh) rows.begun = promise;
  }

  #forget(key: string, rows: Rows): void {
    rows.open = false;
    this.#windows.delete(key);
  }

  /** If one part cannot begin, the others end without effect. */
  async #allBegun(parts: readonly Part[]): Promise<void> {
    const begun = await Promise.allSettled(parts.map(({ rows }) => rows.begun));
    const failed = begun.find((one) => one.status === 'rejected');
    if (failed === undefined) return;
    for (const [index, part] of parts.entries())
      if (begun[index]?.status === 'fulfilled')
        this.#end(part, { result: 'not_performed', code: 'audit_unavailable' }, 0);
    throw failed.reason;
  }

  #end({ rows, to }: Part, ended: Ended, durationMs: number): void {
    const value = ended.to === undefined ? to : shown(ended.to, {});
    rows.tally.ended(ended, value, durationMs);
    this.#finish(rows);
  }

  #finish({ fields, tally, open }: Rows): void {
    if (!open && tally.isComplete) this.#record(fields, tally.fields());
  }

  #record(fields: Rows['fields'], ended: Partial<AuditRow>): void {
    this.#journal.record(rowText({ time: timeText(), type: 'written', ...fields, ...ended }));
  }
}

export function shown(value: unknown, { mask }: Partial<Pick<WriteContext, 'mask'>>): string {
  const text = jsonOf(value).slice(0, MASKED_CHARS_MAX);
  return clip(mask === undefined ? text : mask(text), VALUE_CHARS_MAX);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '…';
  }
}
