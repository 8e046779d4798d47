import { sourceBlock } from '#common/cidr.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Vault } from '../contracts.ts';
import { nameKey } from './credentials.ts';
import { createFailures } from './failures.ts';
import { hashPassword, type ScryptCost, unfittableHash, verifyPassword } from './password.ts';
import { type StoredUser, userByNameKey } from './tables.ts';
import { createTurns } from './turns.ts';

/**
 * Passwords: comparing them for a log-in, hashing new ones. One is compared at a time and one hashed, 32 wait for
 * each. An unknown name, an inactive user and a wrong password take the same time and get the same answer.
 */
export interface Authentication {
  hash(password: string): Promise<string>;
  /** The user whose password this is. Throws `login_failed`, counting it, or `login_slowed`. */
  authenticate(name: string, password: string, from?: { ip: string }): Promise<StoredUser>;
  /** Forgets the failures of a name. */
  forgive(name: string): void;
}

const WAITING_MAX = 32;
export const LOGIN_FAILED = 'The name or the password is wrong.';

export function createAuthentication(vault: Vault, elapsedMs: () => number, cost: ScryptCost): Authentication {
  const failures = createFailures(elapsedMs);
  const logInTurns = createTurns(WAITING_MAX, busy);
  const hashTurns = createTurns(WAITING_MAX, busy);
  const nobodysHash = unfittableHash(cost);

  return {
    hash: (password) => hashTurns.take(() => hashPassword(password, cost)),
    forgive: (name) => failures.clear(nameFailures(name)),
    async authenticate(name, password, from) {
      const failureKeys = [nameFailures(name), ...(from ? [addressFailures(from.ip)] : [])];
      const find = (): StoredUser | null => vault.read((db) => userByNameKey(db, nameKey(name)));
      failures.check(failureKeys);
      return logInTurns.take(async () => {
        // Again: guesses that came all at once passed the first check together.
        failures.check(failureKeys);
        const user = find();
        const fits = await verifyPassword(password, user?.record.active ? user.password : nobodysHash);
        const after = find();
        // Again: while the password was compared, the user may have been deactivated or given another one.
        if (user && fits && after?.record.active && after.password === user.password) {
          failures.clear(nameFailures(name));
          return after;
        }
        failures.add(failureKeys);
        throw new SluiceError('login_failed', LOGIN_FAILED);
      });
    },
  };
}

function busy(): Error {
  return new SluiceError('login_slowed', 'Too many passwords are being checked; try again in a few seconds.');
}

function nameFailures(name: string): string {
  return `name:${nameKey(name)}`;
}

/** All of 127.0.0.0/8 is one source: a local program has sixteen million of those addresses to call from. */
function addressFailures(ip: string): string {
  return `address:${ip.startsWith('127.') || ip === '::1' ? 'loopback' : sourceBlock(ip)}`;
}
