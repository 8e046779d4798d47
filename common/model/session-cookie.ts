/**
 * The session cookie of the admin UI. Its name ends with the port of the UI, because cookies ignore ports: two
 * instances on one host would end each other's sessions. For the same reason browsers also send it to the gateway,
 * which removes it before a pipeline sees the request.
 */
export const SESSION_COOKIE_PREFIX = 'sluice_session_';

/** The value of a `Cookie` header without the session cookies of any Sluice; empty if no cookie is left. */
export function withoutSessionCookies(cookies: string): string {
  if (!cookies.toLowerCase().includes(SESSION_COOKIE_PREFIX)) return cookies;
  return cookies
    .split(';')
    .map((part) => part.trim())
    .filter((part) => !part.toLowerCase().includes(SESSION_COOKIE_PREFIX))
    .join('; ');
}
