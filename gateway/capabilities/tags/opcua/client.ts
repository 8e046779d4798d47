import type { OPCUAClient, OPCUAClientOptions } from 'node-opcua-client';
import { X509Certificate } from 'node:crypto';
import type { Identity } from './identity.ts';
import type { Opcua } from './library.ts';
import {
  CHUNKS_PER_MESSAGE_MAX,
  CLOSE_MS_MAX,
  MESSAGE_BYTES_MAX,
  REQUEST_MS_MAX,
  SESSION_MS_MAX,
  TRANSPORT_MS_MAX,
} from './limits.ts';
import { within } from './timing.ts';

/**
 * A client of the library with its own reconnection turned off: each attempt uses a new client, so that the address and
 * the certificate of the server are checked again. The library's default folders are not used.
 */
export interface Wire {
  readonly client: OPCUAClient;
  /** Closes the session without waiting for a response and destroys the socket; at most CLOSE_MS_MAX. Never throws. */
  close(): Promise<void>;
}

export interface ChannelSecurity {
  readonly mode: 'None' | 'Sign' | 'SignAndEncrypt';
  readonly policy: string;
  /** DER, already checked; null with mode None. */
  readonly serverCertificate: Buffer | null;
}

export const NO_SECURITY: ChannelSecurity = { mode: 'None', policy: 'None', serverCertificate: null };

export function createWire(opcua: Opcua, identity: Identity, security: ChannelSecurity): Wire {
  const client = opcua.OPCUAClient.create(options(opcua, identity, security));
  return { client, close: () => within(closed(client), CLOSE_MS_MAX, () => undefined) };
}

async function closed(client: OPCUAClient): Promise<void> {
  try {
    await client.disconnect();
  } catch {
    // The peer has already disconnected: nothing is left to close.
  }
}

function options(opcua: Opcua, identity: Identity, security: ChannelSecurity): OPCUAClientOptions {
  return {
    applicationName: 'Sluice',
    applicationUri: identity.applicationUri,
    clientName: 'sluice',
    certificateKeyPairProvider: keyPair(opcua, identity),
    clientCertificateManager: judgeOf(opcua, security),
    securityMode: opcua.MessageSecurityMode[security.mode],
    securityPolicy: opcua.SecurityPolicy[security.policy as 'None'],
    ...(security.serverCertificate !== null && { serverCertificate: security.serverCertificate }),
    connectionStrategy: { maxRetry: 0, initialDelay: 1, maxDelay: 2 },
    endpointMustExist: false,
    keepPendingSessionsOnDisconnect: true,
    requestedSessionTimeout: SESSION_MS_MAX,
    defaultTransactionTimeout: REQUEST_MS_MAX,
    transportTimeout: TRANSPORT_MS_MAX,
    transportSettings: { maxMessageSize: MESSAGE_BYTES_MAX, maxChunkCount: CHUNKS_PER_MESSAGE_MAX },
  };
}

function keyPair(
  opcua: Opcua,
  { certificate, key }: Identity,
): NonNullable<OPCUAClientOptions['certificateKeyPairProvider']> {
  const privateKey = opcua.crypto_utils.coercePEMorDerToPrivateKey(key);
  return {
    getCertificate: () => certificate,
    getCertificateChain: () => [certificate],
    getPrivateKey: () => privateKey,
  };
}

/** If the library ever asks: only the certificate that was checked. */
function judgeOf(
  opcua: Opcua,
  { serverCertificate }: ChannelSecurity,
): NonNullable<OPCUAClientOptions['clientCertificateManager']> {
  const { Good, BadCertificateUntrusted } = opcua.StatusCodes;
  const judge = (certificate: Buffer | Buffer[]) =>
    isSame(certificate, serverCertificate) ? Good : BadCertificateUntrusted;
  return {
    referenceCounter: 0,
    initialize: async () => undefined,
    dispose: async () => undefined,
    checkCertificate: async (certificate: Buffer | Buffer[]) => judge(certificate),
    verifyCertificate: async (certificate: Buffer | Buffer[]) => judge(certificate).name,
    getTrustStatus: async (certificate: Buffer) => judge(certificate),
    trustCertificate: async () => undefined,
    rejectCertificate: async () => undefined,
    addIssuer: async () => undefined,
    addRevocationList: async () => undefined,
  };
}

function isSame(certificate: Buffer | Buffer[], judged: Buffer | null): boolean {
  const first = Array.isArray(certificate) ? certificate[0] : certificate;
  if (first === undefined || judged === null) return false;
  return new X509Certificate(first).raw.equals(new X509Certificate(judged).raw);
}
