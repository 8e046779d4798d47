/** Rebuilds lists in which unchanged items remain the same objects, so that React renders only changed ones. */
export class KeptItems<T> {
  #kept = new Map<string, T>();

  keep(items: readonly T[], idOf: (item: T) => string, isSame: (before: T, now: T) => boolean): T[] {
    const next = items.map((item) => {
      const before = this.#kept.get(idOf(item));
      return before !== undefined && isSame(before, item) ? before : item;
    });
    this.#kept = new Map(next.map((item) => [idOf(item), item]));
    return next;
  }
}
