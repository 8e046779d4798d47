import { NodeError } from '#sdk';
import { TRIAL_MS, UNANSWERED_MAX, UNANSWERED_MS } from './direct-limits.ts';

/** The result of a call for the breaker: answered, not answered (and why), or cancelled. */
export type CallEnd =
  { readonly kind: 'answered' | 'ended' } | { readonly kind: 'unanswered'; readonly reason: string };

/**
 * Keeps a target that does not respond from occupying the direct calls of others: after UNANSWERED_MAX consecutive
 * unanswered calls of a node, it sends one trial at a time and other calls fail immediately, until a trial is answered.
 *
 * Per node and not per target: a node with a hanging path must not stop others whose paths respond. States: closed ->
 * open (UNANSWERED_MAX consecutive unanswered calls) -> closed (any response).
 */
export class CircuitBreaker {
  readonly #origin: string;
  #unanswered = 0;
  #reason = '';
  #answeredAtMs = -Infinity;
  /** The most recently begun trial in progress; null: none. */
  #trialAtMs: number | null = null;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Begins a call. Call the returned function once, with its result. Throws NodeError `target_unreachable`. */
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
    // A response after its beginning shows that only this call hangs.
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
