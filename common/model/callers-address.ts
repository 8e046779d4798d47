import type { Settings } from './settings.ts';

/**
 * The address of the gateway for callers: the base URL with the port of the gateway. With TLS it is https regardless of
 * the base URL; without TLS the scheme of the base URL is used, because a reverse proxy may terminate TLS.
 */
export function callersAddress({ baseUrl, tls }: Pick<Settings, 'baseUrl' | 'tls'>, port: number): string {
  return `${tls === 'off' ? baseUrl : baseUrl.replace(/^http:/, 'https:')}:${port}`;
}
