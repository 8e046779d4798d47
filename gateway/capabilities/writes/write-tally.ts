import type { NodeCode } from '#common/errors/node-codes.ts';
import type { AuditRow, WriteResult } from '#common/model/audit.ts';
import { NodeError } from '#sdk';

/** The end of one write. `status`: of an outgoing call. */
export interface Ended {
  readonly result: WriteResult;
  readonly code?: NodeCode;
  readonly to?: unknown;
  readonly status?: number;
}

/** Codes after which nobody knows whether the write took effect. */
const UNKNOWN: ReadonlySet<NodeCode> = new Set<NodeCode>([
  'call_timeout',
  'call_cancelled',
  'node_failed',
  'device_unreachable',
  'db_timeout',
  'db_unreachable',
  'target_timeout',
  'target_unreachable',
  'outbox_unavailable',
]);

/** Refusals by Sluice itself, right before the write. */
const NOT_PERFORMED: ReadonlySet<NodeCode> = new Set<NodeCode>(['audit_unavailable', 'interlock', 'write_stopped']);

/** The end of write `index` of a call that failed after `done` writes. */
export function endOf(error: unknown, index: number, done: number): Ended {
  if (index < done) return { result: 'done' };
  const code = error instanceof NodeError ? error.code : 'node_failed';
  if (error instanceof NodeError && 'done' in error && index > done) return { result: 'not_performed', code };
  if (NOT_PERFORMED.has(code)) return { result: 'not_performed', code };
  return { result: UNKNOWN.has(code) ? 'unknown' : 'failed', code };
}

/** From good to bad: the result of several writes is the worst of them. */
const ORDER: readonly WriteResult[] = ['done', 'rehearsed', 'not_performed', 'failed', 'unknown'];

/** Counts the writes of one pair of rows. */
export class WriteTally {
  #pending = 0;
  #count = 0;
  #failed = 0;
  #result: WriteResult = 'done';
  #code: NodeCode | undefined;
  #status: number | undefined;
  #first: string | undefined;
  #last: string | undefined;
  #durationMs = 0;

  began(): void {
    this.#pending += 1;
  }

  /** `to`: the written value as it is shown. */
  ended({ result, code, status }: Ended, to: string | undefined, durationMs: number): void {
    this.#pending -= 1;
    this.#count += 1;
    if (result !== 'done' && result !== 'rehearsed') this.#failed += 1;
    if (ORDER.indexOf(result) > ORDER.indexOf(this.#result)) this.#result = result;
    this.#code = code ?? this.#code;
    this.#status = status ?? this.#status;
    this.#first ??= to;
    this.#last = to ?? this.#last;
    this.#durationMs = durationMs;
  }

  /** All writes that began have ended, and there was one. */
  get isComplete(): boolean {
    return this.#pending === 0 && this.#count > 0;
  }

  /** Fields of the row after the writes. */
  fields(): Partial<AuditRow> {
    const fields: Partial<AuditRow> = { result: this.#result };
    if (this.#last !== undefined) fields.to = this.#last;
    if (this.#code !== undefined) fields.code = this.#code;
    if (this.#status !== undefined) fields.status = this.#status;
    if (this.#count === 1) return { ...fields, durationMs: this.#durationMs };
    fields.count = this.#count;
    if (this.#first !== undefined) fields.first = this.#first;
    if (this.#failed > 0) fields.failed = this.#failed;
    return fields;
  }
}
