import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Names by which callers can reach a machine: host names in lower case and IP addresses. */
export interface CallNames {
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

/** A PEM certificate or chain, and the PEM key of its first certificate. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export const YEARS_VALID = 10;
const DAY_MS = 86_400_000;
const COMMON_NAME_CHARS_MAX = 64;
const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * A self-signed certificate for the names of the machine (decision 12): P-256, for servers only, no CA, ten years. It
 * is valid from one day earlier, for controllers whose clocks are behind.
 */
export async function makeOwnCertificate(machine: string, names: CallNames, nowMs: number): Promise<CertificateAndKey> {
  // Loaded only when a certificate is created, which is rare; the second needs the first.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const pair = await promisify(generateKeyPair)('ec', { namedCurve: 'prime256v1' });
  const publicKey = await cryptoKey(pair.publicKey, 'spki', 'verify');
  const keys = { publicKey, privateKey: await cryptoKey(pair.privateKey, 'pkcs8', 'sign') };
  const notAfter = new Date(nowMs);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS_VALID);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [machine.slice(0, COMMON_NAME_CHARS_MAX)] }, { O: ['Sluice'] }],
      notBefore: new Date(nowMs - DAY_MS),
      notAfter,
      signingAlgorithm: SIGNING,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([
          ...names.hosts.map((value) => ({ type: 'dns' as const, value })),
          ...names.addresses.map((value) => ({ type: 'ip' as const, value })),
        ]),
        await x509.SubjectKeyIdentifierExtension.create(publicKey, false, crypto),
        await x509.AuthorityKeyIdentifierExtension.create(publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function cryptoKey(key: KeyObject, format: 'spki' | 'pkcs8', use: 'sign' | 'verify') {
  const type =
    format === 'spki' ? key.export({ type: 'spki', format: 'der' }) : key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey(format, type, SIGNING, true, [use]);
}
