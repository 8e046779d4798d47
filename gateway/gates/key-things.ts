import type { ThingList } from '#common/model/key-limits.ts';

/** Different things of one list of one key, and of all keys together; further ones are only noted as missing. */
export const KEPT_PER_LIST = 1_000;
const KEPT_IN_ALL = 200_000;

/** Things that a key used since the gateway started, for a proposal of its limits (docs/spec/keys.md#proposed-limits). */
interface UsedThings {
  readonly things: readonly string[];
  /** There were more than are kept. */
  readonly more: boolean;
}

let kept = 0;

export class KeyThings {
  readonly #since = new Date().toISOString();
  readonly #lists = new Map<ThingList, { readonly things: Set<string>; more: boolean }>();

  /** RFC 3339: nothing that was used before is known. */
  get since(): string {
    return this.#since;
  }

  note(list: ThingList, things: readonly string[]): void {
    const used = this.#lists.get(list) ?? { things: new Set<string>(), more: false };
    this.#lists.set(list, used);
    for (const thing of things) {
      if (used.things.has(thing)) continue;
      if (used.things.size >= KEPT_PER_LIST || kept >= KEPT_IN_ALL) used.more = true;
      else {
        used.things.add(thing);
        kept += 1;
      }
    }
  }

  lists(): Partial<Record<ThingList, UsedThings>> {
    return Object.fromEntries(
      [...this.#lists].map(([list, { things, more }]) => [list, { things: [...things], more }] as const),
    );
  }
}
