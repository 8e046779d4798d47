import { randomBytes } from 'node:crypto';
import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Permission, RoleRecord, UserRecord } from '#common/model/records.ts';
import type { HeldRestriction } from '../contracts.ts';
import { nameKey } from '#common/model/credentials.ts';
import { keepAnAdministrator, managerRights, mayActAs, mayAssign, mayGive, rolesByName } from './rights.ts';
import * as tables from './tables.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Operations on users and roles inside one transaction of the vault, on checked input and hashed passwords. An error
 * undoes the whole transaction.
 */
export const USERS_MAX = 10_000;
export const ROLES_MAX = 200;

export interface NewUser {
  name: string;
  /** Its hash. */
  password: string;
  roles: readonly string[];
  createdAt: string;
}

export function addUser(db: Database, { name, password, roles: roleNames, createdAt }: NewUser): UserRecord {
  const roles = rolesByName(db, roleNames);
  const key = nameKey(name);
  if (tables.userByNameKey(db, key) !== null) throw new SluiceError('conflict', stated('user_taken', { name }));
  if (tables.userCount(db) >= USERS_MAX)
    throw new SluiceError('conflict', `There are already ${USERS_MAX} users, the most that are kept.`);
  const id = newId();
  const record = { id, name, roles: [], active: true, createdAt, lastLoginAt: null };
  tables.insertUser(db, { record, password, roleIds: roles.map((role) => role.id) }, key);
  return expectUser(db, id).record;
}

export interface UserChange {
  roles: readonly string[] | undefined;
  active: boolean | undefined;
  /** The hash of the new one. */
  password: string | undefined;
}

/** Changes a user on behalf of `by`, who cannot grant rights that they do not have. */
export function alterUser(db: Database, userId: string, change: UserChange, by: string): UserRecord {
  const held = managerRights(db, by);
  const target = expectUser(db, userId);
  const { name, active } = target.record;
  if (change.password !== undefined) {
    mayActAs(db, held, target, `Choosing the password of ${name}`);
    tables.setPassword(db, userId, change.password);
  }
  if (change.active !== undefined) {
    if (change.active && !active) mayActAs(db, held, target, `Reactivating ${name}`);
    tables.setActive(db, userId, change.active);
  }
  if (change.roles !== undefined) assign(db, held, target, change.roles);
  keepAnAdministrator(db);
  return expectUser(db, userId).record;
}

function assign(
  db: Database,
  held: ReadonlySet<Permission>,
  target: tables.StoredUser,
  names: readonly string[],
): void {
  const roles = rolesByName(db, names);
  mayAssign(
    held,
    roles.filter((role) => !target.roleIds.includes(role.id)),
  );
  tables.setUserRoles(
    db,
    target.record.id,
    roles.map((role) => role.id),
  );
}

export function addRole(
  db: Database,
  input: { name: string; permissions: readonly Permission[] },
  by: string,
): RoleRecord {
  mayGive(managerRights(db, by), input.permissions, 'Making this role');
  const roles = tables.allRoles(db);
  if (roles.length >= ROLES_MAX)
    throw new SluiceError('conflict', `There are already ${ROLES_MAX} roles, the most that are kept.`);
  refuseTakenName(roles, input.name, null);
  const role = { id: newId(), name: input.name, permissions: [...input.permissions], builtIn: false };
  tables.putRole(db, role, nameKey(role.name));
  return role;
}

/** Changes a role that is not built in; returns it with the IDs of its users. */
export function alterRole(
  db: Database,
  roleId: string,
  change: { name: string | undefined; permissions: readonly Permission[] | undefined },
  by: string,
): { role: RoleRecord; holders: string[] } {
  const held = managerRights(db, by);
  const roles = tables.allRoles(db);
  const old = roles.find((candidate) => candidate.id === roleId);
  if (!old) throw new SluiceError('unknown', 'There is no such role.');
  if (old.builtIn)
    throw new SluiceError('conflict', `The role ${old.name} is built in and cannot be changed; make a new role.`);
  if (change.name !== undefined) refuseTakenName(roles, change.name, roleId);
  const added = (change.permissions ?? []).filter((permission) => !old.permissions.includes(permission));
  mayGive(held, added, `Changing the role ${old.name}`);
  const role = { ...old, name: change.name ?? old.name, permissions: [...(change.permissions ?? old.permissions)] };
  tables.putRole(db, role, nameKey(role.name));
  return { role, holders: tables.userIdsWithRole(db, roleId) };
}

/** Removes rights from the current ones of the user or role; requires no rights. */
export function restrict(db: Database, restriction: HeldRestriction): void {
  if (restriction.kind === 'role') return restrictRole(db, restriction.role, restriction.permissions);
  const { record, roleIds } = expectUser(db, restriction.user);
  if (restriction.active === false) tables.setActive(db, record.id, false);
  if (restriction.roles !== undefined) {
    const left = new Set(restriction.roles.map(nameKey));
    const roles = tables.allRoles(db).filter(({ id, name }) => roleIds.includes(id) && left.has(nameKey(name)));
    tables.setUserRoles(
      db,
      record.id,
      roles.map(({ id }) => id),
    );
  }
  keepAnAdministrator(db);
}

/** Each of them; one that is no longer applicable restricts nothing. */
export function restrictAll(db: Database, restrictions: readonly HeldRestriction[]): void {
  for (const restriction of restrictions) {
    db.exec('SAVEPOINT held');
    try {
      restrict(db, restriction);
    } catch (error) {
      db.exec('ROLLBACK TO held');
      if (!(error instanceof SluiceError)) throw error;
    } finally {
      db.exec('RELEASE held');
    }
  }
}

function restrictRole(db: Database, roleId: string, left: readonly Permission[]): void {
  const role = tables.allRoles(db).find(({ id }) => id === roleId);
  if (!role || role.builtIn) throw new SluiceError('unknown', 'There is no such role that can be changed.');
  const permissions = role.permissions.filter((permission) => left.includes(permission));
  tables.putRole(db, { ...role, permissions }, nameKey(role.name));
}

/** Throws `unknown` if there is no such user. */
export function expectUser(db: Database, userId: string): tables.StoredUser {
  const user = tables.userById(db, userId);
  if (user === null) throw new SluiceError('unknown', 'There is no such user.');
  return user;
}

function refuseTakenName(roles: readonly RoleRecord[], name: string, except: string | null): void {
  if (!roles.some((role) => role.id !== except && nameKey(role.name) === nameKey(name))) return;
  const detail = stated('role_taken', { name });
  throw new SluiceError('conflict', detail, { errors: [{ path: 'name', ...detail }] });
}

function newId(): string {
  return randomBytes(9).toString('base64url').replaceAll(/[-_]/g, '0');
}
