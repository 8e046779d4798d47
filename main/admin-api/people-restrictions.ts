import { phrase, type Phrase } from '#common/alarms/phrase.ts';
import type { RoleRecord } from '#common/model/records.ts';
import type { People } from '../contracts.ts';
import type { HeldChange } from './held-change.ts';

interface Restricted<C> {
  readonly change: C;
  readonly what: Phrase;
}

interface UserPatch {
  readonly roles?: string[] | undefined;
  readonly active?: boolean | undefined;
  readonly password?: string | undefined;
}

/** The patch as one that only removes rights from the user; null if it does more, or nothing. */
export function userRestriction(
  people: People,
  id: string,
  { active, roles, password }: UserPatch,
  by: string,
): Restricted<HeldChange & { kind: 'user' }> | null {
  const user = people.users().find((one) => one.id === id);
  const fewer = roles === undefined || roles.every((role) => user?.roles.includes(role));
  if (user === undefined || !fewer || password !== undefined || active === true) return null;
  const change = { kind: 'user', user: id, ...(roles && { roles }), by } as const;
  if (active === false) return { change: { ...change, active }, what: phrase('user_deactivated', { user: user.name }) };
  if (roles === undefined) return null;
  return { change, what: phrase('fewer_roles', { user: user.name }) };
}

/** The same for a role. */
export function roleRestriction(
  people: People,
  id: string,
  { name, permissions }: { name?: string | undefined; permissions?: RoleRecord['permissions'] | undefined },
  by: string,
): Restricted<HeldChange & { kind: 'role' }> | null {
  const role = people.roles().find((one) => one.id === id);
  const fewer = permissions?.every((permission) => role?.permissions.includes(permission)) ?? false;
  if (role === undefined || permissions === undefined || !fewer || name !== undefined) return null;
  return {
    change: { kind: 'role', role: id, permissions, by },
    what: phrase('fewer_permissions', { role: role.name }),
  };
}
