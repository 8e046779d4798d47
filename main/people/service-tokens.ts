import { randomBytes } from 'node:crypto';
import type { Database } from 'sql.js';
import { makeServiceToken, serviceTokenId } from '#common/api-key.ts';
import { sourceNetwork } from '#common/cidr.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { ruleBroken, stated } from '#common/errors/rules.ts';
import { nameKey, TOKEN_ACTOR } from '#common/model/credentials.ts';
import type { Permission, TokenRecord } from '#common/model/records.ts';
import { rangeInside } from '#common/model/widening.ts';
import { createKeyHasher, hashesEqual } from '#common/node/key-hash.ts';
import type { Logger } from '#common/node/log.ts';
import type { ServiceTokens, Session, Vault } from '../contracts.ts';
import { createFailures } from './failures.ts';
import { managerRights, mayGive } from './rights.ts';
import { userById } from './tables.ts';
import * as table from './token-table.ts';

/**
 * Service tokens (docs/spec/users.md#service-tokens): credentials of programs for the admin API. A token has, at each
 * call, those of its permissions that its maker still holds.
 *
 * State: the vault's image; the time of the last use in memory, saved at most once an hour. Limits: TOKENS_MAX, of which
 * revoked and ended ones give way to new ones; TOKEN_DAYS_MAX; failures as in failures.ts. Security: only the keyed hash
 * of a value is stored, compared in constant time. Refusals have one text for every cause and are slowed down for each
 * network; a valid token is never slowed down, because 256 random bits cannot be guessed. Known weakness: the end
 * follows the clock of the PC.
 */
export const TOKENS_MAX = 200;
export const TOKEN_DAYS_MAX = 366;
/** The ID of the session's user, which the live streams have. */
export const tokenUserId = (id: string): string => TOKEN_ACTOR + id;
/** No cookie has a space, so none is taken for a token. */
const CREDENTIAL = 'Bearer ';
export const tokenCredential = (value: string): string => CREDENTIAL + value;

/** The token in a credential; null: it is the value of a session cookie. */
export const tokenIn = (credential: string): string | null =>
  credential.startsWith(CREDENTIAL) ? credential.slice(CREDENTIAL.length) : null;
const DAY_MS = 24 * 60 * 60_000;
const USE_SAVED_MS = 60 * 60_000;
const PEPPER_PURPOSE = 'service-token-pepper';

export interface ServiceTokenOptions {
  vault: Vault;
  now: () => number;
  elapsedMs: () => number;
  log: Logger;
  /** A change of rights, as in people.ts. */
  changeRights: <T>(alter: (db: Database) => T) => Promise<T>;
  /** The permissions that the user has now; null: deactivated. */
  rightsOf: (db: Database, userId: string) => ReadonlySet<Permission> | null;
}

export function createServiceTokens(options: ServiceTokenOptions): ServiceTokens {
  const { vault, now, elapsedMs, changeRights, rightsOf } = options;
  const hash = createKeyHasher(vault.derive(PEPPER_PURPOSE));
  const failures = createFailures(elapsedMs);
  // Revocations that are in effect and not in the vault yet.
  const held = new Map<string, Pick<TokenRecord, 'revokedAt' | 'revokedBy'>>();
  const uses = createUses(options);
  const timestamp = (): string => new Date(now()).toISOString();

  const isOver = ({ id, revokedAt, endsAt }: table.StoredToken): boolean =>
    revokedAt !== null || held.has(id) || !(Date.parse(endsAt) > now());

  function recordOf(db: Database, token: table.StoredToken): TokenRecord {
    const { id, name, permissions, project, addresses, createdAt, endsAt, revokedAt, revokedBy } = token;
    const rights = rightsOf(db, token.userId);
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
      ...(revokedAt === null ? (held.get(id) ?? { revokedAt, revokedBy }) : { revokedAt, revokedBy }),
    };
  }

  function expectToken(db: Database, id: string): table.StoredToken {
    const token = table.tokenById(db, id);
    if (token === null) throw new SluiceError('unknown', 'There is no such service token.');
    return token;
  }

  /** The valid token with this value. */
  function find(db: Database, value: string): table.StoredToken | null {
    const id = serviceTokenId(value);
    const token = id === null ? null : table.tokenById(db, id);
    return token !== null && hashesEqual(hash(value), token.hash) && !isOver(token) ? token : null;
  }

  function sessionOf(db: Database, token: table.StoredToken): Session | null {
    const rights = rightsOf(db, token.userId);
    if (rights === null) return null;
    const { id, name, project, addresses, createdAt, endsAt } = token;
    return {
      user: {
        id: tokenUserId(id),
        name: TOKEN_ACTOR + name,
        roles: [],
        active: true,
        createdAt,
        lastLoginAt: null,
      },
      permissions: new Set(token.permissions.filter((permission) => rights.has(permission))),
      csrfToken: '',
      expiresAt: endsAt,
      token: { id, project, addresses },
    };
  }

  function session(value: string): Session | null {
    return vault.read((db) => {
      const token = find(db, value);
      return token && sessionOf(db, token);
    });
  }

  function refuse(ip: string, rule: 'token_invalid' | 'token_and_cookie' = 'token_invalid'): never {
    const source = [`network:${sourceNetwork(ip)}`];
    failures.check(source);
    failures.add(source);
    throw new SluiceError('token_invalid', stated(rule));
  }

  return {
    session,
    refuse,
    admit(value, ip) {
      const found = session(value);
      if (found?.token && isAllowed(found.token.addresses, ip)) {
        uses.note(found.token.id);
        return found;
      }
      return refuse(ip);
    },
    list: () => vault.read((db) => table.allTokens(db).map((token) => recordOf(db, token))),
    ofMaker: (userId) =>
      vault.read((db) => table.allTokens(db).flatMap((token) => (token.userId === userId ? [token.id] : []))),
    async create(input, by) {
      const endsMs = Date.parse(input.endsAt);
      if (!(endsMs > now() && endsMs <= now() + TOKEN_DAYS_MAX * DAY_MS))
        throw wrongField(ruleBroken('endsAt', 'token_end', { days: TOKEN_DAYS_MAX }));
      return changeRights((db) => {
        mayGive(managerRights(db, by.user.id), input.permissions, 'Creating this service token');
        if (table.isTokenNameTaken(db, nameKey(input.name))) throw taken(input.name);
        makeRoom(db, isOver);
        const { id, value } = makeServiceToken(randomBytes);
        const token: table.StoredToken = {
          id,
          name: input.name,
          hash: hash(value),
          permissions: input.permissions,
          project: input.project,
          addresses: input.addresses ?? null,
          createdAt: timestamp(),
          userId: by.user.id,
          endsAt: new Date(endsMs).toISOString(),
          lastUsedAt: null,
          revokedAt: null,
          revokedBy: null,
        };
        table.insertToken(db, token, nameKey(token.name));
        return { value, record: recordOf(db, token) };
      });
    },
    get: (id) => vault.read((db) => recordOf(db, expectToken(db, id))),
    holdRevoked(id, by) {
      vault.read((db) => expectToken(db, id));
      if (!held.has(id)) held.set(id, { revokedAt: timestamp(), revokedBy: by });
    },
    releaseRevoked: (id) => void held.delete(id),
    async revoke(id, by) {
      await changeRights((db) => {
        expectToken(db, id);
        const first = held.get(id);
        table.setTokenRevoked(db, id, first?.revokedAt ?? timestamp(), first?.revokedBy ?? by);
      });
      held.delete(id);
    },
  };
}

interface Uses {
  note(id: string): void;
  last(token: table.StoredToken): string | null;
}

/** The last use of each token. A vault is written as a whole, so a use is saved at most once an hour. */
function createUses({ vault, now, log }: ServiceTokenOptions): Uses {
  const times = new Map<string, string>();
  const savedMs = new Map<string, number>();
  return {
    note(id) {
      const time = new Date(now()).toISOString();
      times.set(id, time);
      if (now() - (savedMs.get(id) ?? -Infinity) < USE_SAVED_MS) return;
      savedMs.set(id, now());
      void vault
        .mutate((db) => table.setTokenUse(db, id, time))
        .catch((error: unknown) => log.warn('the use of a service token could not be stored', { id, error }));
    },
    last: ({ id, lastUsedAt }) => times.get(id) ?? lastUsedAt,
  };
}

function isAllowed(addresses: readonly string[] | null, ip: string): boolean {
  return addresses === null || addresses.some((range) => rangeInside(ip, range));
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

function wrongField(broken: ReturnType<typeof ruleBroken>): SluiceError {
  return new SluiceError('invalid', `${broken.path}: ${broken.message}`, { errors: [broken] });
}
