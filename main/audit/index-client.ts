import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import { PendingRequests } from '#common/node/pending-requests.ts';
import { WorkerThread } from '#common/node/worker-thread.ts';
import type { AuditFilter, AuditPage, AuditSummary } from '../contracts.ts';
import { type IndexAnswer, type IndexCall, type IndexQuestion, type IndexThreadData, QUIET } from './index-messages.ts';

/** All of them reject with `disk_reserve` if the disk has no space for the index. */
export interface AuditIndex {
  search(filter: AuditFilter): Promise<AuditPage>;
  summary(filter: AuditFilter): Promise<AuditSummary>;
  lastUsed(): Promise<Map<string, string>>;
  /** The journal has grown to this head. */
  grown(head: ChainHead): void;
  close(): Promise<void>;
}

export interface IndexTiming {
  /** From the start to the first check of the journal. */
  firstMs: number;
  /** After this long without new rows, the thread ends. */
  quietMs: number;
  /** It is started again once the journal has grown by this many batches, or this long after it has grown at all. */
  wakeBatches: number;
  wakeMs: number;
  /** Interval between two checks for new rows. */
  lookMs: number;
}

const QUESTIONS_MAX = 100;
/** `wakeBatches` are indexed in about a second: the first search after a quiet period takes this much longer. */
const TIMING: IndexTiming = {
  firstMs: 5_000,
  quietMs: 30_000,
  wakeBatches: 1_000,
  wakeMs: 5 * 60_000,
  lookMs: 1_000,
};

/**
 * The host's client of the index thread. The thread runs while there is something to index or to answer: otherwise its
 * 12 MB would be wasted. If it has ended, for whatever reason, it is started again by the next query and by a growing
 * journal; a thread that is ending is waited for, because two would interfere with each other.
 */
export function openIndex(folder: string, timing: Partial<IndexTiming> = {}): AuditIndex {
  return new ThreadIndex(folder, { ...TIMING, ...timing });
}

type IndexThread = WorkerThread<IndexQuestion | 'close', IndexAnswer | typeof QUIET>;

class ThreadIndex implements AuditIndex {
  readonly #timing: IndexTiming;
  readonly #data: IndexThreadData;
  readonly #questions = new PendingRequests<unknown>();
  #thread: IndexThread | null = null;
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

  async search(filter: AuditFilter): Promise<AuditPage> {
    return (await this.#ask({ kind: 'search', filter })) as AuditPage;
  }

  async summary(filter: AuditFilter): Promise<AuditSummary> {
    return (await this.#ask({ kind: 'summary', filter })) as AuditSummary;
  }

  async lastUsed(): Promise<Map<string, string>> {
    const rows = (await this.#ask({ kind: 'lastUsed' })) as { key: string; time: string }[];
    return new Map(rows.map(({ key, time }) => [key, time]));
  }

  grown({ chain, seq }: ChainHead): void {
    this.#behind += Math.max(0, seq - (this.#heads.get(chain) ?? seq - 1));
    this.#heads.set(chain, seq);
    if (this.#thread !== null) return;
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
    if (this.#questions.size >= QUESTIONS_MAX)
      return Promise.reject(new Error('too many questions to the audit index at once'));
    const { id, promise } = this.#questions.add(undefined);
    this.#running().then(
      (thread) => thread.post({ id, ...question }),
      (error: Error) => this.#questions.reject(id, error),
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
  async #running(): Promise<IndexThread> {
    if (this.#ending !== null) await this.#ending;
    if (this.#closed) throw new Error('the audit index is closed');
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#thread ??= this.#start());
  }

  #start(): IndexThread {
    const thread: IndexThread = new WorkerThread(
      new URL('./index-worker.ts', import.meta.url),
      { workerData: this.#data, name: 'audit-index' },
      {
        onMessage: (message) => {
          if (message !== QUIET) this.#answered(message);
          // It answers pending queries before it ends.
          else if (this.#thread === thread) this.#end();
        },
        onLost: (reason, cause) => this.#lost(cause instanceof Error ? cause.message : reason),
      },
    );
    return thread;
  }

  #answered(answer: IndexAnswer): void {
    if ('value' in answer) this.#questions.resolve(answer.id, answer.value);
    else if ('needsRoom' in answer)
      this.#questions.reject(answer.id, new SluiceError('disk_reserve', stated('disk_reserve')));
    else this.#questions.reject(answer.id, failure(answer.error));
  }

  #end(): void {
    const thread = this.#thread;
    if (thread === null) return;
    this.#thread = null;
    this.#behind = 0;
    this.#ending = thread.close('close').then(() => {
      this.#ending = null;
    });
  }

  #lost(reason: string): void {
    this.#thread = null;
    this.#questions.rejectAll(() => new Error(`the audit index: ${reason}`));
  }
}

function failure({ message, errors }: Extract<IndexAnswer, { error: unknown }>['error']): Error {
  return errors === null ? new Error(message) : new SluiceError('invalid', message, { errors });
}
