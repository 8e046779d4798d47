import type { ConnectionOf } from '#common/model/connection.ts';
import type { Target } from '#net/target-guard.ts';

export type OpcuaSettings = ConnectionOf<'opcua'>;

/** The peer for users: the name that they entered. */
export function peerName(settings: OpcuaSettings): string {
  return `${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`;
}

/** The URL to dial: the checked address, never the name, so that a second lookup cannot lead elsewhere. */
export function endpointUrl(target: Target, path: string): string {
  const host = target.family === 6 ? `[${target.address}]` : target.address;
  return `opc.tcp://${host}:${target.port}${path}`;
}
