import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import type { KeyPause, KeyRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session } from '../contracts.ts';
import type { Services } from './call.ts';

/** Scopes with which a key can act on the plant (docs/spec/keys.md#a-second-user). */
const ACTING: readonly Scope[] = ['tag:write', 'db:write', 'script:execute'];

/**
 * The pause in which a new key waits for a second user; null: no approval is needed. A service token acts for the user who
 * created it: that user cannot approve it.
 */
export function secondPause(
  { settings, people }: Services,
  scopes: readonly Scope[],
  { user, token }: Session,
): KeyPause | null {
  if (settings.current().secondPerson === 'off' || !scopes.some((scope) => ACTING.includes(scope))) return null;
  const by = token === undefined ? user.name : people.tokens.get(token.id).createdBy;
  return { at: new Date().toISOString(), by, reason: 'waits for a second user', second: true };
}

/** Throws SluiceError `permission_missing` if wider limits would give the key what no second user has seen. */
export function mayWiden({ settings }: Services, { scopes }: Pick<KeyRecord, 'scopes'>): void {
  if (settings.current().secondPerson === 'off' || !scopes.some((scope) => ACTING.includes(scope))) return;
  throw new SluiceError('permission_missing', stated('key_second_limits'));
}

/** Throws SluiceError `permission_missing` if the key waits for a second user and this session is not of one. */
export function mayApprove({ user, token }: Session, { paused }: KeyRecord): void {
  if (paused?.second !== true) return;
  if (token !== undefined) throw new SluiceError('permission_missing', stated('key_second_token'));
  if (user.name === paused.by)
    throw new SluiceError('permission_missing', stated('key_second_person', { person: paused.by }));
}
