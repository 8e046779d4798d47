export interface Violation {
  readonly kind: ViolationKind;
  readonly text: string;
}

export type ViolationKind =
  /** Accepted, but never received by the target. */
  | 'lost'
  /** The gateway still has it although the target accepts everything. */
  | 'still waiting'
  /** Newer ones arrived, or were accepted, before it. */
  | 'reordered'
  /** It arrived again after newer ones, without a kill in between. */
  | 'overtaken'
  /** One event under two Idempotency-Keys. */
  | 'two ids'
  /** One Idempotency-Key for two events or bodies. */
  | 'shared id'
  | 'no id'
  /** It arrived again without an explanation. */
  | 'unexplained duplicate'
  /** It arrived although its caller was informed that it was not stored. */
  | 'refused but sent'
  /** It arrived, but nobody sent it in this form. */
  | 'unknown event'
  /** Poison that is not a dead letter. */
  | 'not dead'
  /** A dead letter that is not poison, or is duplicated, or has another Idempotency-Key. */
  | 'wrongly dead'
  /** A caller received the response to another event. */
  | 'mixed up';

export const violation = (kind: ViolationKind, text: string): Violation => ({ kind, text });
