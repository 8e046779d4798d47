import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import { type KeyLimits, widens, widensList, widensUse } from '#common/model/key-limits.ts';
import type { KeyRecord } from '#common/model/records.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session } from '../contracts.ts';
import type { Services } from './call.ts';

/**
 * Which scopes a user may give to a key (docs/spec/keys.md#permission). Somebody with `access_settings` decides which
 * scopes a project uses, by an approved start or by a key; with `manage_keys` alone, a key gets no others, and not
 * wider than a key that has them. A user who
 * may edit pipelines gives none: such a user could write the pipeline that uses them.
 */
export function mayGiveScopes(
  { keys, projects }: Pick<Services, 'keys' | 'projects'>,
  { permissions }: Pick<Session, 'permissions'>,
  project: string,
  { scopes, limits }: Pick<KeyRecord, 'scopes' | 'limits'>,
): void {
  if (permissions.has('access_settings') || scopes.length === 0) return;
  if (permissions.has('edit_pipelines')) throw new SluiceError('permission_missing', stated('key_scopes_editor'));
  const valid = keys.list(project).filter(({ revokedAt }) => revokedAt === null);
  const required = new Set(projects.approvedRoutes(project).flatMap(({ route }) => route.requiredScopes));
  const open = scopes.filter((scope) => !required.has(scope));
  const others = open.filter((scope) => !valid.some((key) => key.scopes.includes(scope)));
  if (others.length > 0) throw new SluiceError('permission_missing', stated('key_scopes', { scopes: others }));
  const wider = open.filter((scope) => !valid.some((key) => reaches(key, limits, scope)));
  if (wider.length > 0) throw new SluiceError('permission_missing', stated('key_limits_wider', { scopes: wider }));
}

/** Whether `key` may do all with `scope` that a key with `limits` may, and call the same targets. */
function reaches(key: KeyRecord, limits: KeyLimits, scope: Scope): boolean {
  const isWider = [scope, 'targets' as const].some((list) => widensList(key.limits, limits, list));
  return key.scopes.includes(scope) && !isWider && !widensUse(key.limits, limits);
}

/** A change that may allow more than before is decided by somebody with `access_settings`, like the scopes of a key. */
export function mayLimit({ permissions }: Pick<Session, 'permissions'>, before: KeyLimits, after: KeyLimits): void {
  if (!permissions.has('access_settings') && widens(before, after))
    throw new SluiceError('permission_missing', stated('key_limits'));
}
