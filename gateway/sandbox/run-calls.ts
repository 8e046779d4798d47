import { type Capabilities, NodeError } from '#sdk';
import { type CallBytes, bytesOf } from './call-bytes.ts';
import { CALLS_PENDING_MAX, CALLS_PER_RUN_MAX } from './limits.ts';
import { decodeArguments, encodeAnswer } from './message-text.ts';
import type { CallAnswer, CallRequest } from './thread-messages.ts';

export interface RunCallsOptions {
  /** Null: the run has no capabilities; every call fails. */
  readonly capabilities: Capabilities | null;
  readonly bytes: CallBytes;
  /** The project whose share of `bytes` the run uses; null: the run belongs to no project. */
  readonly project: string | null;
  /** An answer has come. */
  answered(): void;
  /** A call failed with an undeclared error: a bug of the gateway. */
  faulty(name: string, cause: unknown): void;
}

/**
 * The capability calls of one run, on the gateway's main thread. Input from the guest is not trusted: names and
 * arguments are passed to the capability broker unchanged, and running calls are counted here.
 */
export class RunCalls {
  readonly #options: RunCallsOptions;
  readonly #pending = new Map<number, Promise<void>>();
  readonly #failures = new Map<number, NodeError>();
  readonly #answers: CallAnswer[] = [];
  /** Memory of running calls and of their responses. */
  #bytes = 0;
  #made = 0;
  #ended = false;

  constructor(options: RunCallsOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#pending.size;
  }

  get hasAnswers(): boolean {
    return this.#answers.length > 0;
  }

  /** Begins calls in the order in which they were made. Throws NodeError `script_overloaded`, `script_failed`. */
  begin(requests: readonly CallRequest[]): void {
    this.#made += requests.length;
    if (this.#made > CALLS_PER_RUN_MAX)
      throw new NodeError('script_overloaded', `it made more than ${CALLS_PER_RUN_MAX} capability calls`);
    if (this.#pending.size + requests.length > CALLS_PENDING_MAX)
      throw new NodeError('script_overloaded', `more than ${CALLS_PENDING_MAX} of its capability calls are under way`);
    for (const request of requests) {
      // Running calls are identified by the guest's numbers.
      if (this.#pending.has(request[0])) throw new NodeError('script_failed', 'its capability calls cannot be read');
      if (!this.#take(bytesOf(request)))
        throw new NodeError('script_overloaded', 'its capability calls hold too much at once; wait for some of them');
      this.#pending.set(request[0], this.#call(request));
    }
  }

  /** The responses so far, for the guest; they are not stored. */
  takeAnswers(): readonly CallAnswer[] {
    const answers = this.#answers.splice(0);
    this.#give(answers.reduce((sum, answer) => sum + (answer[1] ? bytesOf(answer) : 0), 0));
    return answers;
  }

  /** The error of a failed call; null if it succeeded. */
  failure(id: number): NodeError | null {
    return this.#failures.get(id) ?? null;
  }

  /** The first failure among these calls once all of them have ended. Their results are not used. */
  async failureAmong(ids: readonly number[]): Promise<NodeError | null> {
    this.end();
    for (const id of ids) await this.#pending.get(id);
    return ids.map((id) => this.failure(id)).find((failure) => failure !== null) ?? null;
  }

  /** Responses that arrive from now on are dropped. */
  end(): void {
    this.#ended = true;
    this.takeAnswers();
  }

  async #call(request: CallRequest): Promise<void> {
    const [id, name] = request;
    let answer: CallAnswer;
    try {
      answer = this.#encode(id, name, await this.#invoke(request));
    } catch (cause) {
      const error = this.#asNodeError(name, cause);
      this.#failures.set(id, error);
      answer = [id, false, JSON.stringify({ code: error.code, message: error.message }), []];
    }
    this.#pending.delete(id);
    this.#give(bytesOf(request));
    if (this.#ended) return;
    this.#answers.push(answer);
    this.#options.answered();
  }

  /** Throws NodeError `script_overloaded` if more responses than allowed wait for the guest. */
  #encode(id: number, name: string, value: unknown): CallAnswer {
    if (this.#ended) return [id, true, 'null', []];
    const { text, chunks } = encodeAnswer(name, value);
    const answer: CallAnswer = [id, true, text, chunks];
    if (!this.#take(bytesOf(answer)))
      throw new NodeError(
        'script_overloaded',
        `${name}: too much that calls returned waits already; make fewer at once`,
      );
    return answer;
  }

  #take(bytes: number): boolean {
    if (!this.#options.bytes.take(bytes, this.#bytes, this.#options.project)) return false;
    this.#bytes += bytes;
    return true;
  }

  #give(bytes: number): void {
    this.#bytes -= bytes;
    this.#options.bytes.giveBack(bytes, this.#options.project);
  }

  /** It runs synchronously up to its first await: calls begin in order. Never throws synchronously: see `begin`. */
  async #invoke([, name, text, chunks, leftOut]: CallRequest): Promise<unknown> {
    const { capabilities } = this.#options;
    if (capabilities === null) throw new NodeError('call_unknown', `${name}: this script has no capabilities`);
    const positional = decodeArguments(name, { text, chunks });
    for (const place of leftOut) if (place < positional.length) positional[place] = undefined;
    return capabilities.invoke(name, positional);
  }

  #asNodeError(name: string, cause: unknown): NodeError {
    if (cause instanceof NodeError) return cause;
    this.#options.faulty(name, cause);
    return new NodeError('call_failed', `${name} failed`, { cause });
  }
}
