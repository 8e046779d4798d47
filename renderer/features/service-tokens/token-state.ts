import type { TokenRecord } from '#common/model/records.ts';

export type TokenState = 'valid' | 'narrowed' | 'refused' | 'ended' | 'revoked';

/** `narrowed`, `refused`: the user who created it lacks some or all of its permissions now. */
export function stateOf(token: TokenRecord, now: Date): TokenState {
  if (token.revokedAt !== null) return 'revoked';
  if (Date.parse(token.endsAt) <= now.getTime()) return 'ended';
  if (token.permissionsNow.length === 0) return 'refused';
  return token.permissionsNow.length < token.permissions.length ? 'narrowed' : 'valid';
}
