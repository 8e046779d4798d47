import type { CertificateFacts } from '#common/model/certificate.ts';
import type { X509Certificate } from 'node:crypto';
import { normaliseAddress } from '#common/cidr.ts';
import type { CallNames } from '#common/node/own-certificate.ts';
import { readChain } from './read-chain.ts';

/**
 * The data of a certificate that users need; null if the PEM contains none. `wanted`: the names that a self-signed one
 * should contain.
 */
export function certificateFacts(
  pem: string,
  kind: CertificateFacts['kind'],
  wanted: CallNames | null,
): CertificateFacts | null {
  const [own] = readChain(pem);
  if (own === undefined) return null;
  const { hosts, addresses } = provenNames(own);
  const missing = wanted
    ? [
        ...wanted.hosts.filter((name) => !hosts.includes(name)),
        ...wanted.addresses.filter((one) => !addresses.includes(one)),
      ]
    : [];
  return {
    kind,
    subject: own.subject.replaceAll('\n', ', '),
    issuer: own.issuer.replaceAll('\n', ', '),
    names: [...hosts, ...addresses],
    notBefore: own.validFromDate.toISOString(),
    notAfter: own.validToDate.toISOString(),
    fingerprint: own.fingerprint256,
    missing,
  };
}

/** From `DNS:edge-7, IP Address:10.0.0.7`. */
function provenNames({ subjectAltName }: X509Certificate): CallNames {
  const entries = (subjectAltName ?? '').split(', ');
  const of = (kind: string) =>
    entries.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(kind.length));
  return { hosts: of('DNS:'), addresses: of('IP Address:').map(normaliseAddress) };
}
