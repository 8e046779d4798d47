import type { Database } from 'sql.js';
import type { Permission, RoleRecord, UserRecord } from '#common/model/records.ts';
import type { HeldRestriction, RightsHold } from '../contracts.ts';
import { nameKey } from '#common/model/credentials.ts';
import { allRoles, permissionsOf, type StoredUser, userById } from './tables.ts';

/**
 * Restrictions of users that are in effect but not in the vault yet. They can only remove rights: a user never has more
 * than the vault allows. If restrictions overlap in time, none returns rights that another one removes, neither while
 * both are held nor when one of them ends.
 *
 * Limits: those of the requests in progress and of the unsaved changes, which hold them.
 */
export class HeldRights {
  /** One type of right of one user or role each. Role names as name keys. */
  readonly #parts = new Set<HeldRestriction>();

  hold(change: HeldRestriction): RightsHold {
    const parts = partsOf(change);
    for (const part of parts) this.#parts.add(part);
    return this.#holdOf(parts);
  }

  /** The held restrictions of the rights that `change` affects. */
  overlapping(change: HeldRestriction): RightsHold {
    return this.#holdOf([...this.#parts].filter((part) => partsOf(change).some((one) => isSameRight(one, part))));
  }

  #holdOf(parts: readonly HeldRestriction[]): RightsHold {
    return {
      left: () => parts.filter((part) => this.#parts.has(part)),
      release: () => {
        for (const part of parts) this.#parts.delete(part);
      },
    };
  }

  list(): HeldRestriction[] {
    return [...this.#parts];
  }

  /** The user with the restrictions applied. */
  shownUser(user: UserRecord): UserRecord {
    const mayHave = this.#roleFilter(user.id);
    return {
      ...user,
      active: user.active && !this.isSuspended(user.id),
      roles: user.roles.filter(mayHave),
    };
  }

  shownRole(role: RoleRecord): RoleRecord {
    return { ...role, permissions: role.permissions.filter(this.#permissionFilter(role.id)) };
  }

  isSuspended(user: string): boolean {
    return this.list().some((part) => part.kind === 'user' && part.user === user && part.active === false);
  }

  permissionsOf(db: Database, user: StoredUser): Set<Permission> {
    if (this.#parts.size === 0) return permissionsOf(db, user);
    const mayHave = this.#roleFilter(user.record.id);
    const roles = allRoles(db).filter(({ id, name }) => user.roleIds.includes(id) && mayHave(name));
    return new Set(roles.flatMap(({ id, permissions }) => permissions.filter(this.#permissionFilter(id))));
  }

  /** The present permissions of the user; null: there is no such active user. */
  rightsOf(db: Database, userId: string): Set<Permission> | null {
    const user = userById(db, userId);
    return user?.record.active && !this.isSuspended(userId) ? this.permissionsOf(db, user) : null;
  }

  #roleFilter(user: string): (name: string) => boolean {
    const left = this.list().flatMap((part) =>
      part.kind === 'user' && part.user === user && part.roles !== undefined ? [part.roles] : [],
    );
    return (name) => left.every((roles) => roles.includes(nameKey(name)));
  }

  #permissionFilter(role: string): (permission: Permission) => boolean {
    const left = this.list().flatMap((part) => (part.kind === 'role' && part.role === role ? [part.permissions] : []));
    return (permission) => left.every((permissions) => permissions.includes(permission));
  }
}

/** New objects: each is one hold. */
function partsOf(change: HeldRestriction): HeldRestriction[] {
  if (change.kind === 'role') return [{ ...change }];
  const { kind, user, active, roles } = change;
  return [
    ...(active === undefined ? [] : [{ kind, user, active }]),
    ...(roles === undefined ? [] : [{ kind, user, roles: roles.map(nameKey) }]),
  ];
}

function isSameRight(one: HeldRestriction, other: HeldRestriction): boolean {
  if (one.kind === 'role') return other.kind === 'role' && one.role === other.role;
  return other.kind === 'user' && one.user === other.user && (one.roles === undefined) === (other.roles === undefined);
}
