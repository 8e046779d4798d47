import { callersAddress } from '#common/model/callers-address.ts';
import type { StatusRecord } from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';

export interface ServerEntry {
  url: string;
  description: string;
}

export interface ServerFacts {
  settings: Pick<Settings, 'baseUrl' | 'gatewayHost' | 'tls'>;
  /** The port on which the gateway listens. */
  port: number;
  machine: StatusRecord['machine'];
  /** `Host` header of the request for the document. */
  host: string;
}

/**
 * Addresses of the gateway for an OpenAPI document, the preferred one first: the base URL if it was set, else the host
 * from which the document was requested, then the network address and name of the PC for callers on other machines.
 */
export function routeServers(facts: ServerFacts): ServerEntry[] {
  const { settings, port, machine } = facts;
  const named = callersAddress(settings, port);
  if (!isDefault(settings.baseUrl, machine.name)) return [{ url: named, description: 'Base URL of the gateway.' }];
  const at = (host: string): string => `${settings.tls === 'off' ? 'http' : 'https'}://${host}:${port}`;
  const first = { url: at(hostThatListens(facts)), description: 'Host that this document was read from.' };
  if (isLoopback(settings.gatewayHost)) return [first];
  const others = [
    ...(machine.address === null ? [] : [{ url: at(bracketed(machine.address)), description: 'Network address.' }]),
    { url: named, description: 'Name of the machine.' },
  ];
  return [first, ...others.filter(({ url }) => url !== first.url)];
}

/** The default contains the name of the PC, or `localhost` if a URL cannot contain the name. */
function isDefault(baseUrl: string, machineName: string): boolean {
  return baseUrl === `http://${machineName}` || baseUrl === 'http://localhost';
}

/** The gateway may listen on one address only, or on no IPv6 address. */
function hostThatListens({ settings: { gatewayHost }, host }: ServerFacts): string {
  const asked = host.replace(/:\d+$/, '').toLowerCase();
  if (gatewayHost === '::') return asked;
  if (gatewayHost === '0.0.0.0') return asked === '[::1]' || asked === '' ? '127.0.0.1' : asked;
  return bracketed(gatewayHost);
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.');
}
