import type { Database } from 'sql.js';
import type { AuditRow } from '#common/model/audit.ts';
import { isAmbiguousName, readRoleDetail, readUserDetail } from '../people/act-detail.ts';
import { nameKey } from '#common/model/credentials.ts';
import { withoutWidening } from '#common/model/key-limits.ts';
import { unfittableHash } from '../people/password.ts';
import * as tables from '../people/tables.ts';
import { setTokenRevoked } from '../people/token-table.ts';
import { forgetPlugin } from '../third-party/plugin-store.ts';
import { changesSetting } from '../admin-api/settings-detail.ts';
import { setLimits } from '../vault/key-limits-column.ts';
import { clearPaused, setPaused } from '../vault/key-pause-column.ts';
import { readLimitsDetail } from '../vault/limits-detail.ts';
import { dropSetting } from '../vault/settings-store.ts';

/**
 * Repeats actions of the journal in an older vault (settle-rollback.ts): the rights that they removed are removed
 * again. Actions that grant rights are repeated only if their outcome is known, and only for users and roles that the
 * older vault has.
 *
 * If a row has too little information, more rights are removed: a password is never in the journal, so after its change
 * no password is valid until a new one is set; if roles cannot be identified by their names, all are removed. An
 * Administrator can restore them or, if none can log in, the owner of the data folder: "sluice user reset-password" and
 * "sluice user add".
 */
export interface Act {
  /** The row that was written before the action. */
  row: AuditRow;
  /** The action is known to have been completed; otherwise this is unknown. */
  known: boolean;
}

export const REPLAYED_BY = 'replayed from the journal';

/** The repeated actions; `role.create` shows which names have existed since. */
export const REPLAYED_ACTS = [
  'key.revoke',
  'key.limit',
  'token.revoke',
  'key.pause',
  'key.resume',
  'user.deactivate',
  'user.reactivate',
  'user.change',
  'session.password',
  'role.create',
  'role.change',
  'plugin.remove',
  'settings.change',
] as const;

/** Returns the names of users who need a new password. */
export function replay(db: Database, acts: readonly Act[]): string[] {
  tables.ensureTables(db);
  const namesTell = rolesAreToldByName(db, acts);
  const withoutPassword = new Set<string>();
  for (const act of acts) {
    const user = change(db, act, namesTell);
    if (user !== null) withoutPassword.add(user);
  }
  return [...withoutPassword];
}

/** Returns the name of the user who needs a new password, if any. */
function change(db: Database, act: Act, namesTell: boolean): string | null {
  const { row } = act;
  const target = row.target ?? '';
  switch (row.act) {
    case 'key.revoke':
      revokeKey(db, row);
      return null;
    case 'key.limit':
      limitKey(db, act);
      return null;
    case 'token.revoke':
      setTokenRevoked(db, target, row.time, REPLAYED_BY);
      return null;
    case 'key.pause':
      pauseKey(db, row);
      return null;
    case 'key.resume':
      if (act.known) clearPaused(db, row.keyId ?? target);
      return null;
    case 'role.change':
      changeRole(db, act);
      return null;
    case 'plugin.remove':
      forgetPlugin(db, target);
      return null;
    case 'settings.change':
      // Its new value is a secret that is not in any row: without one, the figures are not available to anyone.
      if (changesSetting(row.detail ?? '', 'metricsToken')) dropSetting(db, 'metricsToken');
      return null;
    case 'session.password':
      return takePassword(db, tables.userById(db, target));
    case 'user.change':
      // Without a path it came from the command line, which resets passwords by name.
      if (row.path === undefined) return takePassword(db, tables.userByNameKey(db, nameKey(target)));
      return changeUser(db, act, namesTell);
    case 'user.deactivate':
    case 'user.reactivate':
      return changeUser(db, act, namesTell);
    default:
      return null;
  }
}

function revokeKey(db: Database, { keyId, target, time }: AuditRow): void {
  const update = 'UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL';
  db.run(update, [time, REPLAYED_BY, keyId ?? target ?? '']);
}

function limitKey(db: Database, { row, known }: Act): void {
  const limits = readLimitsDetail(row.detail);
  setLimits(db, row.keyId ?? row.target ?? '', (before) => (known ? limits : withoutWidening(before, limits)));
}

function pauseKey(db: Database, { keyId, target, time, user, detail }: AuditRow): void {
  setPaused(db, keyId ?? target ?? '', { at: time, by: user ?? REPLAYED_BY, reason: detail ?? '' });
}

function changeUser(db: Database, { row, known }: Act, namesTell: boolean): string | null {
  const user = tables.userById(db, row.target ?? '');
  // Created since: then the older vault does not let them log in.
  if (user === null) return null;
  const { id, name } = user.record;
  if (row.act === 'user.deactivate') tables.setActive(db, id, false);
  if (row.act === 'user.reactivate' && known) tables.setActive(db, id, true);
  if (row.detail === undefined) return null;
  const said = readUserDetail(row.detail, name) ?? { roles: [], password: true };
  if (said.roles !== null) setRoles(db, user, { names: namesTell ? said.roles : [], known });
  return said.password ? takePassword(db, user) : null;
}

function setRoles(db: Database, user: tables.StoredUser, { names, known }: { names: string[]; known: boolean }): void {
  const keys = new Set(names.map(nameKey));
  const named = tables.allRoles(db).filter((role) => keys.has(nameKey(role.name)));
  const ids = named.map(({ id }) => id).filter((id) => known || user.roleIds.includes(id));
  tables.setUserRoles(db, user.record.id, ids);
}

/** Rows contain roles by name: a name that now belongs to another role, or is ambiguous, is of no use. */
function rolesAreToldByName(db: Database, acts: readonly Act[]): boolean {
  if (tables.allRoles(db).some(({ name }) => isAmbiguousName(name))) return false;
  return !acts.some(({ row: { act, target = '', detail = '' } }) => {
    if (act === 'role.create') return isAmbiguousName(target);
    return act === 'role.change' && readRoleDetail(detail).renamed;
  });
}

function changeRole(db: Database, { row, known }: Act): void {
  const role = tables.allRoles(db).find(({ id, builtIn }) => id === row.target && !builtIn);
  const { permissions } = readRoleDetail(row.detail ?? '');
  if (role === undefined || permissions === null) return;
  const left = permissions.filter((permission) => known || role.permissions.includes(permission));
  tables.putRole(db, { ...role, permissions: left }, nameKey(role.name));
}

function takePassword(db: Database, user: tables.StoredUser | null): string | null {
  if (user === null) return null;
  tables.setPassword(db, user.record.id, unfittableHash());
  return user.record.name;
}
