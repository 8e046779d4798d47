import type { Database } from 'sql.js';
import { makeApiKey } from '#common/api-key.ts';
import type { KeyEntry } from '#common/control/messages.ts';
import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import { createKeyHasher, type KeyHasher } from '#common/node/key-hash.ts';
import { fieldErrors, scopeList } from '#common/model/fields.ts';
import { newName, projectId } from '#common/model/ids.ts';
import { type KeyLimits, keyLimits, unheldLimits, withoutWidening } from '#common/model/key-limits.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { isScope, type Scope } from '#common/scopes.ts';
import { z } from 'zod';
import type { Vault } from '../contracts.ts';
import type { KeyStore } from '../key-contracts.ts';
import { fleetPepper, isEdge, isHub } from './fleet-secrets.ts';
import { HeldLimits } from './held-limits.ts';
import { limitsIn, setLimits } from './key-limits-column.ts';
import { pauseIn } from './key-pause-column.ts';
import { createKeyExposures } from './key-exposures.ts';
import { createKeyPauses } from './key-pauses.ts';
import { all, one, text, textOrNull, type Row } from './rows.ts';
import { successorName } from './successor-name.ts';
import { ruleBroken, ruleIssue, stated } from '#common/errors/rules.ts';

/**
 * API keys in the vault (docs/spec/keys.md#record). A key's value is returned once, from `create` or `rotate`; only its
 * keyed hash is stored. Revoked keys still occupy their name in the project: the journal distinguishes callers by name,
 * for years after a key was removed. Names that differ only in case are equal.
 */
export interface KeyStoreOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  /** The last use of the key according to the journal, RFC 3339. */
  lastUsed: (keyId: string) => string | null;
}

/** The purpose of the key with which API keys are hashed, for `vault.derive`; the gateway gets the same bytes. */
export const PEPPER_PURPOSE = 'api-key-pepper';
/** HMAC-SHA-256 of the whole value, with the pepper of the vault or that of the fleet (docs/spec/keys.md#storage). */
const HASH_VERSION = 1;
export const FLEET_HASH_VERSION = 2;

const newKey = z
  .strictObject({
    project: projectId,
    name: newName,
    scopes: scopeList,
    limits: keyLimits.default({}),
    honey: z.boolean().default(false),
    paused: z
      .strictObject({ at: z.string(), by: z.string(), reason: z.string(), second: z.literal(true).exactOptional() })
      .nullable()
      .default(null),
    by: z.string(),
  })
  .superRefine(({ scopes, limits, honey }, context) => {
    if (honey && scopes.length > 0) context.addIssue({ ...ruleIssue('honey_scopes'), path: ['scopes'] });
    for (const scope of unheldLimits(limits, scopes))
      context.addIssue({ ...ruleIssue('limit_unheld', { scope }), path: ['limits', scope] });
  });

export function createKeyStore(vault: Vault, { now, randomBytes, lastUsed }: KeyStoreOptions): KeyStore {
  const hash = createKeyHasher(vault.derive(PEPPER_PURPOSE));
  const timestamp = (): string => new Date(now()).toISOString();
  // Revocations that are in effect and not in the vault yet.
  const held = new Map<string, Pick<KeyRecord, 'revokedAt' | 'revokedBy'>>();
  const heldLimits = new HeldLimits();
  const exposures = createKeyExposures(vault);
  const pauses = createKeyPauses(vault, (db, keyId, to) => expectValid(rowOf(db, keyId), to));
  const stored = (row: Row): KeyRecord => {
    const key = recordOf(row);
    const limits = heldLimits.within(key.id, key.limits);
    const paused = key.paused ?? pauses.held(key.id);
    return { ...key, limits, paused, exposed: exposures.of(row, key.id), lastUsedAt: lastUsed(key.id) };
  };
  const record = (row: Row): KeyRecord => {
    const key = stored(row);
    return key.revokedAt === null ? { ...key, ...held.get(key.id) } : key;
  };
  const entry = (row: Row): KeyEntry => {
    const found = entryOf(row);
    const limits = heldLimits.within(found.id, found.limits ?? {});
    const paused = found.paused ?? pauses.held(found.id)?.reason ?? null;
    return { ...found, limits, paused, revoked: found.revoked || held.has(found.id) };
  };

  function insert(db: Database, key: NewKey) {
    const { id, value } = makeApiKey(randomBytes);
    insertRow(db, key, { id, ...hashOf(db, value, hash), at: timestamp() });
    return { value, record: record(rowOf(db, id)) };
  }

  function expectValid(row: Row, to: string): KeyRecord {
    const key = record(row);
    if (key.revokedAt === null) return key;
    throw new SluiceError('conflict', `The key is revoked; expected a valid one to ${to}.`);
  }

  function expectLimits(row: Row, limits: KeyLimits): void {
    const { scopes } = expectValid(row, 'limit');
    const [scope] = unheldLimits(limits, scopes);
    if (scope !== undefined) throw invalid([ruleBroken(`limits.${scope}`, 'limit_unheld', { scope })]);
  }

  return {
    list: (project) => vault.read((db) => rowsOf(db, project).map(record)),
    get: (keyId) => vault.read((db) => mapRow(findRow(db, keyId), record)),
    async create(input) {
      const key = checked(input);
      return vault.mutate((db) => {
        if (!nameTaken(db, key.project, key.name)) return insert(db, key);
        const detail = stated('key_taken', { name: key.name });
        throw new SluiceError('conflict', detail, { errors: [{ path: 'name', ...detail }] });
      });
    },
    holdRevoked(keyId, by) {
      vault.read((db) => rowOf(db, keyId));
      if (!held.has(keyId)) held.set(keyId, { revokedAt: timestamp(), revokedBy: by });
    },
    releaseRevoked: (keyId) => void held.delete(keyId),
    async revoke(keyId, by) {
      const saved = await vault.mutate((db) => {
        rowOf(db, keyId);
        const { revokedAt, revokedBy } = held.get(keyId) ?? { revokedAt: timestamp(), revokedBy: by };
        // A second revocation changes nothing: time and name of the first one are kept.
        const update = 'UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL';
        db.run(update, [revokedAt, revokedBy, keyId]);
        return stored(rowOf(db, keyId));
      });
      held.delete(keyId);
      return saved;
    },
    limit: (keyId, limits) =>
      vault.mutate((db) => {
        expectLimits(ownRow(db, rowOf(db, keyId)), limits);
        setLimits(db, keyId, () => limits);
        return record(rowOf(db, keyId));
      }),
    checkLimits: (keyId, limits) => vault.read((db) => expectLimits(rowOf(db, keyId), limits)),
    holdLimits(keyId, limits) {
      vault.read((db) => rowOf(db, keyId));
      return heldLimits.hold(keyId, limits);
    },
    narrow: (keyId, limits) =>
      vault.mutate((db) => {
        rowOf(db, keyId);
        setLimits(db, keyId, (before) => withoutWidening(before, limits));
      }),
    ...pauses.calls,
    ...exposures.calls,
    rotate: (keyId, by, paused = null) =>
      vault.mutate((db) => {
        const old = expectValid(rowOf(db, keyId), 'rotate');
        if (old.honey) throw new SluiceError('conflict', 'A honey key is not used; expected another key to rotate.');
        const name = successorName(old.name, (candidate) => nameTaken(db, old.project, candidate));
        const { project, scopes, limits } = old;
        return insert(db, { project, name, scopes, limits, honey: false, paused, by });
      }),
    async forgetRevoked(project) {
      const sql = 'SELECT 1 FROM keys WHERE project = ? AND revoked_at IS NOT NULL LIMIT 1';
      if (vault.read((db) => one(db, sql, [project])) === null) return;
      await vault.mutate((db) => db.run('DELETE FROM keys WHERE project = ? AND revoked_at IS NOT NULL', [project]));
    },
    entries: () => vault.read((db) => rowsOf(db).map(entry)),
    entry: (keyId) => vault.read((db) => mapRow(findRow(db, keyId), entry)),
  };
}

type NewKey = z.infer<typeof newKey>;

/** Under the pepper of the fleet on a hub, so that its edges can check the key. */
function hashOf(db: Database, value: string, own: KeyHasher): { hash: Buffer; version: number } {
  const fleet = isHub(db) ? fleetPepper(db) : null;
  if (fleet === null) return { hash: own(value), version: HASH_VERSION };
  return { hash: createKeyHasher(fleet)(value), version: FLEET_HASH_VERSION };
}

function insertRow(db: Database, key: NewKey, made: { id: string; hash: Buffer; version: number; at: string }): void {
  const { project, name, scopes, limits, honey, paused, by } = key;
  const texts = [made.id, project, name, JSON.stringify(scopes), JSON.stringify(limits)];
  db.run(
    'INSERT INTO keys (id, project, name, scopes, limits, honey, paused, hash, hash_version, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [...texts, Number(honey), paused && JSON.stringify(paused), made.hash, made.version, made.at, by],
  );
}

function checked(input: z.input<typeof newKey>): NewKey {
  const result = newKey.safeParse(input);
  if (result.success) return result.data;
  throw invalid(fieldErrors(result.error));
}

function invalid(errors: FieldError[]): SluiceError {
  return new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

function rowsOf(db: Database, project?: string): Row[] {
  if (project === undefined) return all(db, 'SELECT * FROM keys ORDER BY project, created_at, id');
  return all(db, 'SELECT * FROM keys WHERE project = ? ORDER BY created_at, id', [project]);
}

function findRow(db: Database, keyId: string): Row | null {
  return one(db, 'SELECT * FROM keys WHERE id = ?', [keyId]);
}

function rowOf(db: Database, keyId: string): Row {
  const row = findRow(db, keyId);
  if (row === null) throw new SluiceError('unknown', 'There is no such key.');
  return row;
}

function nameTaken(db: Database, project: string, name: string): boolean {
  return one(db, 'SELECT 1 FROM keys WHERE project = ? AND name = ?', [project, name]) !== null;
}

function mapRow<T>(row: Row | null, map: (row: Row) => T): T | null {
  return row && map(row);
}

function recordOf(row: Row): KeyRecord {
  return {
    id: text(row, 'id'),
    project: text(row, 'project'),
    name: text(row, 'name'),
    scopes: scopesIn(row),
    limits: limitsIn(row),
    paused: pauseIn(row),
    honey: row['honey'] === 1,
    exposed: null,
    createdAt: text(row, 'created_at'),
    createdBy: text(row, 'created_by'),
    lastUsedAt: null,
    revokedAt: textOrNull(row, 'revoked_at'),
    revokedBy: textOrNull(row, 'revoked_by'),
  };
}

/** A name that is not a scope grants nothing. Without a schema: the gateway's snapshot reads every key this way. */
function scopesIn(row: Row): Scope[] {
  const names: unknown = JSON.parse(text(row, 'scopes'));
  return Array.isArray(names)
    ? names.filter((name: unknown): name is Scope => typeof name === 'string' && isScope(name))
    : [];
}

function entryOf(row: Row): KeyEntry {
  const { id, project, name, scopes, limits, paused, honey, revokedAt } = recordOf(row);
  // A hash of a kind that the gateway does not know can match nothing: such a key counts as revoked.
  const ofFleet = row['hash_version'] === FLEET_HASH_VERSION;
  const known = (ofFleet || row['hash_version'] === HASH_VERSION) && row['hash'] instanceof Uint8Array;
  const hash = row['hash'] instanceof Uint8Array ? Buffer.from(row['hash']).toString('hex') : '';
  return {
    id,
    hash,
    project,
    name,
    scopes,
    limits,
    paused: paused?.reason ?? null,
    honey,
    revoked: revokedAt !== null || !known,
    ...(ofFleet && { ofFleet }),
  };
}

/**
 * Throws SluiceError `conflict` on an edge for a key of the fleet: its limits may be a pause on the hub, or wait for a
 * second user there.
 */
function ownRow(db: Parameters<typeof isEdge>[0], row: Row): Row {
  if (!isEdge(db) || row['hash_version'] !== FLEET_HASH_VERSION) return row;
  throw new SluiceError('conflict', 'The hub gives this key its limits; expected wider ones to be set there.');
}
