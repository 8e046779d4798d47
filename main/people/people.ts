import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { UserRecord } from '#common/model/records.ts';
import type { Logger } from '#common/node/log.ts';
import type { FirstUsers, People, Session, Vault } from '../contracts.ts';
import * as accounts from './accounts.ts';
import { createAuthentication, LOGIN_FAILED } from './authentication.ts';
import {
  givenName,
  givenPassword,
  nameKey,
  newPassword,
  permissionNames,
  personName,
  read,
  roleNames,
  userName,
} from '#common/model/credentials.ts';
import { type ScryptCost, SCRYPT_COST } from './password.ts';
import { HeldRights } from './held-rights.ts';
import { managerRights, mayAssign, rolesByName } from './rights.ts';
import { createServiceTokens } from './service-tokens.ts';
import { createSessions, type SessionEndCause, type SessionEntry } from './sessions.ts';
import { SETUP_USER_ID, setupSession } from './setup-session.ts';
import { openSetupToken, removeSetupToken } from './setup-token.ts';
import * as tables from './tables.ts';

/**
 * Users, roles and sessions (docs/spec/users.md#users).
 *
 * State: users and roles in the vault's image; sessions, log-in failures and the remaining attempts of the set-up token
 * in memory. Limits: those of accounts.ts, authentication.ts, failures.ts and sessions.ts. Security: every right is
 * checked inside the vault's transaction (rights.ts). The user and permissions of a session are read from the image at
 * each call, so that a change takes effect immediately. Known weaknesses: sessions do not survive a restart;
 * `lastLoginAt` is lost if the vault cannot be written, because an Administrator must be able to log in to an appliance
 * with a full disk.
 */
export interface PeopleOptions {
  vault: Vault;
  dataDir: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds from any zero point of a clock that cannot be set: sessions and delays are measured with it. */
  elapsedMs: () => number;
  log: Logger;
  /** For tests, which cannot spend a second on each password. */
  cost?: ScryptCost;
}

export function createPeople({ vault, dataDir, now, elapsedMs, log, cost = SCRYPT_COST }: PeopleOptions): People {
  const sessions = createSessions(elapsedMs, sessionOver);
  const { authenticate, hash, forgive } = createAuthentication({ vault, elapsedMs, now, cost });
  const held = new HeldRights();
  const endedListeners: ((userId: string) => void)[] = [];
  const overListeners: Parameters<People['onSessionOver']>[0][] = [];
  const setupNeeded = (): boolean => vault.read(tables.activeAdministrators) === 0;
  const timestamp = (): string => new Date(now()).toISOString();
  const endOf = (endsAtMs: number): string => new Date(now() + endsAtMs - elapsedMs()).toISOString();
  let setupToken = setupNeeded() ? openSetupToken({ dataDir, elapsedMs, onVoid: deleteToken }) : null;
  if (setupToken === null) removeSetupToken(dataDir);

  function change<T>(alter: (db: Database) => T): Promise<T> {
    return vault.mutate((db) => {
      tables.ensureTables(db);
      return alter(db);
    });
  }

  /**
   * A change of rights, applied to the state under the held restrictions, so that it cannot return rights that they
   * removed.
   */
  function changeRights<T>(alter: (db: Database) => T): Promise<T> {
    return change((db) => {
      accounts.restrictAll(db, held.list());
      return alter(db);
    });
  }

  const sessionsEnded = (userId: string): void => endedListeners.forEach((listener) => listener(userId));
  const tokens = createServiceTokens({ vault, now, elapsedMs, log, held, changeRights, onRevoked: sessionsEnded });

  /** Streams of tokens that the user created end as well: they have the rights of their beginning. */
  function endSessions(userIds: Iterable<string>): void {
    for (const userId of new Set(userIds)) {
      sessions.closeOf(userId);
      [userId, ...tokens.actorsOf(userId)].forEach(sessionsEnded);
    }
  }

  function sessionOver(userId: string, cause: SessionEndCause): void {
    const user = vault.read((db) => tables.userById(db, userId));
    if (user) for (const listener of overListeners) listener(user.record, cause);
  }

  /** The set-up token is no longer needed once there is an Administrator, however created. */
  function endSetup(): void {
    if (setupNeeded()) return;
    setupToken = null;
    deleteToken();
  }

  function deleteToken(): void {
    try {
      removeSetupToken(dataDir);
    } catch (error) {
      log.error('the set-up token could not be deleted; it is no longer valid', { error });
    }
  }

  function view({ userId, csrfToken, endsAtMs }: SessionEntry): Session | null {
    if (userId === SETUP_USER_ID) return setupNeeded() ? setupSession(csrfToken, timestamp(), endOf(endsAtMs)) : null;
    return vault.read((db) => {
      const user = tables.userById(db, userId);
      if (!user?.record.active) return null;
      const permissions = held.permissionsOf(db, user);
      return { user: user.record, permissions, csrfToken, expiresAt: endOf(endsAtMs) };
    });
  }

  /** Checks the input and hashes the password, before any transaction. */
  async function newUser(input: { name: string; password: string; roles: string[] }): Promise<accounts.NewUser> {
    const name = read(userName, input.name, 'name');
    const roles = read(roleNames, input.roles, 'roles');
    const password = await hash(read(newPassword, input.password, 'password'));
    return { name, password, roles, createdAt: timestamp() };
  }

  async function setup({
    token,
    name,
    password,
  }: {
    token: string;
    name: string;
    password: string;
  }): Promise<UserRecord> {
    if (!setupNeeded() || setupToken === null) throw alreadySetUp();
    setupToken.expect(token);
    const first = await newUser({ name, password, roles: ['Administrator'] });
    const user = await change((db) => {
      // Two requests may have presented the token at the same time: the first one counts.
      if (tables.activeAdministrators(db) > 0) throw alreadySetUp();
      return accounts.addUser(db, first);
    });
    endSetup();
    return user;
  }

  function openSetupSession(): { cookie: string; session: Session } {
    if (!setupNeeded()) throw alreadySetUp();
    endSessions([SETUP_USER_ID]);
    const { cookie, entry } = sessions.open(SETUP_USER_ID);
    const session = view(entry);
    if (session === null) throw alreadySetUp();
    return { cookie, session };
  }

  async function setUpAll({ administrator, roles, users }: FirstUsers): Promise<UserRecord> {
    if (!setupNeeded()) throw alreadySetUp();
    const first = await newUser({ ...administrator, roles: ['Administrator'] });
    const madeRoles = roles.map((role, index) => ({
      name: read(personName, role.name, `roles.${index}.name`),
      permissions: read(permissionNames, role.permissions, `roles.${index}.permissions`),
    }));
    const others: accounts.NewUser[] = [];
    for (const user of users) others.push(await newUser(user));
    const made = await change((db) => {
      if (tables.activeAdministrators(db) > 0) throw alreadySetUp();
      const user = accounts.addUser(db, first);
      for (const role of madeRoles) accounts.addRole(db, role, user.id);
      for (const other of others) accounts.addUser(db, other);
      return user;
    });
    endSetup();
    return made;
  }

  async function logIn(
    name: string,
    password: string,
    ip: string,
    uid: number | null = null,
  ): Promise<{ session: Session; cookie: string }> {
    const given = read(givenPassword, password, 'password');
    const user = await authenticate(read(givenName, name, 'name'), given, { ip, uid });
    if (held.isSuspended(user.record.id)) throw new SluiceError('login_failed', LOGIN_FAILED);
    const opened = sessions.open(user.record.id);
    await change((db) => tables.setLastLogin(db, user.record.id, timestamp())).catch((error: unknown) =>
      log.error('the time of a log-in could not be stored', { error }),
    );
    // Again: the session may have ended while the time was stored.
    const session = sessions.find(opened.cookie) === null ? null : view(opened.entry);
    if (session === null) throw new SluiceError('login_failed', LOGIN_FAILED);
    return { session, cookie: opened.cookie };
  }

  function openSession(userId: string): { session: Session; cookie: string } {
    const opened = held.isSuspended(userId) ? null : sessions.open(userId);
    const session = opened && view(opened.entry);
    if (!session) throw new SluiceError('conflict', 'The account was changed meanwhile; log in again.');
    const { cookie } = opened;
    return { session, cookie };
  }

  async function changeOwnPassword(
    session: Session,
    old: string,
    next: string,
  ): Promise<{ session: Session; cookie: string }> {
    const password = read(newPassword, next, 'new');
    const user = await authenticate(session.user.name, read(givenPassword, old, 'old'), { session: session.user.id });
    const hashed = await hash(password);
    await change((db) => {
      const { record, password: current } = accounts.expectUser(db, user.record.id);
      // The user may have been suspended while the password was compared.
      if (!record.active || held.isSuspended(record.id) || current !== user.password) {
        throw new SluiceError('conflict', 'The account was changed meanwhile; log in again.');
      }
      tables.setPassword(db, record.id, hashed);
    });
    // A new session in place of the one that made the call: a thief of its cookie and token is logged out too.
    endSessions([user.record.id]);
    return openSession(user.record.id);
  }

  async function resetPassword(name: string, password: string): Promise<void> {
    const hashed = await hash(read(newPassword, password, 'password'));
    const userId = await change((db) => {
      const user = tables.userByNameKey(db, nameKey(name));
      if (user === null) throw new SluiceError('unknown', `There is no user named "${name.slice(0, 64)}".`);
      tables.setPassword(db, user.record.id, hashed);
      return user.record.id;
    });
    forgive(name);
    endSessions([userId]);
  }

  return {
    get setupNeeded() {
      return setupNeeded();
    },
    setup,
    expectSetupAttempt: () => setupToken?.expectAttempt(),
    logIn,
    changeOwnPassword,
    resetPassword,
    users: () => vault.read(tables.allUsers).map((user) => held.shownUser(user)),
    roles: () => vault.read(tables.allRoles).map((role) => held.shownRole(role)),
    async createUser(input, by) {
      const user = await newUser(input);
      return changeRights((db) => {
        mayAssign(managerRights(db, by.user.id), rolesByName(db, user.roles));
        return accounts.addUser(db, user);
      });
    },
    checkRestriction(restriction, by) {
      vault.rehearse((db) => {
        tables.ensureTables(db);
        accounts.restrictAll(db, held.list());
        if (restriction.kind === 'role') {
          const { role, permissions } = restriction;
          return void accounts.alterRole(db, role, { name: undefined, permissions }, by.user.id);
        }
        const { user, roles, active } = restriction;
        accounts.alterUser(db, user, { roles, active, password: undefined }, by.user.id);
      });
    },
    hold(restriction) {
      const hold = held.hold(restriction);
      endSessions(
        restriction.kind === 'user'
          ? [restriction.user]
          : vault.read((db) => tables.userIdsWithRole(db, restriction.role)),
      );
      return hold;
    },
    async saveHeld(hold) {
      await change((db) => {
        for (const part of hold.left()) accounts.restrict(db, part);
      });
      hold.release();
    },
    async changeUser(userId, patch, by, mayChange = () => {}) {
      if (patch.password !== undefined && userId === by.user.id) throw ownPassword();
      const password =
        patch.password === undefined ? undefined : await hash(read(newPassword, patch.password, 'password'));
      const roles = patch.roles === undefined ? undefined : read(roleNames, patch.roles, 'roles');
      const { user, replaced } = await changeRights((db) => {
        mayChange();
        // Restrictions that are held from now on are later ones.
        const earlier = held.overlapping({ kind: 'user', user: userId, active: patch.active, roles });
        const altered = accounts.alterUser(db, userId, { roles, active: patch.active, password }, by.user.id);
        return { user: altered, replaced: earlier };
      });
      replaced.release();
      if (Object.keys(patch).length > 0) endSessions([userId]);
      return user;
    },
    async createRole(input, by) {
      const name = read(personName, input.name, 'name');
      const permissions = read(permissionNames, input.permissions, 'permissions');
      return changeRights((db) => accounts.addRole(db, { name, permissions }, by.user.id));
    },
    async changeRole(roleId, patch, by, mayChange = () => {}) {
      const name = patch.name === undefined ? undefined : read(personName, patch.name, 'name');
      const permissions = patch.permissions && read(permissionNames, patch.permissions, 'permissions');
      const { role, holders, replaced } = await changeRights((db) => {
        mayChange();
        const earlier = permissions && held.overlapping({ kind: 'role', role: roleId, permissions });
        return { ...accounts.alterRole(db, roleId, { name, permissions }, by.user.id), replaced: earlier };
      });
      replaced?.release();
      endSessions(holders);
      return role;
    },
    tokens,
    session(credential) {
      const entry = sessions.find(credential);
      return entry ? view(entry) : tokens.session(credential);
    },
    logOut: (cookie) => sessions.close(cookie),
    endExpiredSessions: () => sessions.endExpired(),
    async addUser(input) {
      const user = await newUser(input);
      const record = await change((db) => accounts.addUser(db, user));
      endSetup();
      return record;
    },
    openSetupSession,
    endSetupSession: () => endSessions([SETUP_USER_ID]),
    setUpAll,
    onSessionsEnded: (listener) => void endedListeners.push(listener),
    onSessionOver: (listener) => void overListeners.push(listener),
  };
}

function alreadySetUp(): SluiceError {
  return new SluiceError('conflict', 'Sluice is already set up.');
}

function ownPassword(): SluiceError {
  const message = 'expected your own password to be changed by POST /session/password, which asks for the old one';
  return new SluiceError('invalid', `password: ${message}`, { errors: [{ path: 'password', message }] });
}
