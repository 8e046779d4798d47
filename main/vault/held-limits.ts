import { type KeyLimits, withoutWidening } from '#common/model/key-limits.ts';
import type { LimitsHold } from '../key-contracts.ts';

/** Narrower limits of keys that are in effect and not in the vault yet. */
export class HeldLimits {
  readonly #held = new Map<string, Set<KeyLimits>>();

  hold(keyId: string, limits: KeyLimits): LimitsHold {
    // Two holds of the same limits are released individually.
    const own = { ...limits };
    const ofKey = this.#held.get(keyId) ?? new Set();
    ofKey.add(own);
    this.#held.set(keyId, ofKey);
    return {
      held: () => ofKey.has(own),
      release: () => {
        ofKey.delete(own);
        if (ofKey.size === 0 && this.#held.get(keyId) === ofKey) this.#held.delete(keyId);
      },
    };
  }

  /** The stored limits, narrowed by all that are held. */
  within(keyId: string, stored: KeyLimits): KeyLimits {
    let limits = stored;
    for (const held of this.#held.get(keyId) ?? []) limits = withoutWidening(limits, held);
    return limits;
  }
}
