import { X509Certificate, createPrivateKey, generateKeyPair, randomUUID, webcrypto } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '#common/node/atomic-file.ts';
import { PRIVATE_FILE_MODE, makePrivateFolder, openToOthers } from '#common/node/private-files.ts';
import { NodeError } from '#sdk';
import type { Opcua } from './library.ts';

/**
 * The gateway's own OPC UA application certificate, self-signed, the same for every connection: servers need to trust
 * it only once.
 *
 * Files: `<dataDir>/opcua/client-key.pem` (PKCS #8) and `client-certificate.pem`, both 0600 in a 0700 folder. Each is
 * created if it is missing: written under another name and then linked, so that of two processes the first wins and the
 * other uses its file. A missing certificate is created again for the same key.
 *
 * Security: an unreadable file or an expired certificate is an error that names the file, and never silently replaced:
 * servers trust the old one. The application URI is read from the certificate, because servers compare both.
 */
export interface Identity {
  /** DER. */
  readonly certificate: Buffer;
  /** PEM. */
  readonly key: string;
  readonly applicationUri: string;
}

const APPLICATION_NAME = 'Sluice';
const KEY_BITS = 2_048;
const VALID_DAYS = 20 * 365;

/** Throws NodeError `opcua_identity`. */
export async function loadIdentity(opcua: Opcua, dataDir: string, now: number): Promise<Identity> {
  const folder = join(dataDir, 'opcua');
  try {
    makePrivateFolder(folder);
    const key = await readOrMake(join(folder, 'client-key.pem'), newKey);
    const file = join(folder, 'client-certificate.pem');
    return checked(key, await readOrMake(file, () => newCertificate(opcua, key, now)), now);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown error';
    throw new NodeError('opcua_identity', `the OPC UA client certificate in ${folder} cannot be used: ${why}`, {
      cause,
    });
  }
}

function checked(key: string, pem: string, now: number): Identity {
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    throw new Error('certificate and key do not belong together');
  if (certificate.validToDate.getTime() < now) {
    throw new Error('the certificate has expired; remove it to have a new one made, which the servers must then trust');
  }
  const applicationUri = /URI:([^,\s]+)/.exec(certificate.subjectAltName ?? '')?.[1];
  if (applicationUri === undefined) throw new Error('the certificate names no application URI');
  return { certificate: certificate.raw, key, applicationUri };
}

async function readOrMake(path: string, make: () => Promise<string>): Promise<string> {
  const present = await readIfThere(path);
  if (present !== null) return present;
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(fresh, await make(), { mode: PRIVATE_FILE_MODE, flag: 'wx', flush: true });
    await link(fresh, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(fresh, { force: true });
  }
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8');
    if (openToOthers(path)) throw new Error(`${path} can be read by others; expected mode 600`);
    return text;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function newCertificate(opcua: Opcua, pem: string, now: number): Promise<string> {
  const key = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const privateKey = await webcrypto.subtle.importKey('pkcs8', key, algorithm, true, ['sign']);
  const { cert } = await opcua.crypto_utils.createSelfSignedCertificate({
    privateKey,
    subject: `CN=${APPLICATION_NAME}`,
    applicationUri: `urn:sluice:gateway:${randomUUID()}`,
    notBefore: new Date(now),
    validity: VALID_DAYS,
    purpose: opcua.crypto_utils.CertificatePurpose.ForApplication,
  });
  return cert;
}
