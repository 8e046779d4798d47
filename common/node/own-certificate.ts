import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
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
  const { x509, pair, keys } = await prepare();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: subjectOf(machine),
      ...validity(nowMs),
      signingAlgorithm: SIGNING,
      keys,
      extensions: [
        ...serverExtensions(x509, names),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return pemOf(certificate, pair.privateKey);
}

/** A certificate authority that issues certificates for servers directly; ten years. */
export async function makeAuthority(name: string, nowMs: number): Promise<CertificateAndKey> {
  const { x509, pair, keys } = await prepare();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: subjectOf(name),
      ...validity(nowMs),
      signingAlgorithm: SIGNING,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  );
  return pemOf(certificate, pair.privateKey);
}

/** A certificate for a server with these names, issued by `authority`; ten years. */
export async function makeIssuedCertificate(
  authority: CertificateAndKey,
  machine: string,
  names: CallNames,
  nowMs: number,
): Promise<CertificateAndKey> {
  const { x509, pair, keys } = await prepare();
  const issuer = new x509.X509Certificate(authority.certificate);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: subjectOf(machine),
      issuer: issuer.subject,
      ...validity(nowMs),
      signingAlgorithm: SIGNING,
      publicKey: keys.publicKey,
      signingKey: await cryptoKey(createPrivateKey(authority.key), 'pkcs8', 'sign'),
      extensions: [
        ...serverExtensions(x509, names),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, crypto),
      ],
    },
    crypto,
  );
  return pemOf(certificate, pair.privateKey);
}

async function prepare() {
  // Loaded only when a certificate is created, which is rare; the second needs the first.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const pair = await promisify(generateKeyPair)('ec', { namedCurve: 'prime256v1' });
  const publicKey = await cryptoKey(pair.publicKey, 'spki', 'verify');
  return { x509, pair, keys: { publicKey, privateKey: await cryptoKey(pair.privateKey, 'pkcs8', 'sign') } };
}

type X509 = Awaited<ReturnType<typeof prepare>>['x509'];

function subjectOf(name: string): { [field: string]: string[] }[] {
  return [{ CN: [name.slice(0, COMMON_NAME_CHARS_MAX)] }, { O: ['Sluice'] }];
}

function validity(nowMs: number): { notBefore: Date; notAfter: Date } {
  const notAfter = new Date(nowMs);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS_VALID);
  return { notBefore: new Date(nowMs - DAY_MS), notAfter };
}

function serverExtensions(x509: X509, names: CallNames) {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      ...names.hosts.map((value) => ({ type: 'dns' as const, value })),
      ...names.addresses.map((value) => ({ type: 'ip' as const, value })),
    ]),
  ];
}

function pemOf(certificate: { toString(format: 'pem'): string }, key: KeyObject): CertificateAndKey {
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function cryptoKey(key: KeyObject, format: 'spki' | 'pkcs8', use: 'sign' | 'verify') {
  const type =
    format === 'spki' ? key.export({ type: 'spki', format: 'der' }) : key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey(format, type, SIGNING, true, [use]);
}
