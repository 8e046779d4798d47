import { sourceBlock } from '#common/cidr.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Vault } from '../contracts.ts';
import { nameKey } from '#common/model/credentials.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { createFailures } from './failures.ts';
import { createLogInLanes } from './log-in-lanes.ts';
import { hashPassword, type ScryptCost, unfittableHash, verifyPassword } from './password.ts';
import { type StoredUser, userByNameKey } from './tables.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Passwords: compares them at log-in, hashes new ones. One is compared at a time and one hashed; 32 wait for each. An
 * unknown name, an inactive user and a wrong password take the same time and get the same response.
 */
export interface Authentication {
  hash(password: string): Promise<string>;
  /** The user with this password. Throws `login_failed`, which counts as a failure, or `login_slowed`. */
  authenticate(name: string, password: string, from: LogInSource): Promise<StoredUser>;
  /** Clears the failures of a name. */
  forgive(name: string): void;
}

/**
 * The source of an attempt: `uid` is the user of a program on this PC, null: unknown. A session is a source of its own.
 */
export type LogInSource = { ip: string; uid: number | null } | { session: string };

export interface AuthenticationOptions {
  vault: Vault;
  elapsedMs: () => number;
  /** Milliseconds since 1970. */
  now: () => number;
  cost: ScryptCost;
}

const WAITING_MAX = 32;
const BUSY_SECONDS = 3;
export const LOGIN_FAILED = stated('login_failed');

export function createAuthentication({ vault, elapsedMs, now, cost }: AuthenticationOptions): Authentication {
  const failures = createFailures(elapsedMs);
  const lanes = createLogInLanes(elapsedMs, now);
  const logInTurns = createSerialQueue(WAITING_MAX, busy);
  const hashTurns = createSerialQueue(WAITING_MAX, busy);
  const nobodysHash = unfittableHash(cost);

  return {
    hash: (password) => hashTurns.take(() => hashPassword(password, cost)),
    forgive(name) {
      failures.clear(nameFailures(name));
      failures.clearAll(laneFailures(name, ''));
    },
    async authenticate(name, password, from) {
      const source = sourceOf(from);
      const find = (): StoredUser | null => vault.read((db) => userByNameKey(db, nameKey(name)));
      const hasLane = lanes.has(nameKey(name), source, find()?.record.lastLoginAt ?? null);
      const isAlone = hasLane || 'session' in from;
      const ownFailures = isAlone ? laneFailures(name, source) : nameFailures(name);
      const failureKeys = isAlone ? [ownFailures] : [ownFailures, `source:${source}`];
      failures.check(failureKeys);
      return logInTurns.take(async () => {
        // Again: guesses that arrived at the same time passed the first check together.
        failures.check(failureKeys);
        const user = find();
        const fits = await verifyPassword(password, user?.record.active ? user.password : nobodysHash);
        const after = find();
        // Again: while the password was compared, the user may have been deactivated or got another one.
        if (user && fits && after?.record.active && after.password === user.password) {
          failures.clear(ownFailures);
          if (!('session' in from)) lanes.succeeded(nameKey(name), source);
          return after;
        }
        failures.add(failureKeys);
        throw new SluiceError('login_failed', LOGIN_FAILED);
      });
    },
  };
}

function busy(): Error {
  return new SluiceError('login_slowed', stated('logins_busy'), {
    retryAfterSeconds: BUSY_SECONDS,
  });
}

function nameFailures(name: string): string {
  return `name:${nameKey(name)}`;
}

function laneFailures(name: string, source: string): string {
  return `lane:${nameKey(name)}\n${source}`;
}

/** All of 127.0.0.0/8 is one source for each user: a local program can call from sixteen million addresses. */
function sourceOf(from: LogInSource): string {
  if ('session' in from) return `session ${from.session}`;
  const { ip, uid } = from;
  if (!ip.startsWith('127.') && ip !== '::1') return sourceBlock(ip);
  return uid === null ? 'loopback' : `loopback uid ${uid}`;
}
