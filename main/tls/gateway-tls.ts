import { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '#common/model/certificate.ts';
import type { Settings } from '#common/model/settings.ts';
import { type CertificateAndKey, makeOwnCertificate } from '#common/node/own-certificate.ts';
import type { Vault } from '../contracts.ts';
import { one, text } from '../vault/rows.ts';
import { certificateFacts } from './certificate-facts.ts';
import { type MachineWorld, namesToProve, thisMachine } from './machine-names.ts';

/**
 * The certificate on the gateway port (docs/spec/settings.md#tls). A customer's is a setting; The self-signed one of
 * Sluice is created here and stored with its key among the secrets of the vault. It is created when TLS is first turned
 * on, or at the request of a user, and never automatically after that, because every controller that trusts it would
 * have to be changed.
 */
export interface GatewayTls {
  /** The settings with the certificate and key that the gateway should use, or without them. */
  forGateway(settings: Settings): Settings;
  /** Describes the certificate in use or, while TLS is off, the self-signed one if there is one. */
  facts(settings: Settings): CertificateFacts | null;
  /** That certificate for import on other machines (DER); null: there is none. */
  der(settings: Settings): Buffer | null;
  /** The same with its issuers, if they are known here (PEM). */
  pem(settings: Settings): string | null;
  /** Creates the self-signed certificate if there is none and the settings need one. */
  ensure(settings: Settings, by: string): Promise<void>;
  /** Creates a new self-signed certificate in place of the current one; the returned function restores that. */
  renew(settings: Settings, by: string): Promise<() => Promise<void>>;
}

export interface GatewayTlsParts {
  vault: Pick<Vault, 'read' | 'mutate'>;
  now?: () => number;
  world?: () => MachineWorld;
}

const CERTIFICATE_REF = 'tls:own-certificate';
const KEY_REF = 'tls:own-key';

export function createGatewayTls({ vault, now = Date.now, world = thisMachine }: GatewayTlsParts): GatewayTls {
  const secret = (ref: string): string | null => {
    const row = vault.read((db) => one(db, 'SELECT value FROM secrets WHERE ref = ?', [ref]));
    return row && text(row, 'value');
  };
  const own = (): CertificateAndKey | null => {
    const certificate = secret(CERTIFICATE_REF);
    const key = secret(KEY_REF);
    return certificate === null || key === null ? null : { certificate, key };
  };
  const put = (made: CertificateAndKey | null, by: string): Promise<void> =>
    vault.mutate((db) => {
      db.run('DELETE FROM secrets WHERE ref IN (?, ?)', [CERTIFICATE_REF, KEY_REF]);
      const values = made === null ? [] : [[CERTIFICATE_REF, made.certificate] as const, [KEY_REF, made.key] as const];
      const sql = 'INSERT INTO secrets (ref, value, changed_at, changed_by) VALUES (?, ?, ?, ?)';
      for (const [ref, value] of values) db.run(sql, [ref, value, new Date(now()).toISOString(), by]);
    });
  const make = (settings: Settings): Promise<CertificateAndKey> => {
    const here = world();
    return makeOwnCertificate(here.machine, namesToProve(settings, here), now());
  };
  const pem = (settings: Settings): string | null =>
    settings.tls === 'custom' ? settings.tlsCertificate : secret(CERTIFICATE_REF);

  return {
    forGateway(settings) {
      if (settings.tls === 'custom') return settings;
      const used = settings.tls === 'own' ? own() : null;
      return { ...settings, tlsCertificate: used?.certificate ?? null, tlsKey: used?.key ?? null };
    },
    facts(settings) {
      const certificate = pem(settings);
      if (certificate === null) return null;
      if (settings.tls === 'custom') return certificateFacts(certificate, 'custom', null);
      return certificateFacts(certificate, 'own', namesToProve(settings, world()));
    },
    der(settings) {
      const certificate = pem(settings);
      return certificate === null ? null : new X509Certificate(certificate).raw;
    },
    pem,
    async ensure(settings, by) {
      if (settings.tls === 'own' && own() === null) await put(await make(settings), by);
    },
    async renew(settings, by) {
      const before = own();
      await put(await make(settings), by);
      return () => put(before, by);
    },
  };
}
