import type { Database } from 'sql.js';
import { PERMISSIONS, type Permission, type RoleRecord, type UserRecord } from '#common/model/records.ts';
import { nameKey } from '#common/model/credentials.ts';
import { all as rows, type Row } from '../vault/rows.ts';
import { TOKENS_TABLE } from './token-table.ts';

/** Users and roles in the vault's image: only this file knows their tables, except that of tokens (token-table.ts). */
const TABLES = `
  CREATE TABLE IF NOT EXISTS people_users (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
    active INTEGER NOT NULL, created_at TEXT NOT NULL, last_login_at TEXT);
  CREATE TABLE IF NOT EXISTS people_roles (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, permissions TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS people_user_roles (
    user_id TEXT NOT NULL REFERENCES people_users (id), role_id TEXT NOT NULL, PRIMARY KEY (user_id, role_id));
  CREATE TABLE IF NOT EXISTS people_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);${TOKENS_TABLE}`;

/**
 * Until `manage_keys` existed, `access_settings` included it. The stored fact records how the vault got the permission:
 * `from_start` = Operators hold it; `added` = they do not, because an update grants no new rights, and each role with
 * `access_settings` got it as well. Without the fact, the vault is of an earlier version, or has no users yet.
 */
const KEYS_FACT = 'manage_keys';

export const ADMINISTRATOR = 'administrator';
const OPERATOR = 'operator';

/** Not stored, so that nothing can change them. */
export const BUILT_IN_ROLES: readonly RoleRecord[] = [
  { id: ADMINISTRATOR, name: 'Administrator', permissions: [...PERMISSIONS], builtIn: true },
  {
    id: 'engineer',
    name: 'Engineer',
    permissions: ['edit_pipelines', 'run_pipelines', 'view_audit', 'view'],
    builtIn: true,
  },
  { id: OPERATOR, name: 'Operator', permissions: ['manage_keys', 'run_pipelines', 'view'], builtIn: true },
  { id: 'viewer', name: 'Viewer', permissions: ['view'], builtIn: true },
];

/** A user as stored: the record, the hash of the password and the IDs of the roles. */
export interface StoredUser {
  readonly record: UserRecord;
  readonly password: string;
  readonly roleIds: readonly string[];
}

/** Creates missing tables, and migrates those of earlier versions; call it first in every mutation. */
export function ensureTables(db: Database): void {
  const isNew = !hasTables(db);
  const roles = isNew ? [] : storedRoles(db);
  db.exec(TABLES);
  if (keysFact(db) !== null) return;
  for (const role of roles) putRole(db, role, nameKey(role.name));
  db.run('INSERT INTO people_facts (name, value) VALUES (?, ?)', [KEYS_FACT, isNew ? 'from_start' : 'added']);
}

function keysFact(db: Database): string | null {
  if (!hasTable(db, 'people_facts')) return null;
  const [row] = rows(db, 'SELECT value FROM people_facts WHERE name = ?', [KEYS_FACT]);
  return row === undefined ? null : String(row['value']);
}

function hasTable(db: Database, name: string): boolean {
  return rows(db, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, [name]).length > 0;
}

export function hasTables(db: Database): boolean {
  return hasTable(db, 'people_users');
}

export function allRoles(db: Database): RoleRecord[] {
  const isNew = !hasTables(db);
  const mayOperatorsManageKeys = isNew || keysFact(db) === 'from_start';
  const isHeld = (role: RoleRecord, permission: Permission): boolean =>
    role.id !== OPERATOR || permission !== 'manage_keys' || mayOperatorsManageKeys;
  return [
    ...BUILT_IN_ROLES.map((role) => ({ ...role, permissions: role.permissions.filter((one) => isHeld(role, one)) })),
    ...(isNew ? [] : storedRoles(db)),
  ];
}

function storedRoles(db: Database): RoleRecord[] {
  const stored = rows(db, 'SELECT id, name, permissions FROM people_roles ORDER BY name_key').map(roleRecord);
  return keysFact(db) === null ? stored.map(withKeys) : stored;
}

/** A role of a version without `manage_keys`. */
function withKeys(role: RoleRecord): RoleRecord {
  if (!role.permissions.includes('access_settings')) return role;
  const held = new Set<Permission>([...role.permissions, 'manage_keys']);
  return { ...role, permissions: PERMISSIONS.filter((permission) => held.has(permission)) };
}

export function allUsers(db: Database): UserRecord[] {
  if (!hasTables(db)) return [];
  return rows(db, 'SELECT * FROM people_users ORDER BY name_key').map((row) => storedUser(db, row).record);
}

export function userCount(db: Database): number {
  return Number(rows(db, 'SELECT COUNT(*) AS count FROM people_users')[0]?.['count'] ?? 0);
}

export function userById(db: Database, id: string): StoredUser | null {
  return oneUser(db, 'SELECT * FROM people_users WHERE id = ?', id);
}

export function userByNameKey(db: Database, key: string): StoredUser | null {
  return oneUser(db, 'SELECT * FROM people_users WHERE name_key = ?', key);
}

/** The permissions of the user's roles together, whether the user is active or not. */
export function permissionsOf(db: Database, user: StoredUser): Set<Permission> {
  const roles = allRoles(db).filter((role) => user.roleIds.includes(role.id));
  return new Set(roles.flatMap((role) => role.permissions));
}

export function activeAdministrators(db: Database): number {
  if (!hasTables(db)) return 0;
  const [row] = rows(
    db,
    `SELECT COUNT(*) AS count FROM people_users u JOIN people_user_roles r ON r.user_id = u.id WHERE u.active = 1 AND r.role_id = ?`,
    [ADMINISTRATOR],
  );
  return Number(row?.['count'] ?? 0);
}

export function userIdsWithRole(db: Database, roleId: string): string[] {
  return rows(db, 'SELECT user_id FROM people_user_roles WHERE role_id = ?', [roleId]).map((row) =>
    String(row['user_id']),
  );
}

export function insertUser(db: Database, user: StoredUser, key: string): void {
  const { id, name, active, createdAt, lastLoginAt } = user.record;
  db.run(
    'INSERT INTO people_users (id, name, name_key, password, active, created_at, last_login_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [id, name, key, user.password, active ? 1 : 0, createdAt, lastLoginAt],
  );
  setUserRoles(db, id, user.roleIds);
}

export function setUserRoles(db: Database, userId: string, roleIds: readonly string[]): void {
  db.run('DELETE FROM people_user_roles WHERE user_id = ?', [userId]);
  for (const roleId of new Set(roleIds))
    db.run('INSERT INTO people_user_roles (user_id, role_id) VALUES (?, ?)', [userId, roleId]);
}

export function setActive(db: Database, userId: string, active: boolean): void {
  db.run('UPDATE people_users SET active = ? WHERE id = ?', [active ? 1 : 0, userId]);
}

export function setPassword(db: Database, userId: string, hash: string): void {
  db.run('UPDATE people_users SET password = ? WHERE id = ?', [hash, userId]);
}

export function setLastLogin(db: Database, userId: string, time: string): void {
  db.run('UPDATE people_users SET last_login_at = ? WHERE id = ?', [time, userId]);
}

export function putRole(db: Database, role: RoleRecord, key: string): void {
  db.run('INSERT OR REPLACE INTO people_roles (id, name, name_key, permissions) VALUES (?, ?, ?, ?)', [
    role.id,
    role.name,
    key,
    JSON.stringify(role.permissions),
  ]);
}

function oneUser(db: Database, query: string, value: string): StoredUser | null {
  if (!hasTables(db)) return null;
  const [row] = rows(db, query, [value]);
  return row ? storedUser(db, row) : null;
}

function storedUser(db: Database, row: Row): StoredUser {
  const id = String(row['id']);
  const roleIds = rows(db, 'SELECT role_id FROM people_user_roles WHERE user_id = ?', [id]).map((entry) =>
    String(entry['role_id']),
  );
  const roles = allRoles(db).filter((role) => roleIds.includes(role.id));
  const lastLoginAt = row['last_login_at'];
  return {
    record: {
      id,
      name: String(row['name']),
      roles: roles.map((role) => role.name),
      active: row['active'] === 1,
      createdAt: String(row['created_at']),
      lastLoginAt: typeof lastLoginAt === 'string' ? lastLoginAt : null,
    },
    password: String(row['password']),
    roleIds: roles.map((role) => role.id),
  };
}

function roleRecord(row: Row): RoleRecord {
  const stored: unknown = JSON.parse(String(row['permissions']));
  const permissions = Array.isArray(stored) ? PERMISSIONS.filter((permission) => stored.includes(permission)) : [];
  return { id: String(row['id']), name: String(row['name']), permissions, builtIn: false };
}
