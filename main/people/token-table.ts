import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { all as rows, one, text, textOrNull, type Row } from '../vault/rows.ts';

/** Service tokens in the vault's image: only this file knows their table. */
export const TOKENS_TABLE = `
  CREATE TABLE IF NOT EXISTS people_tokens (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, hash BLOB NOT NULL,
    permissions TEXT NOT NULL, project TEXT, addresses TEXT,
    created_at TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES people_users (id),
    ends_at TEXT NOT NULL, last_used_at TEXT, revoked_at TEXT, revoked_by TEXT);`;

export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** HMAC-SHA-256 of the whole value. */
  readonly hash: Uint8Array;
  readonly permissions: readonly Permission[];
  readonly project: string | null;
  readonly addresses: readonly string[] | null;
  readonly createdAt: string;
  /** The ID of its creator. */
  readonly userId: string;
  readonly endsAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
}

/** Newest first. */
export function allTokens(db: Database): StoredToken[] {
  return hasTable(db) ? rows(db, 'SELECT * FROM people_tokens ORDER BY created_at DESC, id').map(storedToken) : [];
}

export function tokenById(db: Database, id: string): StoredToken | null {
  const row = hasTable(db) ? one(db, 'SELECT * FROM people_tokens WHERE id = ?', [id]) : null;
  return row && storedToken(row);
}

/** Throws SluiceError `unknown`. */
export function expectToken(db: Database, id: string): StoredToken {
  const token = tokenById(db, id);
  if (token === null) throw new SluiceError('unknown', 'There is no such service token.');
  return token;
}

export function isTokenNameTaken(db: Database, key: string): boolean {
  return one(db, 'SELECT 1 FROM people_tokens WHERE name_key = ?', [key]) !== null;
}

type NewStoredToken = Omit<StoredToken, 'lastUsedAt' | 'revokedAt' | 'revokedBy'>;

export function insertToken(db: Database, token: NewStoredToken, key: string): void {
  const { id, name, hash, permissions, project, addresses, createdAt, userId, endsAt } = token;
  db.run(
    'INSERT INTO people_tokens (id, name, name_key, hash, permissions, project, addresses, created_at, user_id, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [
      id,
      name,
      key,
      hash,
      JSON.stringify(permissions),
      project,
      addresses && JSON.stringify(addresses),
      createdAt,
      userId,
      endsAt,
    ],
  );
}

export function deleteToken(db: Database, id: string): void {
  db.run('DELETE FROM people_tokens WHERE id = ?', [id]);
}

export function setTokenUse(db: Database, id: string, time: string): void {
  db.run('UPDATE people_tokens SET last_used_at = ? WHERE id = ?', [time, id]);
}

/** A second revocation changes nothing: time and name of the first one are kept. */
export function setTokenRevoked(db: Database, id: string, at: string, by: string): void {
  if (!hasTable(db)) return;
  db.run('UPDATE people_tokens SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL', [at, by, id]);
}

/** The vault may be of a version without service tokens. */
function hasTable(db: Database): boolean {
  return one(db, `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'people_tokens'`) !== null;
}

function storedToken(row: Row): StoredToken {
  const permissions = listIn(row, 'permissions') ?? [];
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    // A hash that cannot be read matches nothing.
    hash: row['hash'] instanceof Uint8Array ? row['hash'] : new Uint8Array(),
    permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
    project: textOrNull(row, 'project'),
    addresses: textOrNull(row, 'addresses') === null ? null : (listIn(row, 'addresses') ?? []),
    createdAt: text(row, 'created_at'),
    userId: text(row, 'user_id'),
    endsAt: text(row, 'ends_at'),
    lastUsedAt: textOrNull(row, 'last_used_at'),
    revokedAt: textOrNull(row, 'revoked_at'),
    revokedBy: textOrNull(row, 'revoked_by'),
  };
}

function listIn(row: Row, column: string): string[] | null {
  const stored: unknown = JSON.parse(text(row, column));
  return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : null;
}
