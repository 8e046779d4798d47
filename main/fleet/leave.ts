import { SluiceError } from '#common/errors/catalogue.ts';
import type { Vault } from '../contracts.ts';
import { dropFleet } from '../vault/fleet-secrets.ts';
import { FLEET_HASH_VERSION } from '../vault/key-store.ts';
import { all, text } from '../vault/rows.ts';
import { edgeIn } from './edge-state.ts';

export interface Left {
  edge: string;
  /** Stays, as a project of this machine. */
  project: string | null;
  /** Of the removed keys. */
  keyIds: string[];
}

/**
 * Removes what makes this machine an edge: its identity, the pepper, and the keys of the fleet, which nobody could revoke
 * any more. Throws SluiceError `conflict` elsewhere than on an edge.
 */
export function leave(vault: Vault): Promise<Left> {
  return vault.mutate((db) => {
    const found = edgeIn(db);
    if (found === null) throw new SluiceError('conflict', 'This Sluice is not an edge of a fleet.');
    const rows = all(db, 'SELECT id FROM keys WHERE hash_version = ?', [FLEET_HASH_VERSION]);
    db.run('DELETE FROM keys WHERE hash_version = ?', [FLEET_HASH_VERSION]);
    for (const name of ['edge', 'assignment', 'pepper'] as const) dropFleet(db, name);
    return { edge: found.edge, project: found.project, keyIds: rows.map((row) => text(row, 'id')) };
  });
}
