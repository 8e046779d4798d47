import type { Settings } from './settings.ts';

/**
 * Address of the gateway for callers: the base URL with the port of the gateway. With TLS on it is https whatever the
 * base URL says; without, the base URL's own scheme is used, because a reverse proxy may use TLS.
 */
export function callersAddress({ baseUrl, tls }: Pick<Settings, 'baseUrl' | 'tls'>, port: number): string {
  return `${tls === 'off' ? baseUrl : baseUrl.replace(/^http:/, 'https:')}:${port}`;
}
