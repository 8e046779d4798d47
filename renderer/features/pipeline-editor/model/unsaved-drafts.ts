import type { Draft } from './draft.ts';

/**
 * Unsaved drafts (there was a newer one, Sluice did not respond, the session had ended), kept in memory until the same
 * user returns to the pipeline in this window. Other users never see them.
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
