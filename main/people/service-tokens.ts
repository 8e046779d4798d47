import { randomBytes } from 'node:crypto';
import type { Database } from 'sql.js';
import { makeServiceToken, serviceTokenId } from '#common/api-key.ts';
import { sourceNetwork } from '#common/cidr.ts';
import type { NewToken } from '#common/contract/token.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { ruleBroken, stated } from '#common/errors/rules.ts';
import { nameKey, TOKEN_ACTOR } from '#common/model/credentials.ts';
import type { TokenRecord } from '#common/model/records.ts';
import { rangeInside } from '#common/cidr.ts';
import { createKeyHasher, hashesEqual } from '#common/node/key-hash.ts';
import type { Logger } from '#common/node/log.ts';
import type { ServiceTokens, Session, Vault } from '../contracts.ts';
import { readMeta } from '../vault/meta.ts';
import { createFailures } from './failures.ts';
import type { HeldRights } from './held-rights.ts';
import { managerRights, mayGive } from './rights.ts';
import { userById } from './tables.ts';
import * as table from './token-table.ts';

/**
 * Service tokens (docs/spec/users.md#service-tokens): credentials of programs for the admin API. A token has, at each
 * call, those of its permissions that its creator still holds.
 *
 * State: the vault's image; the time of the last use in memory, saved at most once an hour. Limits: TOKENS_MAX, of which
 * revoked and ended ones give way to new ones; TOKEN_DAYS_MAX; failures as in failures.ts. Security: only the keyed hash
 * of a value is stored, compared in constant time. Refusals have one text for every cause and are slowed down for each
 * network; a valid token is never slowed down, because 256 random bits cannot be guessed. Known weakness: the end
 * follows the clock of the PC.
 */
export const TOKENS_MAX = 200;
export const TOKEN_DAYS_MAX = 366;
const DAY_MS = 24 * 60 * 60_000;
const USE_SAVED_MS = 60 * 60_000;
const PEPPER_PURPOSE = 'service-token-pepper';

/** No cookie has a space, so none is taken for a token. */
const CREDENTIAL = 'Bearer ';
export const tokenCredential = (value: string): string => CREDENTIAL + value;
export const isToken = (credential: string): boolean => credential.startsWith(CREDENTIAL);

/** The ID of the user of a token's session. */
const actorId = (id: string): string => TOKEN_ACTOR + id;

export interface ServiceTokenOptions {
  vault: Vault;
  now: () => number;
  elapsedMs: () => number;
  log: Logger;
  held: HeldRights;
  /** A change of rights, as in people.ts. */
  changeRights: <T>(alter: (db: Database) => T) => Promise<T>;
  /** With the ID of the user of the token's session. */
  onRevoked: (actorId: string) => void;
}

export function createServiceTokens(options: ServiceTokenOptions): ServiceTokens {
  const { vault, now, changeRights } = options;
  const hash = createKeyHasher(vault.derive(PEPPER_PURPOSE));
  const refuse = createRefusals(options);
  const revocations = createRevocations(options);
  const uses = createUses(options);

  const isOver = (token: table.StoredToken): boolean =>
    revocations.of(token).revokedAt !== null || !(Date.parse(token.endsAt) > now());

  function recordOf(db: Database, token: table.StoredToken): TokenRecord {
    const { id, name, permissions, project, addresses, createdAt, endsAt } = token;
    const rights = options.held.rightsOf(db, token.userId);
    return {
      id,
      name,
      permissions: [...permissions],
      permissionsNow: permissions.filter((permission) => rights?.has(permission) === true),
      project,
      addresses: addresses && [...addresses],
      createdAt,
      createdBy: userById(db, token.userId)?.record.name ?? '',
      endsAt,
      lastUsedAt: uses.last(token),
      ...revocations.of(token),
    };
  }

  /** The valid token with this value. */
  function find(db: Database, value: string): table.StoredToken | null {
    // As API keys: the journal could not be replayed, so that revocations may be missing.
    if (vault.rolledBack && readMeta(db, 'keys_refused_at') !== null) return null;
    const id = serviceTokenId(value);
    const token = id === null ? null : table.tokenById(db, id);
    return token !== null && hashesEqual(hash(value), token.hash) && !isOver(token) ? token : null;
  }

  function session(credential: string): Session | null {
    if (!isToken(credential)) return null;
    return vault.read((db) => {
      const token = find(db, credential.slice(CREDENTIAL.length));
      const rights = token && options.held.rightsOf(db, token.userId);
      return token && rights && sessionOf(token, rights);
    });
  }

  return {
    session,
    refuse,
    admit(credential, ip) {
      const found = session(credential);
      if (!found?.token || !isAllowed(found.token.addresses, ip)) return refuse(ip);
      uses.note(found.token.id);
      return found;
    },
    list: () => vault.read((db) => table.allTokens(db).map((token) => recordOf(db, token))),
    get: (id) => vault.read((db) => recordOf(db, table.expectToken(db, id))),
    actorsOf: (userId) =>
      vault.read((db) => table.allTokens(db).flatMap((token) => (token.userId === userId ? [actorId(token.id)] : []))),
    async create(input, by) {
      const endsAt = endOf(input, now());
      return changeRights((db) => {
        mayGive(managerRights(db, by.user.id), input.permissions, 'Creating this service token');
        if (table.isTokenNameTaken(db, nameKey(input.name))) throw taken(input.name);
        makeRoom(db, isOver);
        const { id, value } = makeServiceToken(randomBytes);
        const createdAt = new Date(now()).toISOString();
        const { name, permissions, project, addresses = null } = input;
        const given = { id, name, hash: hash(value), permissions, project, addresses, createdAt, endsAt };
        table.insertToken(db, { ...given, userId: by.user.id }, nameKey(name));
        return { value, record: recordOf(db, table.expectToken(db, id)) };
      });
    },
    holdRevoked: revocations.hold,
    releaseRevoked: revocations.release,
    revoke: revocations.save,
  };
}

function sessionOf(token: table.StoredToken, rights: ReadonlySet<string>): Session {
  const { id, name, project, addresses, createdAt, endsAt } = token;
  return {
    user: { id: actorId(id), name: TOKEN_ACTOR + name, roles: [], active: true, createdAt, lastLoginAt: null },
    permissions: new Set(token.permissions.filter((permission) => rights.has(permission))),
    csrfToken: '',
    expiresAt: endsAt,
    token: { id, project, addresses },
  };
}

function createRefusals({ elapsedMs }: ServiceTokenOptions): ServiceTokens['refuse'] {
  const failures = createFailures(elapsedMs);
  return (ip, rule = 'token_invalid') => {
    const source = [sourceNetwork(ip)];
    failures.check(source);
    failures.add(source);
    throw new SluiceError('token_invalid', stated(rule));
  };
}

type Revoked = Pick<TokenRecord, 'revokedAt' | 'revokedBy'>;

/** A revocation is in effect before it is in the vault. */
function createRevocations({ vault, now, changeRights, onRevoked }: ServiceTokenOptions) {
  const held = new Map<string, Revoked>();
  const begun = (by: string) => ({ revokedAt: new Date(now()).toISOString(), revokedBy: by });
  return {
    of({ id, revokedAt, revokedBy }: table.StoredToken): Revoked {
      const stored = { revokedAt, revokedBy };
      return revokedAt === null ? (held.get(id) ?? stored) : stored;
    },
    hold(id: string, by: string): void {
      vault.read((db) => table.expectToken(db, id));
      if (!held.has(id)) held.set(id, begun(by));
      onRevoked(actorId(id));
    },
    release: (id: string) => void held.delete(id),
    async save(id: string, by: string): Promise<void> {
      await changeRights((db) => {
        table.expectToken(db, id);
        const { revokedAt, revokedBy } = { ...begun(by), ...held.get(id) };
        table.setTokenRevoked(db, id, revokedAt ?? '', revokedBy ?? by);
      });
      held.delete(id);
    },
  };
}

/** The last use of each token. A vault is written as a whole, so a use is saved at most once an hour. */
function createUses({ vault, now, log }: ServiceTokenOptions) {
  const times = new Map<string, string>();
  const savedMs = new Map<string, number>();
  return {
    note(id: string): void {
      const time = new Date(now()).toISOString();
      times.set(id, time);
      if (now() - (savedMs.get(id) ?? -Infinity) < USE_SAVED_MS) return;
      savedMs.set(id, now());
      void vault
        .mutate((db) => table.setTokenUse(db, id, time))
        .catch((error: unknown) => log.warn('the use of a service token could not be stored', { id, error }));
    },
    last: ({ id, lastUsedAt }: table.StoredToken): string | null => times.get(id) ?? lastUsedAt,
  };
}

function isAllowed(addresses: readonly string[] | null, ip: string): boolean {
  return addresses === null || addresses.some((range) => rangeInside(ip, range));
}

function endOf({ endsAt }: NewToken, nowMs: number): string {
  const endsMs = Date.parse(endsAt);
  if (endsMs > nowMs && endsMs <= nowMs + TOKEN_DAYS_MAX * DAY_MS) return new Date(endsMs).toISOString();
  const broken = ruleBroken('endsAt', 'token_end', { days: TOKEN_DAYS_MAX });
  throw new SluiceError('invalid', `${broken.path}: ${broken.message}`, { errors: [broken] });
}

/** The oldest token that is over is deleted. */
function makeRoom(db: Database, isOver: (token: table.StoredToken) => boolean): void {
  const tokens = table.allTokens(db);
  if (tokens.length < TOKENS_MAX) return;
  const oldest = tokens.findLast(isOver);
  if (oldest === undefined)
    throw new SluiceError('conflict', `There are already ${TOKENS_MAX} valid service tokens; revoke one first.`);
  table.deleteToken(db, oldest.id);
}

function taken(name: string): SluiceError {
  const detail = stated('token_taken', { name });
  return new SluiceError('conflict', detail, { errors: [{ path: 'name', ...detail }] });
}
