import { PERMISSIONS } from '#common/model/records.ts';
import type { Session } from '../contracts.ts';

/** No user has it: ids of users are 12 characters long. */
export const SETUP_USER_ID = 'setup';
/** How the audit journal names what the command line did. */
export const COMMAND_LINE_USER = 'command line';

/**
 * The session of a set-up from the command line, which comes before every user. Security: only the control socket opens
 * one, whose owner owns the data folder; it is refused as soon as there is an Administrator. It may do everything but
 * manage users: that asks for a user in the vault.
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
