import type { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { releaseIdleMemory } from '#common/node/idle-memory.ts';
import { QueryRefusal } from './query-refusal.ts';
import { openForReading } from '../schema.ts';
import type { FromReader, SeriesColumns, ToReader } from './messages.ts';
import { PointSource } from './point-source.ts';
import { runQuery } from './run-query.ts';

/**
 * The thread that answers queries, with its own read-only connection. Queries take turns of one chunk each
 * (CHUNK_ROWS), so that a heavy query delays a light one by a few milliseconds per turn and never blocks it; each ends
 * at its own time limit. The client limits their number.
 */
interface ActiveQuery {
  readonly id: number;
  readonly deadline: number;
  readonly steps: Generator<void, SeriesColumns[]>;
}

class ReaderThread {
  readonly #file: string;
  readonly #tell: (message: FromReader) => void;
  readonly #active = new Map<number, ActiveQuery>();
  #db: DatabaseSync | null = null;
  #source: PointSource | null = null;
  #turning = false;

  constructor(file: string, tell: (message: FromReader) => void) {
    this.#file = file;
    this.#tell = tell;
  }

  query({ id, msMax, request }: Extract<ToReader, { kind: 'query' }>): void {
    try {
      const steps = runQuery(this.#open(), request);
      this.#active.set(id, { id, steps, deadline: performance.now() + msMax });
    } catch (error) {
      this.#fail(id, error);
    }
    this.#turn();
  }

  cancel(id: number): void {
    this.#active.delete(id);
  }

  close(): void {
    this.#active.clear();
    this.#db?.close();
  }

  #open(): PointSource {
    this.#db ??= openForReading(this.#file);
    this.#source ??= new PointSource(this.#db);
    return this.#source;
  }

  /** One step of every query, then messages, then again. */
  #turn(): void {
    if (this.#turning || this.#active.size === 0) return;
    this.#turning = true;
    setImmediate(() => {
      this.#turning = false;
      for (const query of this.#active.values()) this.#step(query);
      this.#turn();
    });
  }

  #step({ id, steps, deadline }: ActiveQuery): void {
    try {
      if (performance.now() > deadline)
        throw new QueryRefusal(
          'history_timeout',
          'the query did not end within its time; expected a shorter range or fewer tags',
        );
      const step = steps.next();
      if (step.done !== true) return;
      this.#active.delete(id);
      this.#tell({ id, series: step.value });
    } catch (error) {
      this.#active.delete(id);
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof QueryRefusal) return this.#tell({ id, code: error.code, message });
    this.#reset();
    this.#tell({ id, code: 'history_unavailable', message });
  }

  /** After an error of the file the connection is replaced; running queries fail on their own. */
  #reset(): void {
    const db = this.#db;
    this.#db = null;
    this.#source = null;
    try {
      db?.close();
    } catch {
      // It is released in any case.
    }
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  releaseIdleMemory();
  const thread = new ReaderThread((workerData as { file: string }).file, (message) => port.postMessage(message));
  port.on('message', (message: ToReader) => {
    if (message.kind === 'query') return thread.query(message);
    if (message.kind === 'cancel') return thread.cancel(message.id);
    thread.close();
    process.exit(0);
  });
}
