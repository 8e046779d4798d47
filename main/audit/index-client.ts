import { Worker } from 'node:worker_threads';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow, ChainHead, ChainName } from '#common/model/audit.ts';
import type { AuditFilter } from '../contracts.ts';
import { type IndexAnswer, type IndexCall, type IndexQuestion, type IndexThreadData, QUIET } from './index-messages.ts';

export interface AuditIndex {
  search(filter: AuditFilter): Promise<{ items: AuditRow[]; next: string | null }>;
  lastUsed(): Promise<Map<string, string>>;
  /** The journal has grown to this head. */
  grown(head: ChainHead): void;
  close(): Promise<void>;
}

export interface IndexTiming {
  /** From the opening to the first look at what the journal has. */
  firstMs: number;
  /** Without anything new for so long, the thread ends. */
  quietMs: number;
  /** It is started again once the journal has grown by so many batches, or so long after it grew at all. */
  wakeBatches: number;
  wakeMs: number;
  /** Between two looks for what is new. */
  lookMs: number;
}

const QUESTIONS_MAX = 100;
/** `wakeBatches` are indexed in about a second: so much longer takes the first search after a quiet time. */
const TIMING: IndexTiming = {
  firstMs: 5_000,
  quietMs: 30_000,
  wakeBatches: 1_000,
  wakeMs: 5 * 60_000,
  lookMs: 1_000,
};

/**
 * The index's thread as seen from the host. It runs while there is something to index or to answer: else it would be
 * 12 MB for nothing. One that ended, for whatever reason, is started again by the next question and by a journal that
 * grows; one that is ending is waited for, since two would be in each other's way.
 */
export function openIndex(folder: string, timing: Partial<IndexTiming> = {}): AuditIndex {
  return new ThreadIndex(folder, { ...TIMING, ...timing });
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

class ThreadIndex implements AuditIndex {
  readonly #timing: IndexTiming;
  readonly #data: IndexThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #worker: Worker | null = null;
  #ending: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Where each chain was last, and by how many batches they have grown since the thread ended. */
  readonly #heads = new Map<ChainName, number>();
  #behind = 0;
  #closed = false;

  constructor(folder: string, timing: IndexTiming) {
    this.#timing = timing;
    this.#data = { folder, lookMs: timing.lookMs, quietMs: timing.quietMs };
    this.#startAfter(timing.firstMs);
  }

  async search(filter: AuditFilter): Promise<{ items: AuditRow[]; next: string | null }> {
    return (await this.#ask({ kind: 'search', filter })) as { items: AuditRow[]; next: string | null };
  }

  async lastUsed(): Promise<Map<string, string>> {
    const rows = (await this.#ask({ kind: 'lastUsed' })) as { key: string; time: string }[];
    return new Map(rows.map(({ key, time }) => [key, time]));
  }

  grown({ chain, seq }: ChainHead): void {
    this.#behind += Math.max(0, seq - (this.#heads.get(chain) ?? seq - 1));
    this.#heads.set(chain, seq);
    if (this.#worker !== null) return;
    if (this.#behind >= this.#timing.wakeBatches) this.#wake();
    else this.#startAfter(this.#timing.wakeMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#end();
    await this.#ending;
  }

  #ask(question: IndexCall): Promise<unknown> {
    if (this.#waiting.size >= QUESTIONS_MAX)
      return Promise.reject(new Error('too many questions to the audit index at once'));
    const id = ++this.#asked;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#running().then(
      (worker) => worker.postMessage({ id, ...question } satisfies IndexQuestion),
      (error: Error) => {
        this.#waiting.delete(id);
        reject(error);
      },
    );
    return promise;
  }

  /** The first time counts. */
  #startAfter(ms: number): void {
    this.#timer ??= setTimeout(() => this.#wake(), ms).unref();
  }

  #wake(): void {
    this.#running().catch(() => {});
  }

  /** Rejects once the index is closed. */
  async #running(): Promise<Worker> {
    if (this.#ending !== null) await this.#ending;
    if (this.#closed) throw new Error('the audit index is closed');
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#worker ??= this.#start());
  }

  #start(): Worker {
    const worker = new Worker(new URL('./index-worker.ts', import.meta.url), {
      workerData: this.#data,
      name: 'audit-index',
    });
    worker.on('message', (message: IndexAnswer | typeof QUIET) => {
      if (message === QUIET) this.#quiet(worker);
      else this.#answered(message);
    });
    worker.on('error', (error) => this.#ended(worker, error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => this.#ended(worker, 'the index thread ended'));
    return worker;
  }

  #answered(answer: IndexAnswer): void {
    const question = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('value' in answer) question?.resolve(answer.value);
    else question?.reject(failure(answer.error));
  }

  /** It answers pending questions before it ends. */
  #quiet(worker: Worker): void {
    if (this.#worker === worker) this.#end();
  }

  #end(): void {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    this.#behind = 0;
    this.#ending = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#ending = null;
        resolve();
      });
    });
    worker.postMessage('close');
  }

  #ended(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Error(`the audit index: ${reason}`));
    this.#waiting.clear();
  }
}

function failure({ message, errors }: Extract<IndexAnswer, { error: unknown }>['error']): Error {
  return errors === null ? new Error(message) : new SluiceError('invalid', message, { errors });
}
