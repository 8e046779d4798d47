import type { Draft } from './draft.ts';

/**
 * Drafts that somebody left unsaved (newer ones were there, nothing answered, the session was over), kept in memory
 * until the same person comes back to the pipeline in this window. Nobody else gets to see them.
 */
export interface UnsavedDraft<Base> {
  user: string;
  draft: Draft;
  /** The version that it is based on. */
  base: Base;
}

export class UnsavedDrafts<Base> {
  readonly #byPlace = new Map<string, UnsavedDraft<Base>>();

  keep(place: string, left: UnsavedDraft<Base>): void {
    this.#byPlace.set(place, left);
  }

  of(place: string, user: string): UnsavedDraft<Base> | null {
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
