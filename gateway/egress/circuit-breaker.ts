import { NodeError } from '#sdk';
import { TRIAL_MS, UNANSWERED_MAX, UNANSWERED_MS } from './direct-limits.ts';

/** How a call ended, for the breaker: answered, not answered (and why), or ended early by somebody else. */
export type CallEnd =
  { readonly kind: 'answered' | 'ended' } | { readonly kind: 'unanswered'; readonly reason: string };

/**
 * Keeps a target that does not answer from using up the direct calls of others: after UNANSWERED_MAX unanswered calls
 * of a node in a row, one trial at a time is sent and other calls fail at once, until a trial is answered.
 *
 * Per node and not per target: a node whose path hangs must not stop others that the same target answers.
 * States: closed -> open (UNANSWERED_MAX unanswered in a row) -> closed (any answer).
 */
export class CircuitBreaker {
  readonly #origin: string;
  #unanswered = 0;
  #reason = '';
  #answeredAtMs = -Infinity;
  /** The trial under way that began last; null = none is. */
  #trialAtMs: number | null = null;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Begins a call. Call the returned function once, with its end. Throws NodeError `target_unreachable`. */
  enter(): (end: CallEnd) => void {
    const beganAtMs = performance.now();
    const isTrial = this.#unanswered >= UNANSWERED_MAX;
    if (isTrial) {
      if (this.#trialAtMs !== null && beganAtMs - this.#trialAtMs < TRIAL_MS) throw this.#refusal();
      this.#trialAtMs = beganAtMs;
    }
    return (end) => {
      if (this.#trialAtMs === beganAtMs) this.#trialAtMs = null;
      this.#ended(end, beganAtMs);
    };
  }

  #ended(end: CallEnd, beganAtMs: number): void {
    const nowMs = performance.now();
    if (end.kind === 'answered') {
      this.#unanswered = 0;
      this.#answeredAtMs = nowMs;
      return;
    }
    // An answer since it began says that only this call hangs.
    if (this.#answeredAtMs >= beganAtMs) return;
    if (end.kind === 'ended' && nowMs - beganAtMs < UNANSWERED_MS) return;
    this.#unanswered += 1;
    this.#reason = end.kind === 'unanswered' ? end.reason : 'the calls were cancelled while they waited';
  }

  #refusal(): NodeError {
    return new NodeError(
      'target_unreachable',
      `${this.#origin} did not answer the last ${this.#unanswered} calls of this node (${this.#reason}); until it answers, one call at a time is sent`,
    );
  }
}
