import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS, type Permission, type RoleRecord } from '#common/model/records.ts';
import { nameKey } from '#common/model/credentials.ts';
import { activeAdministrators, allRoles, permissionsOf, type StoredUser, userById } from './tables.ts';
import { ruleBroken, stated } from '#common/errors/rules.ts';

/**
 * The rules of who may change whom (docs/spec/users.md#roles). All are checked inside the vault's transaction, against
 * its current image: the session's own data may be stale after a password was hashed.
 *
 * Nobody can grant rights that they do not hold: not by a role's permissions, by assigning a role, by choosing the
 * password of a user who holds more, or by reactivating such a user. Removing rights (deactivating, unassigning) only
 * needs `manage_users`, so that any available manager can lock out a compromised account.
 */
export function managerRights(db: Database, userId: string): Set<Permission> {
  const user = userById(db, userId);
  const held = user?.record.active ? permissionsOf(db, user) : new Set<Permission>();
  if (!held.has('manage_users')) throw new SluiceError('permission_missing', 'This needs the permission manage_users.');
  return held;
}

/** Throws `permission_missing` with the part of `wanted` that `held` lacks. */
export function mayGive(held: ReadonlySet<Permission>, wanted: Iterable<Permission>, act: string): void {
  const given = new Set(wanted);
  const lacking = PERMISSIONS.filter((permission) => given.has(permission) && !held.has(permission));
  if (lacking.length === 0) return;
  throw new SluiceError('permission_missing', `${act} needs permissions that you do not hold: ${lacking.join(', ')}.`);
}

export function mayAssign(held: ReadonlySet<Permission>, roles: readonly RoleRecord[]): void {
  for (const role of roles) mayGive(held, role.permissions, `Assigning the role ${role.name}`);
}

export function mayActAs(db: Database, held: ReadonlySet<Permission>, target: StoredUser, act: string): void {
  mayGive(held, permissionsOf(db, target), act);
}

/** The roles with these names; throws `invalid` with a name that does not exist. */
export function rolesByName(db: Database, names: readonly string[]): RoleRecord[] {
  const known = allRoles(db);
  return names.map((name, index) => {
    const role = known.find((candidate) => nameKey(candidate.name) === nameKey(name));
    if (role) return role;
    const names = known.slice(0, 20).map((candidate) => candidate.name);
    const broken = ruleBroken(`roles.${index}`, 'role_missing', { name, known: names });
    throw new SluiceError('invalid', `${broken.path}: ${broken.message}`, { errors: [broken] });
  });
}

/** Call it after the change, in the same transaction. */
export function keepAnAdministrator(db: Database): void {
  if (activeAdministrators(db) > 0) return;
  throw new SluiceError('conflict', stated('last_administrator'));
}
