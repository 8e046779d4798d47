import { SCOPES, scopeMask } from '#common/scopes.ts';
import type { CallContext } from './contract.ts';
import { grantsPrincipal } from './principal.ts';

/** A capability call of a run with every scope in the project `p`, with 30 s left; `more` overrides this. */
export const callContext = (more: Partial<CallContext> = {}): CallContext => ({
  project: 'p',
  pipeline: 'orders',
  node: 'n',
  principal: grantsPrincipal(scopeMask(SCOPES)),
  signal: new AbortController().signal,
  remainingMs: () => 30_000,
  depth: 0,
  hops: 0,
  log: () => undefined,
  origin: () => ({}),
  rehearsal: () => null,
  mask: (text) => text,
  ...more,
});
