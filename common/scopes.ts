/**
 * The ten capability scopes (docs/spec/capabilities.md#scopes). The position of a scope in this list is its bit in a
 * `ScopeMask`.
 */
export const SCOPES = [
  'tag:read',
  'tag:write',
  'db:read',
  'db:write',
  'hist:read',
  'vars:read',
  'vars:write',
  'file:read',
  'file:write',
  'script:execute',
] as const;

export type Scope = (typeof SCOPES)[number];

/** A set of scopes as bits, so that the request path compares two integers. */
export type ScopeMask = number;

export const NO_SCOPES: ScopeMask = 0;

export function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name);
}

export function scopeMask(names: Iterable<Scope>): ScopeMask {
  let mask = 0;
  for (const name of names) mask |= 1 << SCOPES.indexOf(name);
  return mask;
}

export function scopeNames(mask: ScopeMask): Scope[] {
  return SCOPES.filter((_, bit) => (mask & (1 << bit)) !== 0);
}

/** The scopes in `required` that `held` lacks; 0 if nothing is missing. */
export function missingScopes(required: ScopeMask, held: ScopeMask): ScopeMask {
  return required & ~held;
}
