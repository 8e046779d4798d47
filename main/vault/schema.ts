import type { Database } from 'sql.js';
import { VaultError } from './errors.ts';
import { one } from './rows.ts';

/**
 * Tables of the vault's image. A released migration is never changed: a new schema is a new migration at the end. Users
 * and roles have their tables in `main/people/tables.ts`.
 *
 * `secrets`: secrets of connections and egress headers, by an opaque reference from the project store. `meta`: facts
 * about the vault itself, such as an unconfirmed rollback.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     project TEXT NOT NULL,
     name TEXT NOT NULL COLLATE NOCASE,
     scopes TEXT NOT NULL,
     hash BLOB NOT NULL,
     hash_version INTEGER NOT NULL,
     created_at TEXT NOT NULL,
     created_by TEXT NOT NULL,
     revoked_at TEXT,
     revoked_by TEXT,
     UNIQUE (project, name));
   CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, changed_at TEXT NOT NULL, changed_by TEXT NOT NULL);
   CREATE TABLE secrets (ref TEXT PRIMARY KEY, value TEXT NOT NULL, changed_at TEXT NOT NULL, changed_by TEXT NOT NULL);
   CREATE TABLE journal_heads (chain TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, time TEXT NOT NULL);`,
  `ALTER TABLE keys ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';`,
  `ALTER TABLE keys ADD COLUMN paused TEXT;`,
  `ALTER TABLE keys ADD COLUMN honey INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE keys ADD COLUMN exposed TEXT;`,
];

export const SCHEMA_VERSION = STEPS.length;

/**
 * Migrates the image to the current schema; true if it changed. Throws VaultError `too_new` for one of a later release.
 */
export function migrate(db: Database): boolean {
  const version = schemaVersion(db);
  if (version > SCHEMA_VERSION) {
    throw new VaultError(
      'too_new',
      `The vault was written by a newer Sluice (schema ${version}, this one knows ${SCHEMA_VERSION}); start that version, or restore a backup made by this one.`,
    );
  }
  for (const step of STEPS.slice(version)) db.exec(step);
  if (version < SCHEMA_VERSION) db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  return version < SCHEMA_VERSION;
}

function schemaVersion(db: Database): number {
  return Number(one(db, 'PRAGMA user_version')?.['user_version'] ?? 0);
}
