import type { Database } from 'sql.js';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type FleetKey, isOlder } from '#common/fleet/records.ts';
import { rawPair } from '#common/node/fleet/raw-keys.ts';
import type { Vault } from '../contracts.ts';
import { isHub, putFleet, readFleet } from '../vault/fleet-secrets.ts';
import { all, text } from '../vault/rows.ts';
import { FLEET_HASH_VERSION } from '../vault/key-store.ts';

/**
 * The fleet of an edge, in its vault. Counters change in the transaction of what they count, so that neither
 * a crash nor an older record can undo a change; the generation of the vault protects them from an older vault.
 */
const counter = z.int().min(0);

const edgeSecret = z.object({
  fleet: z.string(),
  edge: z.string(),
  /** `host:port` of the hub. */
  address: z.string(),
  /** PEM: the authority of the hub. */
  authority: z.string(),
  /** The hub's root key. */
  root: z.string(),
  /** The trust record, base64url. */
  trust: z.string(),
  identity: rawPair,
  seal: rawPair,
  nkey: rawPair,
  jwt: z.string(),
  have: z.object({ term: counter, epoch: counter, serial: counter }),
  /** Revocations that are newer than the last assignment: an assignment that was made before them must not undo them. */
  revoked: z.array(z.object({ serial: counter, keyId: z.string() })),
  /** The project that the hub assigns, from the first attempt to apply it. */
  project: z.string().nullable(),
});
export type EdgeSecret = z.infer<typeof edgeSecret>;

const BY = 'hub';

export class EdgeState {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  read(): EdgeSecret {
    return this.#vault.read(secretIn);
  }

  /** Before anything of an assignment is applied. Throws SluiceError `conflict` for a project that is not the hub's. */
  async claim(project: string, exists: boolean): Promise<void> {
    const claimed = this.read().project;
    if (claimed === project) return;
    if (claimed !== null)
      throw new SluiceError('conflict', `This edge has the project ${claimed} of the hub; expected no other one.`);
    if (exists)
      throw new SluiceError(
        'conflict',
        `This edge has a project ${project} of its own; expected another one, or none.`,
      );
    await this.#vault.mutate((db) => putSecret(db, { ...secretIn(db), project }));
  }

  /** Revokes the key in the same transaction, if its revocation is in effect but could not be saved yet. */
  revoked(serial: number, keyId: string): Promise<void> {
    return this.#vault.mutate((db) => {
      const { have, ...rest } = secretIn(db);
      if (have.serial !== serial - 1) throw new Error(`revocation ${serial} does not follow ${have.serial}`);
      const sql =
        'UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ? AND hash_version = ? AND revoked_at IS NULL';
      db.run(sql, [new Date().toISOString(), BY, keyId, FLEET_HASH_VERSION]);
      putSecret(db, { ...rest, have: { ...have, serial }, revoked: [...rest.revoked, { serial, keyId }] });
    });
  }

  /**
   * Makes the keys of the fleet in the project those of an assignment; returns the IDs of keys that the gateway must
   * learn. Keys that are not in it stay: the caller revokes them first. Throws SluiceError `conflict` for a name that
   * another key of the project has.
   */
  putKeys(project: string, keys: readonly FleetKey[]): Promise<string[]> {
    return this.#vault.mutate((db) => {
      const gone = new Set(secretIn(db).revoked.map(({ keyId }) => keyId));
      const stored = all(db, 'SELECT id, name, project, revoked_at FROM keys');
      const known = new Set(stored.map((row) => text(row, 'id')));
      const added = keys.filter(({ id }) => !known.has(id) && !gone.has(id));
      for (const { name } of added) expectFreeName(stored, project, name);
      const sql =
        'INSERT INTO keys (id, project, name, scopes, limits, hash, hash_version, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
      for (const { id, name, scopes, limits, hash } of added)
        db.run(sql, [
          id,
          project,
          name,
          JSON.stringify(scopes),
          JSON.stringify(limits),
          Buffer.from(hash, 'hex'),
          FLEET_HASH_VERSION,
          new Date().toISOString(),
          BY,
        ]);
      for (const { id, scopes, limits } of keys)
        db.run('UPDATE keys SET scopes = ?, limits = ? WHERE id = ? AND hash_version = ?', [
          JSON.stringify(scopes),
          JSON.stringify(limits),
          id,
          FLEET_HASH_VERSION,
        ]);
      return keys.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
    });
  }

  /** The assignment is in force. */
  assigned(at: { term: number; epoch: number; revFloor: number }): Promise<void> {
    return this.#vault.mutate((db) => {
      const { have, revoked, ...rest } = secretIn(db);
      if (isOlder(have, at)) throw new Error('an older assignment');
      putSecret(db, {
        ...rest,
        have: { ...have, term: at.term, epoch: at.epoch },
        revoked: revoked.filter(({ serial }) => serial > at.revFloor),
      });
    });
  }
}

/** Makes this machine an edge. Throws SluiceError `conflict` if it is in a fleet. */
export function makeEdge(vault: Vault, secret: EdgeSecret, pepper: Buffer): Promise<void> {
  return vault.mutate((db) => {
    expectNoFleet(db);
    putSecret(db, secret);
    putFleet(db, 'pepper', pepper.toString('base64url'), BY);
  });
}

export function expectNoFleet(db: Database): void {
  if (isHub(db)) throw new SluiceError('conflict', 'This Sluice is the hub of a fleet; expected one that is not.');
  const text = readFleet(db, 'edge');
  if (text === null) return;
  const { edge, address } = edgeSecret.parse(JSON.parse(text));
  throw new SluiceError('conflict', `This Sluice is already the edge ${edge} of the hub at ${address}.`);
}

function secretIn(db: Database): EdgeSecret {
  const text = readFleet(db, 'edge');
  if (text === null) throw new Error('this vault is not that of an edge');
  return edgeSecret.parse(JSON.parse(text));
}

function putSecret(db: Database, secret: EdgeSecret): void {
  putFleet(db, 'edge', JSON.stringify(secret), BY);
}

function expectFreeName(stored: readonly Record<string, unknown>[], project: string, name: string): void {
  const taken = stored.some(
    (row) => row['project'] === project && String(row['name']).toLowerCase() === name.toLowerCase(),
  );
  if (taken)
    throw new SluiceError(
      'conflict',
      `The project ${project} of this edge has a key "${name}" of its own; expected another name at the hub.`,
    );
}
