import type { NextFunction, Request, Response } from 'express';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { equalSecrets } from '#common/node/equal-secrets.ts';
import type { Session } from '../contracts.ts';
import type { Access } from '#common/contract/declaration.ts';
import { stated } from '#common/errors/rules.ts';
import type { Call } from './call.ts';

const HOST_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const HTTP_PORT = 80;

/**
 * Names under which the UI can be reached: loopback only, with the port of the UI, so that DNS rebinding has no effect.
 */
function ownHosts(port: number): string[] {
  return HOST_NAMES.flatMap((name) => (port === HTTP_PORT ? [name, `${name}:${port}`] : [`${name}:${port}`]));
}

export function hostGuard(uiPort: () => number) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!ownHosts(uiPort()).includes(host))
      throw new SluiceError('wrong_host', `Expected the Host localhost:${uiPort()} or 127.0.0.1:${uiPort()}.`);
    next();
  };
}

/** An absent Origin passes: command-line clients send none, and the CSRF token is required in any case. */
export function originGuard(uiPort: () => number) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const { origin } = request.headers;
    if (origin !== undefined && !ownHosts(uiPort()).some((host) => origin === `http://${host}`)) {
      throw new SluiceError('origin_not_allowed', "The Origin is not the admin UI's own.");
    }
    next();
  };
}

export function isMutation(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/**
 * The second credential of a session, required for every call, including GETs. Cookies ignore ports, so the cookie also
 * reaches every other program on this host, including pipelines; the token is given only to the page that logged in.
 */
export function csrfGuard(request: Request, session: Session): void {
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && equalSecrets(given, session.csrfToken)) return;
  throw new SluiceError('csrf_token_wrong', 'Expected the header X-CSRF-Token with the csrfToken of the log-in.');
}

/** Calls that no service token may make, and those outside of the project of a token. */
export function tokenGuard(call: Pick<Call, 'usersOnly'>, { project }: Token, request: Request): void {
  if (call.usersOnly) throw new SluiceError('permission_missing', stated('token_users_only'));
  if (project === null || request.params['project'] === project) return;
  throw new SluiceError('permission_missing', stated('token_project', { project }));
}

type Token = NonNullable<Session['token']>;

export function permissionGuard(access: Access, session: Session): void {
  const needed = neededPermissions(access);
  const lacking = needed.filter((permission) => !session.permissions.has(permission));
  if (lacking.length === 0) return;
  throw new SluiceError('permission_missing', stated('permission', { permission: lacking }));
}

export function neededPermissions(access: Access): readonly Permission[] {
  if (access === 'public' || access === 'session' || access === 'bearer') return [];
  return typeof access === 'string' ? PERMISSIONS.filter((permission) => permission === access) : access;
}
