import type { Database } from 'sql.js';
import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type Counters, type FleetKey, isOlder } from '#common/fleet/records.ts';
import { type KeyLimits, keyLimits } from '#common/model/key-limits.ts';
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
  /**
   * Keys with changes that are newer than the last assignment, which an assignment that was made before them must not
   * undo: the last change of each key. Without `limits`, the key is revoked.
   */
  changed: z.array(z.object({ serial: counter, keyId: z.string(), limits: keyLimits.optional() })),
  /** The newest assignment, if it could not be applied. `restored`: the one before it is in force again. */
  refused: z.object({ term: counter, epoch: counter, reason: z.string(), restored: z.boolean() }).nullable(),
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

  /** The project was never made: its ID is free again for one of the edge itself. */
  unclaim(): Promise<void> {
    return this.#vault.mutate((db) => putSecret(db, { ...secretIn(db), project: null }));
  }

  /** Revokes the key in the same transaction, if its revocation is in effect but could not be saved yet. */
  revoked(serial: number, keyId: string): Promise<void> {
    const sql =
      'UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ? AND hash_version = ? AND revoked_at IS NULL';
    const row = [new Date().toISOString(), BY, keyId, FLEET_HASH_VERSION];
    return this.#changed({ serial, keyId }, (db) => db.run(sql, row));
  }

  /** Gives the key its limits in the same transaction. */
  limited(serial: number, keyId: string, limits: KeyLimits): Promise<void> {
    return this.#changed({ serial, keyId, limits }, (db) => setLimits(db, { id: keyId, limits }));
  }

  #changed(change: EdgeSecret['changed'][number], perform: (db: Database) => unknown): Promise<void> {
    return this.#vault.mutate((db) => {
      const { have, changed, ...rest } = secretIn(db);
      const { serial, keyId } = change;
      if (have.serial !== serial - 1) throw new Error(`the change ${serial} of a key does not follow ${have.serial}`);
      perform(db);
      const others = changed.filter((one) => one.keyId !== keyId);
      putSecret(db, { ...rest, have: { ...have, serial }, changed: [...others, change] });
    });
  }

  /**
   * Makes the keys of the fleet in the project those of an assignment; returns the IDs of keys that the gateway must
   * learn. Keys that are not in it stay: the caller revokes them first. Throws SluiceError `conflict` for a name that
   * another key of the project has.
   */
  putKeys(project: string, keys: readonly FleetKey[]): Promise<string[]> {
    return this.#vault.mutate((db) => {
      const { changed } = secretIn(db);
      const gone = new Set(changed.flatMap(({ keyId, limits }) => (limits === undefined ? [keyId] : [])));
      const newer = new Map(changed.map(({ keyId, limits }) => [keyId, limits]));
      const given = keys.map((key) => ({ ...key, limits: newer.get(key.id) ?? key.limits }));
      const added = expectFreeNames(db, project, given).filter(({ id }) => !gone.has(id));
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
      for (const key of given) {
        setLimits(db, key);
        const scopes = [JSON.stringify(key.scopes), key.id, FLEET_HASH_VERSION];
        db.run('UPDATE keys SET scopes = ? WHERE id = ? AND hash_version = ?', scopes);
      }
      return keys.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
    });
  }

  /** Throws SluiceError `conflict` for a name that another key of the project has. */
  checkKeys(project: string, keys: readonly FleetKey[]): void {
    this.#vault.read((db) => expectFreeNames(db, project, keys));
  }

  /** The assignment is in force; `record`: its signed bytes. */
  assigned(at: { term: number; epoch: number; revFloor: number }, record: Uint8Array): Promise<void> {
    return this.#vault.mutate((db) => {
      const { have, changed, ...rest } = secretIn(db);
      if (isOlder(have, at)) throw new Error('an older assignment');
      putSecret(db, {
        ...rest,
        have: { ...have, term: at.term, epoch: at.epoch },
        changed: changed.filter(({ serial }) => serial > at.revFloor),
        refused: null,
      });
      putFleet(db, 'assignment', Buffer.from(record).toString('base64url'), BY);
    });
  }

  /** The signed bytes of the assignment that is in force; null: there was none yet. */
  lastAssignment(): Buffer | null {
    const text = this.#vault.read((db) => readFleet(db, 'assignment'));
    return text === null ? null : Buffer.from(text, 'base64url');
  }

  /** The assignment could not be applied, and is not tried again. The one before it is not in force yet. */
  refuse({ term, epoch }: Pick<Counters, 'term' | 'epoch'>, reason: string): Promise<void> {
    return this.#putRefused(() => ({ term, epoch, reason, restored: false }));
  }

  /** `note`: a sentence about the assignment that is in force now. */
  restored(note: string): Promise<void> {
    return this.#putRefused((before) => before && { ...before, reason: `${before.reason} ${note}`, restored: true });
  }

  #putRefused(next: (before: EdgeSecret['refused']) => EdgeSecret['refused']): Promise<void> {
    return this.#vault.mutate((db) => {
      const secret = secretIn(db);
      putSecret(db, { ...secret, refused: next(secret.refused) });
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
  const found = edgeIn(db);
  if (found === null) return;
  const { edge, address } = found;
  throw new SluiceError(
    'conflict',
    `This Sluice is already the edge ${edge} of the hub at ${address}; "sluice leave" ends that.`,
  );
}

/** Null elsewhere than on an edge. */
export function edgeIn(db: Database): EdgeSecret | null {
  const text = readFleet(db, 'edge');
  return text === null ? null : edgeSecret.parse(JSON.parse(text));
}

function secretIn(db: Database): EdgeSecret {
  const found = edgeIn(db);
  if (found === null) throw new Error('this vault is not that of an edge');
  return found;
}

function putSecret(db: Database, secret: EdgeSecret): void {
  putFleet(db, 'edge', JSON.stringify(secret), BY);
}

function setLimits(db: Database, { id, limits }: Pick<FleetKey, 'id' | 'limits'>): void {
  const sql = 'UPDATE keys SET limits = ? WHERE id = ? AND hash_version = ?';
  db.run(sql, [JSON.stringify(limits), id, FLEET_HASH_VERSION]);
}

/** Returns the keys that the edge does not have yet. */
function expectFreeNames(db: Database, project: string, keys: readonly FleetKey[]): FleetKey[] {
  const stored = all(db, 'SELECT id, name, project FROM keys');
  const known = new Set(stored.map((row) => text(row, 'id')));
  const added = keys.filter(({ id }) => !known.has(id));
  const names = stored.filter((row) => row['project'] === project).map((row) => text(row, 'name').toLowerCase());
  const taken = added.find(({ name }) => names.includes(name.toLowerCase()));
  if (taken === undefined) return added;
  throw new SluiceError(
    'conflict',
    `The project ${project} on this edge already has a local key "${taken.name}"; expected another name on the hub.`,
  );
}
