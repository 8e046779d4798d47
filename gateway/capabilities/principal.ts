import type { ScopeMask } from '#common/scopes.ts';
import type { HeldLimits, ThingLimits } from './limits.ts';

/**
 * The rights of a run (docs/spec/capabilities.md#rights-of-a-run). Checked again at each call, so that a revocation
 * or a change of limits takes effect at the run's next call.
 */
export interface Principal {
  readonly scopes: ScopeMask;
  readonly revoked: boolean;
  /** The limits of the key; null = none. */
  readonly limits: ThingLimits | null;
}

/** A run without a caller: the grants of the pipeline. */
export function grantsPrincipal(grants: ScopeMask): Principal {
  return { scopes: grants, revoked: false, limits: null };
}

/** The same rights limited to `scopes`; a revocation of one also revokes the other. */
export function narrowed(principal: Principal, scopes: ScopeMask): Principal {
  return {
    scopes: principal.scopes & scopes,
    get revoked() {
      return principal.revoked;
    },
    get limits() {
      return principal.limits;
    },
  };
}

/**
 * A key that is used from an address. A pause, the end of the key and a change of its addresses take effect as a
 * revocation at the run's next call.
 */
export class CallerPrincipal implements Principal {
  readonly #key: KeyRights;
  readonly #address: string;

  constructor(key: KeyRights, address: string) {
    this.#key = key;
    this.#address = address;
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
}

/** The rights of a key (gates/keys.ts), which the host changes while runs hold it. */
export type KeyRights = Principal & Pick<HeldLimits, 'addresses' | 'untilMs'> & { readonly paused: string | null };

/** A keyed caller on a pipeline with `runAs: "pipeline"`: its grants within the key's limits, while the key is valid. */
export function onBehalf(caller: Principal, grants: ScopeMask): Principal {
  return {
    scopes: grants,
    get revoked() {
      return caller.revoked;
    },
    get limits() {
      return caller.limits;
    },
  };
}
