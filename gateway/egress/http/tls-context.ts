import { createHash, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { NodeError } from '#sdk';
import type { TlsMaterial } from './contract.ts';

const keys = new WeakMap<TlsMaterial, string>();

/** Identical for the same texts, without revealing them. */
export function tlsKey(tls: TlsMaterial | null): string {
  if (tls === null) return '';
  const known = keys.get(tls);
  if (known !== undefined) return known;
  const key = createHash('sha256')
    .update(JSON.stringify([tls.ca, tls.certificate, tls.key]))
    .digest('base64url');
  keys.set(tls, key);
  return key;
}

/** TLS 1.2 or newer; a configured `ca` replaces the public ones. Throws NodeError `tls_invalid`. */
export function secureContext(tls: TlsMaterial | null): SecureContext {
  try {
    if (tls?.ca) readAll(tls.ca);
    return createSecureContext({
      minVersion: 'TLSv1.2',
      ...(tls?.ca && { ca: tls.ca }),
      ...(tls?.certificate && { cert: tls.certificate }),
      ...(tls?.key && { key: tls.key }),
    });
  } catch (cause) {
    // OpenSSL's own text may quote parts of the key file.
    throw new NodeError(
      'tls_invalid',
      'the TLS settings cannot be used: expected PEM texts and a key without password',
      {
        cause,
      },
    );
  }
}

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----.*?(?:-----END|$)[^\n]*/gs;

/** Node ignores authorities that it cannot parse; then nothing would be trusted, or less than intended. */
function readAll(pem: string): void {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error('no certificate');
  for (const certificate of certificates) void new X509Certificate(certificate);
}
