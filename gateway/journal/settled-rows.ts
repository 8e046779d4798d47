import type { ChainWriter } from '#common/node/journal/writer.ts';

/** Rows beyond it are lost; a write without its second row is marked as unknown at the next start. */
const WAITING_MAX = 10_000;
const RETRY_MS = 1_000;

/**
 * Rows of what has happened already, such as the result of a write: nobody waits for them, and they are appended again
 * until they are in the file. A row can be in the file twice if the journal's thread was lost in between.
 */
export class SettledRows {
  readonly #writer: Pick<ChainWriter, 'state' | 'appendWith'>;
  readonly #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(writer: Pick<ChainWriter, 'state' | 'appendWith'>) {
    this.#writer = writer;
  }

  record(line: string): void {
    this.#writer.appendWith(line, { settled: (ok) => ok || this.#keep(line) }, () => {});
  }

  /** Appends what is left, if the journal can be written. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#writer.state !== 'ok') return;
    for (const line of this.#waiting.splice(0)) this.#writer.appendWith(line, {}, () => {});
  }

  #keep(line: string): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(line);
    this.#timer ??= setTimeout(() => this.#retry(), RETRY_MS).unref();
  }

  #retry(): void {
    this.#timer = null;
    if (this.#writer.state !== 'ok') this.#timer = setTimeout(() => this.#retry(), RETRY_MS).unref();
    else for (const line of this.#waiting.splice(0)) this.record(line);
  }
}
