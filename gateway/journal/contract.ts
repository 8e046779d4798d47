import type { AuditRow, ChainHead } from '#common/model/audit.ts';

/**
 * The audit journal for the request path. A row is committed when its batch is in the file (`journalDurability:
 * process`) or fsynced (`power`); `done(false)` is called if that did not happen within 800 ms.
 */
export interface Journal {
  /** Records a row as one line of JSON, or several with line feeds between them. */
  commit(line: string, done: (ok: boolean) => void): void;
  /**
   * Records a refusal: as a single row or folded into a counted row (docs/spec/journal.md#refusals). It can be
   * explained in both cases.
   */
  refuse(row: AuditRow, foldKey: string, done: (ok: boolean) => void): void;
  /** Records what has happened already: nobody waits for it, and it is appended again until it is in the file. */
  record(line: string): void;
  readonly state: 'ok' | 'unavailable';
  readonly head: ChainHead | null;
  /** Changed settings; they apply from the next batch. */
  configure(settings: Pick<JournalOptions, 'durability'>): void;
  /** Flushes folded rows, seals, fsyncs and ends the thread. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** `<data>/journal` */
  folder: string;
  durability: 'process' | 'power';
  onHead(head: ChainHead, clean: boolean): void;
  /** The last batch in the chain when it was opened; number 0 if there is none. */
  onFound?(found: ChainHead): void;
  onState(state: 'ok' | 'unavailable', reason: string | null): void;
  /** Problems without loss of data, and damage that was found when the journal was opened. */
  onWarning?(reason: string): void;
}
