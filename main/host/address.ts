import type { Settings } from '#common/model/settings.ts';

/** An address of the gateway that this machine can call: "every interface" is not one. */
export function usableGatewayUrl(settings: Pick<Settings, 'gatewayHost' | 'tls'>, port: number): string {
  const scheme = settings.tls === 'off' ? 'http' : 'https';
  return `${scheme}://${usableHost(settings.gatewayHost)}:${port}`;
}

function usableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
