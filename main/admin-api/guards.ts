import type { NextFunction, Request, Response } from 'express';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { equalSecrets } from '#common/node/equal-secrets.ts';
import type { Session } from '../contracts.ts';
import type { Access } from '#common/contract/declaration.ts';
import { stated } from '#common/errors/rules.ts';

const HOST_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const HTTP_PORT = 80;

/** Names under which the UI is reached: loopback only, with the UI's port, so that DNS rebinding gets nowhere. */
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

/** An absent Origin passes: command-line clients send none, and the CSRF token is asked all the same. */
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
 * The second proof of a session, on every call of one, GETs included. Cookies ignore ports, so the cookie also reaches
 * every other program on this host, pipelines among them; the token is given to the page that logged in alone.
 */
export function csrfGuard(request: Request, session: Session): void {
  const given = request.headers['x-csrf-token'];
  if (typeof given === 'string' && equalSecrets(given, session.csrfToken)) return;
  throw new SluiceError('csrf_token_wrong', 'Expected the header X-CSRF-Token with the csrfToken of the log-in.');
}

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
