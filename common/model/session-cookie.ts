/**
 * The session cookie of the admin UI. Its name ends with the port of the UI, because cookies ignore ports: two
 * instances on one host would log each other out. For the same reason browsers send it to the gateway, which keeps it
 * from every pipeline.
 */
export const SESSION_COOKIE_PREFIX = 'sluice_session_';

/** The value of a `Cookie` header without session cookies of any Sluice; empty when nothing is left. */
export function withoutSessionCookies(cookies: string): string {
  if (!cookies.toLowerCase().includes(SESSION_COOKIE_PREFIX)) return cookies;
  return cookies
    .split(';')
    .map((part) => part.trim())
    .filter((part) => !part.toLowerCase().includes(SESSION_COOKIE_PREFIX))
    .join('; ');
}
