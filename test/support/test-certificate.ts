import type { ConnectionOptions } from 'node:tls';
import type { Settings } from '#common/model/settings.ts';
import { makeOwnCertificate } from '#common/node/own-certificate.ts';

export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
  /** For a gateway that speaks TLS with it. */
  readonly settings: Pick<Settings, 'tls' | 'tlsCertificate' | 'tlsKey'>;
  /** For a caller that trusts it and nothing else. */
  readonly trust: ConnectionOptions;
}

/** A certificate of the kind that Sluice makes for itself, for this machine's loopback. */
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
