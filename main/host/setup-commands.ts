import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { errorCode } from '#common/node/atomic-file.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { UserRecord } from '#common/model/records.ts';
import { cookieName } from '../admin-api/session-cookie.ts';
import type { FirstUsers, People, Vault } from '../contracts.ts';
import { newPassword, permissionNames, personName, roleNames, userName } from '#common/model/credentials.ts';

/**
 * A set-up from the command line. `setup-state` returns whether an Administrator exists. `setup-begin` opens a session for
 * the admin API, which the command uses for everything except users. `setup-finish` creates the users and completes the
 * set-up. `setup-end` closes the session.
 */
export interface Doors {
  readonly uiPort: number;
  /** Address for calls from this machine; null while no gateway serves. */
  readonly gatewayUrl: string | null;
}

/** Reply to `setup-begin`. */
export const setupAccess = z.strictObject({
  ui: z.string(),
  gateway: z.string().nullable(),
  /** Name and value. */
  cookie: z.string(),
  csrfToken: z.string(),
});
type SetupAccess = z.infer<typeof setupAccess>;

export const SETUP_USERS_MAX = 100;
export const SETUP_ROLES_MAX = 50;

const firstUsers = z.strictObject({
  administrator: z.strictObject({ name: userName, password: newPassword }),
  roles: z.array(z.strictObject({ name: personName, permissions: permissionNames })).max(SETUP_ROLES_MAX),
  users: z.array(z.strictObject({ name: userName, password: newPassword, roles: roleNames })).max(SETUP_USERS_MAX),
});

interface SetupParts {
  people: Pick<People, 'openSetupSession'>;
  vault: Pick<Vault, 'rolledBack'>;
  doors(): Doors | null;
}

/** One set-up at a time: a second one would remove the results of the first, as if that had been killed. */
export class SetupTurn {
  #pid: number | null = null;

  /** `pid`: the process that performs it. Throws SluiceError `conflict` while another process performs one. */
  take(pid: number): void {
    if (this.#pid !== null && this.#pid !== pid && isRunning(this.#pid))
      throw new SluiceError(
        'conflict',
        `Another "sluice setup" (process ${this.#pid}) is in progress. Wait until it has ended, then try again.`,
      );
    this.#pid = pid;
  }

  end(): void {
    this.#pid = null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs as another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Throws SluiceError `conflict` if Sluice is or may be set up, or is being set up. */
export function beginSetup({ people, vault, doors }: SetupParts, turn: SetupTurn, pid: number): SetupAccess {
  // A set-up removes the projects of one that was killed; here they may be those of Administrators whom this vault lacks.
  if (vault.rolledBack)
    throw new SluiceError(
      'conflict',
      'The vault is an older one, from before the set-up. Put the newest one back, or add an Administrator with "sluice user add".',
    );
  const listening = doors();
  if (listening === null) throw new SluiceError('conflict', 'No Sluice is running on this data folder.');
  turn.take(pid);
  const { cookie, session } = people.openSetupSession();
  return {
    ui: `http://127.0.0.1:${listening.uiPort}`,
    gateway: listening.gatewayUrl,
    cookie: `${cookieName(listening.uiPort)}=${cookie}`,
    csrfToken: session.csrfToken,
  };
}

/** Parses the users first, so that the journal row has their names; `perform` creates them. */
export function finishSetup(
  people: Pick<People, 'setUpAll'>,
  body: Uint8Array,
): { target: string; detail: string; perform: () => Promise<UserRecord> } {
  const users = readUsers(body);
  const others = `${users.users.length} other users, ${users.roles.length} roles`;
  return {
    target: users.administrator.name,
    detail: `first Administrator, ${others}, from a set-up file`,
    perform: () => people.setUpAll(users),
  };
}

function readUsers(body: Uint8Array): FirstUsers {
  const result = firstUsers.safeParse(parsed(body));
  if (result.success) return result.data;
  const [first] = fieldErrors(result.error);
  throw new SluiceError('invalid', `${first?.path ?? ''}: ${first?.message ?? 'expected the users'}`);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
