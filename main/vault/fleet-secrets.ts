import type { Database } from 'sql.js';
import { all, one, text } from './rows.ts';

/**
 * The state of a hub or an edge (docs/decisions/0025-a-fleet-on-nats.md): JSON texts in the vault's table `secrets`,
 * under names that begin with `fleet:`. A machine outside of a fleet has none.
 */
export type FleetSecret =
  | 'hub'
  | 'edge'
  /** Of an edge: the signed assignment that is in force, base64url. */
  | 'assignment'
  /** The pepper of the fleet's keys, base64url. */
  | 'pepper'
  | `token:${string}`
  | `member:${string}`
  /** A revocation or new limits of a key. */
  | `change:${string}`
  /** An expelled edge with its last epoch. */
  | `epoch:${string}`
  /** IDs of revoked keys whose changes are not listed any more. */
  | 'settled';
export type FleetList = 'token' | 'member' | 'change' | 'epoch';

const PREFIX = 'fleet:';

export function readFleet(db: Database, name: FleetSecret): string | null {
  const row = one(db, 'SELECT value FROM secrets WHERE ref = ?', [PREFIX + name]);
  return row && text(row, 'value');
}

/** By name. */
export function listFleet(db: Database, list: FleetList): string[] {
  const from = `${PREFIX}${list}:`;
  const rows = all(db, 'SELECT value FROM secrets WHERE substr(ref, 1, ?) = ? ORDER BY ref', [from.length, from]);
  return rows.map((row) => text(row, 'value'));
}

export function putFleet(db: Database, name: FleetSecret, value: string, by: string): void {
  const sql = 'INSERT OR REPLACE INTO secrets (ref, value, changed_at, changed_by) VALUES (?, ?, ?, ?)';
  db.run(sql, [PREFIX + name, value, new Date().toISOString(), by]);
}

export function dropFleet(db: Database, name: FleetSecret): void {
  db.run('DELETE FROM secrets WHERE ref = ?', [PREFIX + name]);
}

export function isHub(db: Database): boolean {
  return readFleet(db, 'hub') !== null;
}

export function isEdge(db: Database): boolean {
  return readFleet(db, 'edge') !== null;
}

/** Null outside of a fleet. */
export function fleetRole(db: Database): 'hub' | 'edge' | null {
  return isHub(db) ? 'hub' : isEdge(db) ? 'edge' : null;
}

export function fleetPepper(db: Database): Buffer | null {
  const pepper = readFleet(db, 'pepper');
  return pepper === null ? null : Buffer.from(pepper, 'base64url');
}

/** The state of the fleet's keys for the gateway. */
export interface FleetKeys {
  pepper(): Buffer | null;
  /** True on an edge that may lack revocations; its agent changes it. */
  refused: boolean;
}
