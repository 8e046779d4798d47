import { z } from 'zod';
import { givenName, givenPassword, newPassword } from '../model/credentials.ts';
import { declareCall } from './declaration.ts';
import { sessionRecord } from './records.ts';

export const logIn = z.strictObject({ name: givenName, password: givenPassword });

export const sessionContract = {
  logIn: declareCall({
    method: 'post',
    path: '/session',
    access: 'public',
    audit: ['session.login', 'session.login-failed', 'session.end'],
    summary: 'Log in',
    description:
      'Sets the session cookie and answers the CSRF token, which every call with the session sends in `X-CSRF-Token`: the cookie alone opens nothing. A session lasts 12 hours. Log-ins are slowed after five failures; `Retry-After` says for how long.',
    errors: ['login_failed', 'setup_needed', 'login_slowed'],
    body: logIn,
    response: sessionRecord,
  }),
  read: declareCall({
    method: 'get',
    path: '/session',
    access: 'session',
    summary: 'Read the current session',
    description:
      'Shows the user of the session with roles and permissions. Needs the cookie and the CSRF token, as every call with a session does.',
    response: sessionRecord,
  }),
  logOut: declareCall({
    method: 'delete',
    path: '/session',
    access: 'session',
    audit: ['session.logout'],
    summary: 'Log out',
    description: 'Ends the session and clears its cookie. Live streams of the session end too.',
    response: null,
  }),
  changePassword: declareCall({
    method: 'post',
    path: '/session/password',
    access: 'session',
    audit: ['session.password', 'session.end'],
    summary: 'Change your own password',
    description:
      'Takes the old and the new password. Every session of the user ends. The reply sets the cookie of a new session and has its CSRF token.',
    errors: ['login_failed', 'login_slowed'],
    body: z.strictObject({ old: givenPassword, new: newPassword }),
    response: sessionRecord,
  }),
};
