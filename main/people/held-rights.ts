import type { Database } from 'sql.js';
import type { Permission, RoleRecord, UserRecord } from '#common/model/records.ts';
import type { HeldRestriction } from '../contracts.ts';
import { nameKey } from '#common/model/credentials.ts';
import { allRoles, permissionsOf, type StoredUser } from './tables.ts';

/**
 * Restrictions of people that are in force and not in the vault yet. They can only take away: whatever is held, a
 * user has no more than the vault gives.
 */
export class HeldRights {
  readonly #suspended = new Set<string>();
  /** By user, name keys of the roles that are left. */
  readonly #roles = new Map<string, ReadonlySet<string>>();
  /** By role, the permissions that are left. */
  readonly #permissions = new Map<string, ReadonlySet<Permission>>();

  /** Narrows what is held: of two restrictions that overlap in time, neither gives back what the other took. */
  hold(change: HeldRestriction): void {
    if (change.kind === 'role')
      return void this.#permissions.set(change.role, inBoth(this.#permissions.get(change.role), change.permissions));
    if (change.active === false) this.#suspended.add(change.user);
    if (change.roles !== undefined)
      this.#roles.set(change.user, inBoth(this.#roles.get(change.user), change.roles.map(nameKey)));
  }

  /** The vault has it now, or it was refused. */
  release(change: HeldRestriction): void {
    if (change.kind === 'role') return void this.#permissions.delete(change.role);
    if (change.active !== undefined) this.#suspended.delete(change.user);
    if (change.roles !== undefined) this.#roles.delete(change.user);
  }

  /** One restriction for each user or role and each kind of right. */
  list(): HeldRestriction[] {
    return [
      ...[...this.#suspended].map((user) => ({ kind: 'user' as const, user, active: false })),
      ...[...this.#roles].map(([user, roles]) => ({ kind: 'user' as const, user, roles: [...roles] })),
      ...[...this.#permissions].map(([role, left]) => ({ kind: 'role' as const, role, permissions: [...left] })),
    ];
  }

  /** The user as the restrictions leave them. */
  shownUser(user: UserRecord): UserRecord {
    const left = this.#roles.get(user.id);
    return {
      ...user,
      active: user.active && !this.#suspended.has(user.id),
      roles: user.roles.filter((name) => left?.has(nameKey(name)) !== false),
    };
  }

  shownRole(role: RoleRecord): RoleRecord {
    const left = this.#permissions.get(role.id);
    return { ...role, permissions: role.permissions.filter((permission) => left?.has(permission) !== false) };
  }

  isSuspended(user: string): boolean {
    return this.#suspended.has(user);
  }

  permissionsOf(db: Database, user: StoredUser): Set<Permission> {
    if (this.#roles.size === 0 && this.#permissions.size === 0) return permissionsOf(db, user);
    const left = this.#roles.get(user.record.id);
    const roles = allRoles(db).filter(
      ({ id, name }) => user.roleIds.includes(id) && left?.has(nameKey(name)) !== false,
    );
    return new Set(
      roles.flatMap(({ id, permissions }) =>
        permissions.filter((permission) => this.#permissions.get(id)?.has(permission) !== false),
      ),
    );
  }
}

const inBoth = <T>(held: ReadonlySet<T> | undefined, left: readonly T[]): Set<T> =>
  new Set(left.filter((one) => held?.has(one) !== false));
