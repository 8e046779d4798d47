import type { Request, Response } from 'express';
import { SESSION_COOKIE_PREFIX } from '#common/model/session-cookie.ts';

/** The session cookie. No `Secure`: the admin API is plain HTTP on loopback. */
export function cookieName(port: number): string {
  return SESSION_COOKIE_PREFIX + String(port);
}

const VALUE = /^[A-Za-z0-9_-]{20,128}$/;

/** The value of the cookie; null if absent or given more than once (one of them was planted by an attacker). */
export function readCookie(request: Request, port: number): string | null {
  const prefix = `${cookieName(port)}=`;
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  const value = found.length === 1 ? (found[0]?.slice(prefix.length) ?? '') : '';
  return VALUE.test(value) ? value : null;
}

export function setCookie(response: Response, port: number, value: string, expiresAt: string): void {
  response.cookie(cookieName(port), value, {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    expires: new Date(expiresAt),
  });
}

export function clearCookie(response: Response, port: number): void {
  response.clearCookie(cookieName(port), { httpOnly: true, sameSite: 'strict', path: '/' });
}
