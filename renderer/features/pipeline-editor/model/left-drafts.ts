import type { Draft } from './draft.ts';

/**
 * Drafts that somebody left unsaved (newer ones were there, nothing answered, the session was over), kept in memory
 * until the same person comes back to the pipeline in this window. Nobody else gets to see them.
 */
export interface LeftDraft<Base> {
  user: string;
  draft: Draft;
  /** What it was drawn over. */
  base: Base;
}

export class LeftDrafts<Base> {
  readonly #byPlace = new Map<string, LeftDraft<Base>>();

  keep(place: string, left: LeftDraft<Base>): void {
    this.#byPlace.set(place, left);
  }

  of(place: string, user: string): LeftDraft<Base> | null {
    const left = this.#byPlace.get(place);
    return left?.user === user ? left : null;
  }

  isEmpty(): boolean {
    return this.#byPlace.size === 0;
  }

  forget(place: string): void {
    this.#byPlace.delete(place);
  }
}
