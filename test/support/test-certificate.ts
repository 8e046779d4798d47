import type { ConnectionOptions } from 'node:tls';
import type { Settings } from '#common/model/settings.ts';
import { makeOwnCertificate } from '#common/node/own-certificate.ts';

export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
  /** For a gateway that uses TLS with it. */
  readonly settings: Pick<Settings, 'tls' | 'tlsCertificate' | 'tlsKey'>;
  /** For a caller that trusts only this one. */
  readonly trust: ConnectionOptions;
}

/** A certificate like Sluice's self-signed one, for the loopback addresses of this machine. */
export async function testCertificate(nowMs = Date.now()): Promise<TestCertificate> {
  const names = { hosts: ['localhost', 'edge-7'], addresses: ['127.0.0.1', '::1'] };
  const { certificate, key } = await makeOwnCertificate('edge-7', names, nowMs);
  return {
    certificate,
    key,
    settings: { tls: 'own', tlsCertificate: certificate, tlsKey: key },
    trust: { ca: certificate },
  };
}
