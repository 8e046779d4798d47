import type { AuditRow, ChainHead } from '#common/model/audit.ts';

/**
 * What the request path asks of the audit journal. A row is committed when its batch is in the file
 * (`journalDurability: process`) or fsynced (`power`); `done(false)` comes when that did not happen within 800 ms.
 */
export interface Journal {
  /** Records a row made as one JSON text by the request path (no line feed in it). */
  commit(line: string, done: (ok: boolean) => void): void;
  /**
   * Records a refusal: single or folded into a counted row (docs/spec/journal.md#refusals), kept explainable either
   * way.
   */
  refuse(row: AuditRow, foldKey: string, done: (ok: boolean) => void): void;
  readonly state: 'ok' | 'unavailable';
  readonly head: ChainHead | null;
  /** Changed settings; they count from the next batch. */
  configure(settings: Pick<JournalOptions, 'durability'>): void;
  /** Flushes folds, seals, fsyncs, ends the thread. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** `<data>/journal` */
  folder: string;
  durability: 'process' | 'power';
  onHead(head: ChainHead, clean: boolean): void;
  /** The chain was opened behind this batch; number 0 for none. */
  onFound?(found: ChainHead): void;
  onState(state: 'ok' | 'unavailable', reason: string | null): void;
  /** Troubles that lose nothing, and what was found damaged at the opening. */
  onWarning?(reason: string): void;
}
