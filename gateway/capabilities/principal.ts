import type { ScopeMask } from '#common/scopes.ts';
import type { ThingLimits } from './limits.ts';

/**
 * The rights of a run (docs/spec/capabilities.md#rights-of-a-run). Checked again at each call, so that a revocation
 * or a change of limits takes effect at the run's next call. A key of the gateway is a principal.
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
