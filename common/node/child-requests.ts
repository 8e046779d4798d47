import type { ChildProcess } from 'node:child_process';
import { type AnswerLimit, PendingRequests } from './pending-requests.ts';

interface Numbered {
  readonly id: number;
}

/** Why a process cannot answer: it could not be started or written to (`error`), or it exited. */
export interface ChildEnd {
  readonly error: Error | null;
  /** The signal that ended it; null if it exited normally or was never started. */
  readonly signal: NodeJS.Signals | null;
}

/**
 * Requests to one helper process over its IPC channel, each answered by a message with the same ID. The process and its
 * channel do not keep the current process running.
 */
export class ChildRequests<Request extends Numbered, Answer extends Numbered> {
  readonly child: ChildProcess;
  readonly #failure: (end: ChildEnd, request: Omit<Request, 'id'>) => Error;
  readonly #pending = new PendingRequests<Answer, Omit<Request, 'id'>>();

  /** `failure` creates the error for each request that the process did not answer. */
  constructor(child: ChildProcess, failure: (end: ChildEnd, request: Omit<Request, 'id'>) => Error) {
    this.child = child;
    this.#failure = failure;
    child.on('message', (answer: Answer) => this.#pending.resolve(answer.id, answer));
    child.on('error', (error) => this.#fail({ error, signal: null }));
    child.on('exit', (_code, signal) => this.#fail({ error: null, signal }));
    child.unref();
    child.channel?.unref();
  }

  ask(request: Omit<Request, 'id'>, limit?: AnswerLimit): Promise<Answer> {
    const { id, promise, reject } = this.#pending.add(request, limit);
    this.child.send({ ...request, id }, (error) => {
      if (error === null) return;
      this.#pending.take(id);
      reject(this.#failure({ error, signal: null }, request));
    });
    return promise;
  }

  #fail(end: ChildEnd): void {
    this.#pending.rejectAll((request) => this.#failure(end, request));
  }
}
