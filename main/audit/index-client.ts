import { Worker } from 'node:worker_threads';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { AuditFilter } from '../contracts.ts';
import type { IndexAnswer, IndexQuestion } from './index-messages.ts';

export interface AuditIndex {
  search(filter: AuditFilter): Promise<{ items: AuditRow[]; next: string | null }>;
  lastUsed(): Promise<Map<string, string>>;
  close(): Promise<void>;
}

const QUESTIONS_MAX = 100;

/** The index's thread as seen from the host. A thread that ended is started again with the next question. */
export function openIndex(folder: string): AuditIndex {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let worker: Worker | null = null;
  let asked = 0;

  function start(): Worker {
    const started = new Worker(new URL('./index-worker.ts', import.meta.url), {
      workerData: { folder },
      name: 'audit-index',
    });
    started.on('message', (answer: IndexAnswer) => {
      const question = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('value' in answer) question?.resolve(answer.value);
      else question?.reject(failure(answer.error));
    });
    started.on('error', (error) => ended(started, error instanceof Error ? error.message : String(error)));
    started.on('exit', () => ended(started, 'the index thread ended'));
    return started;
  }

  function ended(which: Worker, reason: string): void {
    if (worker !== which) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error(`the audit index: ${reason}`));
    waiting.clear();
  }

  function ask(question: { kind: 'search'; filter: AuditFilter } | { kind: 'lastUsed' }): Promise<unknown> {
    if (waiting.size >= QUESTIONS_MAX)
      return Promise.reject(new Error('too many questions to the audit index at once'));
    worker ??= start();
    const id = ++asked;
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
    worker.postMessage({ id, ...question } satisfies IndexQuestion);
    return answer;
  }

  worker = start();
  return {
    search: async (filter) => (await ask({ kind: 'search', filter })) as { items: AuditRow[]; next: string | null },
    async lastUsed() {
      const rows = (await ask({ kind: 'lastUsed' })) as { key: string; time: string }[];
      return new Map(rows.map(({ key, time }) => [key, time]));
    },
    async close() {
      const closing = worker;
      if (closing === null) return;
      const exited = new Promise<void>((resolve) => closing.once('exit', () => resolve()));
      closing.postMessage('close');
      await exited;
    },
  };
}

function failure({ message, errors }: Extract<IndexAnswer, { error: unknown }>['error']): Error {
  return errors === null ? new Error(message) : new SluiceError('invalid', message, { errors });
}
