import type { ThingList } from '#common/model/key-limits.ts';
import type { ScopeMask } from '#common/scopes.ts';
import type { KeyThings } from '../gates/key-things.ts';
import { bothLimits, expectWithin, type HeldLimits, type ThingLimits } from './limits.ts';

/**
 * The rights of a run (docs/spec/capabilities.md#rights-of-a-run). Checked again at each call, so that a revocation
 * or a change of limits takes effect at the run's next call.
 */
export interface Principal {
  readonly scopes: ScopeMask;
  readonly revoked: boolean;
  /** The limits of the key, of the grants, or both; null = none. */
  readonly limits: ThingLimits | null;
  /** Writes are simulated. */
  readonly rehearsal: boolean;
  /** Notes what the key of the run uses; null: it has none. */
  readonly things: Pick<KeyThings, 'note'> | null;
}

/** A run without a caller: the grants of the pipeline. */
export function grantsPrincipal(grants: ScopeMask, rehearsal = false, limits: ThingLimits | null = null): Principal {
  return { scopes: grants, revoked: false, limits, rehearsal, things: null };
}

/** The same rights limited to `scopes`; a revocation of one also revokes the other. */
export function narrowed(principal: Principal, scopes: ScopeMask): Principal {
  return onBehalf(principal, grantsPrincipal(principal.scopes & scopes));
}

/** The rights of a sender as far as the grants of the receiver allow. */
export function received(sender: Principal, grants: Principal): Principal {
  return onBehalf(sender, { ...grants, scopes: sender.scopes & grants.scopes });
}

/**
 * A key that is used from an address. A pause, the end of the key and a change of its addresses take effect as a
 * revocation at the run's next call.
 */
export class CallerPrincipal implements Principal {
  readonly #key: KeyRights;
  readonly #address: string;
  /** A run that began as a rehearsal remains one: it must not perform only its later writes. */
  readonly #began: boolean;

  /** `rehearsal`: writes are simulated in any case. */
  constructor(key: KeyRights, address: string, rehearsal = false) {
    this.#key = key;
    this.#address = address;
    this.#began = rehearsal || key.rehearsal;
  }

  get rehearsal(): boolean {
    return this.#began || this.#key.rehearsal;
  }

  get scopes(): ScopeMask {
    return this.#key.scopes;
  }

  get revoked(): boolean {
    const { revoked, paused, untilMs, addresses } = this.#key;
    if (revoked || paused !== null || addresses?.has(this.#address) === false) return true;
    return untilMs !== Infinity && Date.now() >= untilMs;
  }

  get limits(): ThingLimits | null {
    return this.#key.limits;
  }

  get things(): Principal['things'] {
    return this.#key.things;
  }
}

/** The rights of a key (gates/keys.ts), which the host changes while runs hold it. */
export type KeyRights = Principal & Pick<HeldLimits, 'addresses' | 'untilMs'> & { readonly paused: string | null };

/**
 * A keyed caller on a pipeline with `runAs: "pipeline"`: its grants within the limits of both, while the key is valid.
 * Writes are simulated if one of them rehearses.
 */
export function onBehalf(caller: Principal, grants: Principal): Principal {
  return {
    scopes: grants.scopes,
    get rehearsal() {
      return grants.rehearsal || caller.rehearsal;
    },
    get revoked() {
      return caller.revoked;
    },
    get limits() {
      return bothLimits(caller.limits, grants.limits);
    },
    things: caller.things,
  };
}

/** Throws LimitMissingError if the run may not use all of `things`; what it uses is noted for its key. */
export function expectUse({ limits, things: used }: Principal, list: ThingList, things: readonly string[]): void {
  expectWithin(limits, list, things);
  used?.note(list, things);
}
