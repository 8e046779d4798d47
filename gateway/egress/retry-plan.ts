import type { AxiosError, AxiosRequestConfig } from 'axios';
import { exponentialDelay } from 'axios-retry';
import type { CallLimit } from './http/call-limit.ts';
import { failureOf } from '#net/call-failure.ts';
import type { Answer } from './http/exchange.ts';

export const RETRIES_MAX = 2;
/** Delay before the first retry; doubled for the second. */
const DELAY_MS = 100;
/** With less time left, another attempt would only end in a timeout. */
const TRY_MS_MIN = 20;
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * The retries of axios-retry for one call: two further attempts after no response or a temporary error, for idempotent
 * methods, within the timeout of the call. A request that was lost on a kept connection and sent again (exchange.ts)
 * counts as one of the two. A target's Retry-After is respected or, if it is too long, its response is returned.
 */
export class RetryPlan {
  readonly #limit: CallLimit;
  readonly #repeatable: boolean;
  #lastAnswer: Answer | null = null;
  #retries = 0;
  #delayMs = 0;

  constructor(method: string, limit: CallLimit) {
    this.#limit = limit;
    this.#repeatable = isRepeatable(method);
  }

  get options(): AxiosRequestConfig {
    if (!this.#repeatable) return {};
    return {
      validateStatus: (status) => !mayGetBetter(status),
      'axios-retry': {
        retries: RETRIES_MAX,
        // The time limit of the call covers attempts and delays.
        shouldResetTimeout: true,
        retryCondition: (error) => this.#triesAgain(error),
        retryDelay: () => this.#delayMs,
      },
    };
  }

  /** The last response to any of the attempts; null: none was received. */
  answerAfter(error: unknown): Answer | null {
    this.#note(error);
    return this.#lastAnswer;
  }

  #triesAgain(error: AxiosError): boolean {
    this.#note(error);
    if (error.response === undefined && failureOf(error).kind === 'refused') return false;
    if (this.#limit.sends > RETRIES_MAX) return false;
    this.#retries += 1;
    this.#delayMs = exponentialDelay(this.#retries, error, DELAY_MS);
    return this.#delayMs + TRY_MS_MIN < this.#limit.remainingMs;
  }

  #note(error: unknown): void {
    const answer = isAxiosError(error) ? error.response?.data : undefined;
    if (answer !== undefined) this.#lastAnswer = answer;
  }
}

/** RFC 9110, 9.2.2: idempotent methods. */
export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method);
}

/** The type of a Sender's rejections; importing axios's own check would load axios. */
function isAxiosError(error: unknown): error is AxiosError<Answer> {
  return error instanceof Error && 'isAxiosError' in error;
}

function mayGetBetter(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
