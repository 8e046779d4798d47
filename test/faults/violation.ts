export interface Violation {
  readonly kind: ViolationKind;
  readonly text: string;
}

export type ViolationKind =
  /** Accepted, and the target never took it. */
  | 'lost'
  /** The gateway still holds it although the target takes everything. */
  | 'still waiting'
  /** Newer ones came, or were taken, before it. */
  | 'reordered'
  /** It came again behind newer ones, and no kill was between. */
  | 'overtaken'
  /** One event under two Idempotency-Keys. */
  | 'two ids'
  /** One Idempotency-Key for two events or bodies. */
  | 'shared id'
  | 'no id'
  /** It came again, and nothing explains it. */
  | 'unexplained duplicate'
  /** It arrived although its caller was informed that it was not stored. */
  | 'refused but sent'
  /** It came, and nobody sent it so. */
  | 'unknown event'
  /** Poison that is no dead letter. */
  | 'not dead'
  /** A dead letter that is no poison, or there twice, or under another Idempotency-Key. */
  | 'wrongly dead'
  /** A caller was given another event's answer. */
  | 'mixed up';

export const violation = (kind: ViolationKind, text: string): Violation => ({ kind, text });
