import type { crypto_utils } from 'node-opcua-client';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type CryptoKeyPair = Awaited<ReturnType<typeof crypto_utils.generateKeyPair>>;

/** Application and CA certificates for OPC UA servers of tests, as files beside each other. */
export interface PeerCertificate {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  readonly applicationUri: string;
  readonly pem: string;
  readonly keys: CryptoKeyPair;
}

export interface CertificateOptions {
  /** True: a certificate authority. */
  ca?: boolean;
  /** The signer; without one, it is self-signed. Need not be a certificate authority. */
  issuer?: PeerCertificate;
  ip?: string;
  notBefore?: Date;
  validDays?: number;
}

const KEY_BITS = 2_048;
const HOUR_MS = 3_600_000;

export async function makeCertificate(
  folder: string,
  name: string,
  options: CertificateOptions = {},
): Promise<PeerCertificate> {
  const { crypto_utils: tools } = await import('node-opcua-client');
  const keys = await tools.generateKeyPair(KEY_BITS);
  const { privateKey } = keys;
  const applicationUri = `urn:test:${name}`;
  const purpose = tools.CertificatePurpose[options.ca === true ? 'ForCertificateAuthority' : 'ForApplication'];
  const shared = {
    subject: `CN=${name}`,
    applicationUri,
    dns: ['plant.example'],
    ip: [options.ip ?? '127.0.0.1'],
    notBefore: options.notBefore ?? new Date(Date.now() - HOUR_MS),
    validity: options.validDays ?? 365,
    purpose,
  };
  const { issuer } = options;
  const { cert: pem } =
    issuer === undefined
      ? await tools.createSelfSignedCertificate({ privateKey, ...shared })
      : await tools.createCertificateFromCsr({
          ...shared,
          csr: (await tools.createCertificateSigningRequest({ privateKey, ...shared })).csr,
          issuerName: new tools.x509.X509Certificate(issuer.pem).subjectName.toString(),
          issuerPublicKey: issuer.keys.publicKey,
          signingKey: issuer.keys.privateKey,
          signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash: { name: 'SHA-256' } },
        });
  const files = { certificateFile: join(folder, `${name}.pem`), privateKeyFile: join(folder, `${name}-key.pem`) };
  await writeFile(files.certificateFile, pem);
  await writeFile(files.privateKeyFile, (await tools.privateKeyToPEM(privateKey)).privPem, { mode: 0o600 });
  return { ...files, applicationUri, pem, keys };
}
