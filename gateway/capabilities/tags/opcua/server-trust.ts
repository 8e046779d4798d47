import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { NodeError } from '#sdk';
import { TRUSTED_CERTIFICATES_MAX } from './limits.ts';

/**
 * Whether a server's certificate may be trusted: it is one of the trusted certificates of the connection, or one of
 * them is a certificate authority (CA) that signed it and it names the host of the connection. There is no trust on
 * first use: a user must add each new certificate.
 *
 * Security: a listed application certificate does not make others trusted, even when it signed them: only a CA may.
 * Known weakness: no revocation lists; a revoked certificate is refused only after its CA was removed from the list.
 */
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Throws NodeError `opcua_settings` when the text holds something other than certificates. */
export function trustedCertificatesOf(pem: string | null): X509Certificate[] {
  const texts = pem?.match(PEM) ?? [];
  if (texts.length > TRUSTED_CERTIFICATES_MAX) {
    throw new NodeError(
      'opcua_settings',
      `trustedCertificates: expected at most ${TRUSTED_CERTIFICATES_MAX} certificates`,
    );
  }
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch (cause) {
    throw new NodeError('opcua_settings', 'trustedCertificates: expected PEM certificates', { cause });
  }
}

/** Null if the certificate is trusted, otherwise the reason. `server`: DER. */
export function whyUntrusted(
  server: Uint8Array,
  trusted: readonly X509Certificate[],
  peer: { name: string; host: string; now: number },
): string | null {
  const certificate = readCertificate(server);
  if (certificate === null) return `${peer.name} sent a certificate that cannot be read`;
  const prints = `SHA-1 ${certificate.fingerprint}, SHA-256 ${certificate.fingerprint256}`;
  const listed = trusted.some((one) => one.raw.equals(certificate.raw));
  const issuer = listed ? undefined : trusted.find((one) => signedBy(certificate, one));
  if (!listed && issuer === undefined) return untrusted(peer.name, prints);
  if (!inForce(certificate, peer.now))
    return `the certificate of ${peer.name} is not in force, ${period(certificate)} (${prints})`;
  if (issuer !== undefined && !inForce(issuer, peer.now)) {
    return `the trusted certificate that signed the one of ${peer.name} is not in force, ${period(issuer)}`;
  }
  if (issuer !== undefined && !names(certificate, peer.host)) {
    return `the certificate of ${peer.name} is signed by a trusted one but does not name ${peer.host}; add the certificate itself to trust it (${prints})`;
  }
  return null;
}

function untrusted(name: string, prints: string): string {
  return `the certificate of ${name} is not trusted (${prints}); compare these with what the server shows and add its certificate to the trusted certificates`;
}

function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}

function signedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function inForce(certificate: X509Certificate, now: number): boolean {
  return certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
}

function period(certificate: X509Certificate): string {
  return `only from ${certificate.validFromDate.toISOString()} to ${certificate.validToDate.toISOString()}`;
}

function names(certificate: X509Certificate, host: string): boolean {
  return (
    (isIP(host) === 0 ? certificate.checkHost(host, { subject: 'never' }) : certificate.checkIP(host)) !== undefined
  );
}
