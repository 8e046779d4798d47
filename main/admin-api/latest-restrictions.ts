import { SluiceError } from '#common/errors/catalogue.ts';

/** The number of remembered subjects. */
export const SUBJECTS_MAX = 10_000;

/**
 * Restrictions take effect immediately, so one can overtake a change that was requested before it and that gives more
 * rights: a start that waits behind another start, or new roles behind a password hash. Such a change is refused,
 * because the later decision counts.
 *
 * Limits: SUBJECTS_MAX subjects. The oldest is forgotten first; changes that were requested before it are then refused.
 */
export class LatestRestrictions {
  readonly #numbers = new Map<string, number>();
  #last = 0;
  #forgotten = 0;

  /** The number of the newest restriction; 0 before the first one. */
  get last(): number {
    return this.#last;
  }

  /** `subject`: such as `user u1`. Returns the number of the restriction. */
  add(subject: string): number {
    this.#numbers.delete(subject);
    this.#numbers.set(subject, ++this.#last);
    if (this.#numbers.size > SUBJECTS_MAX) this.#forgetOldest();
    return this.#last;
  }

  #forgetOldest(): void {
    for (const [oldest, number] of this.#numbers) {
      this.#numbers.delete(oldest);
      this.#forgotten = number;
      return;
    }
  }

  /** Call it when a change is requested. The result throws `conflict` if the subject was restricted since then. */
  watch(subject: string): () => void {
    const requested = this.#last;
    return () => {
      if ((this.#numbers.get(subject) ?? this.#forgotten) <= requested) return;
      throw new SluiceError(
        'conflict',
        'Rights were taken away or a stop was requested meanwhile; check and try again.',
      );
    };
  }
}
