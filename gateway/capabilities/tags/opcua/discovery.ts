import type { EndpointDescription } from 'node-opcua-client';
import { NodeError } from '#sdk';
import { type OpcuaSettings, peerName } from './address.ts';
import { type ChannelSecurity, NO_SECURITY, createWire } from './client.ts';
import type { Identity } from './identity.ts';
import type { Opcua } from './library.ts';
import { ENDPOINTS_MAX } from './limits.ts';
import { trustedCertificatesOf, whyUntrusted } from './server-trust.ts';
import { unlessAborted } from './timing.ts';

/**
 * Requests the endpoints of the server over an open channel and checks the certificate of the one with the configured
 * security.
 *
 * Security: the response can come from anyone on the network path. Only the certificate is used, and only after it was
 * found trusted; its addresses are never dialled, and mode and policy are those of the connection.
 */
export async function discoverSecurity(
  opcua: Opcua,
  identity: Identity,
  at: { url: string; settings: OpcuaSettings },
  signal: AbortSignal,
): Promise<ChannelSecurity> {
  const { securityMode: mode, securityPolicy: policy } = at.settings;
  if (mode === 'None') return NO_SECURITY;
  const trusted = trustedCertificatesOf(at.settings.trustedCertificates);
  const endpoints = await endpointsOf(opcua, identity, at.url, signal);
  const uri = opcua.SecurityPolicy[policy];
  const wanted = opcua.MessageSecurityMode[mode];
  const found = endpoints.find((one) => one.securityMode === wanted && one.securityPolicyUri === uri);
  const peer = { name: peerName(at.settings), host: at.settings.host, now: Date.now() };
  if (found === undefined) {
    throw new NodeError(
      'opcua_security',
      `${peer.name} offers no ${mode} with ${policy}, but ${offered(opcua, endpoints)}`,
    );
  }
  const serverCertificate = found.serverCertificate ?? Buffer.alloc(0);
  const why = whyUntrusted(serverCertificate, trusted, peer);
  if (why !== null) throw new NodeError('opcua_untrusted', why);
  return { mode, policy, serverCertificate };
}

async function endpointsOf(
  opcua: Opcua,
  identity: Identity,
  url: string,
  signal: AbortSignal,
): Promise<EndpointDescription[]> {
  const wire = createWire(opcua, identity, NO_SECURITY);
  try {
    await unlessAborted(wire.client.connect(url), signal);
    const endpoints = await unlessAborted(wire.client.getEndpoints(), signal);
    return endpoints.slice(0, ENDPOINTS_MAX);
  } finally {
    await wire.close();
  }
}

function offered(opcua: Opcua, endpoints: readonly EndpointDescription[]): string {
  const names = endpoints.map((one) => {
    const policy = one.securityPolicyUri?.split('#')[1] ?? 'None';
    return `${opcua.MessageSecurityMode[one.securityMode] ?? 'unknown'} with ${policy.slice(0, 40)}`;
  });
  return [...new Set(names)].slice(0, 10).join(', ') || 'none at all';
}
