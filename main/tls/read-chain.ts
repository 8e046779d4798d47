import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { FieldError } from '#common/errors/catalogue.ts';

/** A longer chain is a whole trust store that was pasted by mistake. */
const CHAIN_MAX = 10;
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const fault = (path: 'tlsCertificate' | 'tlsKey', message: string): FieldError[] => [{ path, message }];

/**
 * The certificates of a PEM text in their order; empty if one cannot be parsed or if there is other content between
 * them.
 */
export function readChain(pem: string): X509Certificate[] {
  const blocks = pem.match(BLOCK) ?? [];
  // Text that a tool writes around the blocks, such as "subject=…", is harmless; a damaged block is not.
  if (/-----(?:BEGIN|END)/.test(pem.replaceAll(BLOCK, ''))) return [];
  const chain = blocks.slice(0, CHAIN_MAX + 1).map((block) => attempt(() => new X509Certificate(block)));
  return chain.every((one) => one !== null) ? chain : [];
}

/**
 * Reasons why a customer's chain and key cannot be served; empty: none. Never quotes a key. Its dates are not checked.
 */
export function chainFaults(certificatePem: string, keyPem: string): FieldError[] {
  const chain = readChain(certificatePem);
  const [own] = chain;
  if (own === undefined) return fault('tlsCertificate', 'cannot be read; expected a PEM certificate');
  if (chain.length > CHAIN_MAX)
    return fault('tlsCertificate', `expected at most ${CHAIN_MAX} certificates: the gateway's own, then its issuers`);
  const key = attempt(() => createPrivateKey(keyPem));
  if (key === null) return fault('tlsKey', 'cannot be read; expected a PEM private key without a passphrase');
  if (!own.checkPrivateKey(key)) {
    const other = chain.some((one) => one.checkPrivateKey(key));
    if (other)
      return fault(
        'tlsCertificate',
        "is in another order; expected the gateway's own certificate first, then its issuers",
      );
    return fault('tlsKey', 'does not belong to tlsCertificate');
  }
  const stray = chain.findIndex((one, at) => at > 0 && !chain[at - 1]?.checkIssued(one));
  if (stray > 0)
    return fault(
      'tlsCertificate',
      `has a certificate ${stray + 1} that did not issue the one before; expected them in that order`,
    );
  // Loaded on first use: it includes the public authorities, 2 MB.
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  if (attempt(() => createSecureContext({ cert: certificatePem, key: keyPem })) === null)
    return fault('tlsCertificate', 'cannot be used for TLS; expected an EC key, or an RSA key of 2,048 bits or more');
  return [];
}

/** Whether it has expired or is not valid yet. */
export function dateFaults(certificatePem: string, nowMs: number): FieldError[] {
  const [own] = readChain(certificatePem);
  if (own === undefined) return [];
  if (own.validToDate.getTime() <= nowMs)
    return fault('tlsCertificate', `ended on ${day(own.validToDate)}; expected a certificate that is valid`);
  if (own.validFromDate.getTime() > nowMs)
    return fault('tlsCertificate', `begins on ${day(own.validFromDate)}; expected a certificate that is valid now`);
  return [];
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** OpenSSL's own messages may quote their input. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
