import { PERMISSIONS } from '#common/model/records.ts';
import type { Session } from '../contracts.ts';

/** Never the ID of a user: those have 12 characters. */
export const SETUP_USER_ID = 'setup';
/** Name of the command line in the audit journal. */
export const COMMAND_LINE_USER = 'command line';

/**
 * The session of a set-up from the command line, before any user exists. Security: only the control socket, which belongs
 * to the owner of the data folder, opens one; it is refused once there is an Administrator. It has every permission except
 * managing users, which requires a user in the vault.
 */
export function setupSession(csrfToken: string, createdAt: string, expiresAt: string): Session {
  const user = { id: SETUP_USER_ID, name: COMMAND_LINE_USER, roles: ['Administrator'], active: true };
  return {
    user: { ...user, createdAt, lastLoginAt: null },
    permissions: new Set(PERMISSIONS),
    csrfToken,
    expiresAt,
  };
}
