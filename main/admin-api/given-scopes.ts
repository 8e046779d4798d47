import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import type { Scope } from '#common/scopes.ts';
import type { Session } from '../contracts.ts';
import type { Services } from './call.ts';

/**
 * Which scopes a user may give to a key (docs/spec/keys.md#permission). Somebody with `access_settings` decides which
 * scopes a project uses, by an approved start or by a key; with `manage_keys` alone, a key gets no others. A user who
 * may edit pipelines gives none: such a user could write the pipeline that uses them.
 */
export function mayGiveScopes(
  { keys, projects }: Pick<Services, 'keys' | 'projects'>,
  { permissions }: Pick<Session, 'permissions'>,
  project: string,
  scopes: readonly Scope[],
): void {
  if (permissions.has('access_settings') || scopes.length === 0) return;
  if (permissions.has('edit_pipelines')) throw new SluiceError('permission_missing', stated('key_scopes_editor'));
  const valid = keys.list(project).filter(({ revokedAt }) => revokedAt === null);
  const given = new Set([
    ...valid.flatMap((key) => key.scopes),
    ...projects.approvedRoutes(project).flatMap(({ route }) => route.requiredScopes),
  ]);
  const others = scopes.filter((scope) => !given.has(scope));
  if (others.length > 0) throw new SluiceError('permission_missing', stated('key_scopes', { scopes: others }));
}
