import type { Settings } from './settings.ts';

/**
 * Where callers reach the gateway: by the base URL, on the port that it listens on. With TLS on it is https whatever the
 * base URL says; without, the base URL's own scheme stands, since a proxy in front may speak TLS.
 */
export function callersAddress({ baseUrl, tls }: Pick<Settings, 'baseUrl' | 'tls'>, port: number): string {
  return `${tls === 'off' ? baseUrl : baseUrl.replace(/^http:/, 'https:')}:${port}`;
}
