import { existsSync, readdirSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { join } from 'node:path';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { chainFolder } from '#common/node/journal/format.ts';
import { needsRoom } from '#common/node/needs-room.ts';
import { indexInMemory, openIndexDatabase, removeIndex } from './index-database.ts';
import { type IndexAnswer, type IndexQuestion, type IndexThreadData, QUIET } from './index-messages.ts';
import { CHAINS, Indexer } from './indexer.ts';
import { search } from './search.ts';
import { summarise } from './summary.ts';

/**
 * The thread that owns the search index. Each query first catches up with the sealed batches in the files. Between
 * queries it works in the background, at most a tenth of the time, so that a busy gateway keeps the CPU. After an idle
 * period it reports that, and its client ends it. After any error of the index, it is built again once.
 *
 * While the disk has no space for the index, queries are answered from one in memory. Limits: it is only built for a
 * journal of at most MEMORY_JOURNAL_BYTES_MAX, and takes about as much memory.
 */
export const INDEX_FILE = 'index.sqlite';
const MEMORY_JOURNAL_BYTES_MAX = 64 * 1024 ** 2;
const REST_PER_WORK = 10;

/** An index with its indexer. */
interface Opened {
  readonly database: DatabaseSync;
  readonly indexer: Indexer;
}

class IndexThread {
  readonly #folder: string;
  readonly #file: string;
  readonly #lookMs: number;
  readonly #quietMs: number;
  readonly #onQuiet: () => void;
  #busyAt = performance.now();
  #onDisk: Opened | null = null;
  #inMemory: Opened | null = null;

  constructor({ folder, lookMs, quietMs }: IndexThreadData, onQuiet: () => void) {
    this.#folder = folder;
    this.#lookMs = lookMs;
    this.#quietMs = quietMs;
    this.#onQuiet = onQuiet;
    this.#file = join(folder, INDEX_FILE);
    this.#background(lookMs);
  }

  answer(question: IndexQuestion): IndexAnswer {
    const { id } = question;
    this.#busyAt = performance.now();
    try {
      return { id, value: this.#value(question) };
    } catch (error) {
      if (needsRoom(error)) return { id, needsRoom: true };
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
    this.#closeOnDisk();
    this.#closeInMemory();
  }

  #value(question: IndexQuestion): unknown {
    try {
      const value = this.#twice((index) => this.#valueIn(index, question));
      this.#closeInMemory();
      return value;
    } catch (error) {
      if (!needsRoom(error) || journalBytes(this.#folder) > MEMORY_JOURNAL_BYTES_MAX) throw error;
      this.#inMemory ??= this.#opened(indexInMemory());
      return this.#valueIn(this.#inMemory, question);
    }
  }

  #valueIn({ database, indexer }: Opened, question: IndexQuestion): unknown {
    indexer.catchUp();
    if (question.kind === 'search') return search(database, this.#folder, question.filter);
    if (question.kind === 'summary') return summarise(database, question.filter);
    return database.prepare('SELECT key, time FROM last_used').all();
  }

  /** A full disk is no reason to build the index again. */
  #twice<T>(work: (index: Opened) => T): T {
    try {
      return work(this.#disk());
    } catch (error) {
      if (error instanceof SluiceError || needsRoom(error)) throw error;
      this.#closeOnDisk();
      removeIndex(this.#file);
      return work(this.#disk());
    }
  }

  #disk(): Opened {
    return (this.#onDisk ??= this.#opened(openIndexDatabase(this.#file)));
  }

  #opened(database: DatabaseSync): Opened {
    return { database, indexer: new Indexer(this.#folder, database) };
  }

  #closeOnDisk(): void {
    this.#onDisk?.database.close();
    this.#onDisk = null;
  }

  #closeInMemory(): void {
    this.#inMemory?.database.close();
    this.#inMemory = null;
  }

  #background(afterMs: number): void {
    setTimeout(() => {
      const from = performance.now();
      let { more, isNew } = { more: false, isNew: false };
      try {
        ({ more, isNew } = this.#twice(step));
      } catch {
        // The next query finds the same problem and reports it.
      }
      if (more || isNew) this.#busyAt = from;
      if (from - this.#busyAt >= this.#quietMs) this.#onQuiet();
      const restMs = (performance.now() - from) * REST_PER_WORK;
      this.#background(more ? restMs : Math.max(this.#lookMs, restMs));
    }, afterMs);
  }
}

/** One piece of each chain. `more`: another one follows; `isNew`: there were new rows. */
function step({ indexer }: Opened): { more: boolean; isNew: boolean } {
  const before = indexer.pieces;
  const more = indexer.step();
  return { more, isNew: indexer.pieces !== before };
}

function journalBytes(folder: string): number {
  const files = CHAINS.map((chain) => chainFolder(folder, chain))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
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
