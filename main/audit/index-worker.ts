import type { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { join } from 'node:path';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { openIndexDatabase, removeIndex } from './index-database.ts';
import { type IndexAnswer, type IndexQuestion, type IndexThreadData, QUIET } from './index-messages.ts';
import { Indexer } from './indexer.ts';
import { search } from './search.ts';

/**
 * The thread that owns the search index. Each question first catches up with the sealed batches in the files. Between
 * questions it works in the background, at most a tenth of the time, so that a busy gateway keeps the processor. With
 * nothing new for a while it says so, and its client closes it. After any error of the index, it is built again once.
 */
export const INDEX_FILE = 'index.sqlite';
const REST_PER_WORK = 10;

class IndexThread {
  readonly #folder: string;
  readonly #file: string;
  readonly #lookMs: number;
  readonly #quietMs: number;
  readonly #tellQuiet: () => void;
  #busyAt = performance.now();
  #database: DatabaseSync;
  #indexer: Indexer;

  constructor({ folder, lookMs, quietMs }: IndexThreadData, tellQuiet: () => void) {
    this.#folder = folder;
    this.#lookMs = lookMs;
    this.#quietMs = quietMs;
    this.#tellQuiet = tellQuiet;
    this.#file = join(folder, INDEX_FILE);
    this.#database = openIndexDatabase(this.#file);
    this.#indexer = new Indexer(folder, this.#database);
    this.#background(lookMs);
  }

  answer(question: IndexQuestion): IndexAnswer {
    const { id } = question;
    this.#busyAt = performance.now();
    try {
      return { id, value: this.#twice(() => this.#value(question)) };
    } catch (error) {
      const invalid = error instanceof SluiceError;
      return {
        id,
        error: {
          message: error instanceof Error ? error.message : String(error),
          errors: (invalid && error.errors) || null,
        },
      };
    }
  }

  close(): void {
    this.#database.close();
  }

  #value(question: IndexQuestion): unknown {
    this.#indexer.catchUp();
    if (question.kind === 'search') return search(this.#database, this.#folder, question.filter);
    return this.#database.prepare('SELECT key, time FROM last_used').all();
  }

  #twice<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof SluiceError) throw error;
      this.#database.close();
      removeIndex(this.#file);
      this.#database = openIndexDatabase(this.#file);
      this.#indexer = new Indexer(this.#folder, this.#database);
      return work();
    }
  }

  #background(afterMs: number): void {
    setTimeout(() => {
      const from = performance.now();
      const pieces = this.#indexer.pieces;
      let more = false;
      try {
        more = this.#twice(() => this.#indexer.step());
      } catch {
        // The next question meets the same trouble and reports it.
      }
      if (more || this.#indexer.pieces !== pieces) this.#busyAt = from;
      if (from - this.#busyAt >= this.#quietMs) this.#tellQuiet();
      const restMs = (performance.now() - from) * REST_PER_WORK;
      this.#background(more ? restMs : Math.max(this.#lookMs, restMs));
    }, afterMs);
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  releaseIdleMemory();
  const thread = new IndexThread(workerData as IndexThreadData, () => port.postMessage(QUIET));
  port.on('message', (message: IndexQuestion | 'close') => {
    if (message !== 'close') return port.postMessage(thread.answer(message));
    thread.close();
    process.exit(0);
  });
}
