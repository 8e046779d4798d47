import { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '#common/model/certificate.ts';
import type { Settings } from '#common/model/settings.ts';
import { type CertificateAndKey, makeOwnCertificate } from '#common/node/own-certificate.ts';
import type { Vault } from '../contracts.ts';
import { one, text } from '../vault/rows.ts';
import { certificateFacts } from './certificate-facts.ts';
import { type MachineWorld, namesToProve, thisMachine } from './machine-names.ts';

/**
 * The certificate on the gateway port (docs/spec/settings.md#tls). A customer's is a setting; Sluice's own is created
 * here and kept among the vault's secrets, with its key. It is created when TLS is first turned on, or at the request
 * of a user, and never automatically after that, because every controller that trusts it would have to be changed.
 */
export interface GatewayTls {
  /** The settings with the certificate and key that the gateway is to use, and with none that it is not to. */
  forGateway(settings: Settings): Settings;
  /** Of the certificate that is served, or, while TLS is off, of the own one if there is one. */
  facts(settings: Settings): CertificateFacts | null;
  /** That certificate for import elsewhere (DER); null: there is none. */
  der(settings: Settings): Buffer | null;
  /** The same with its issuers, as far as they are known here (PEM). */
  pem(settings: Settings): string | null;
  /** Makes the own certificate if there is none and the settings want one. */
  ensure(settings: Settings, by: string): Promise<void>;
  /** Makes a new own certificate in the place of the current one; the answer puts that back. */
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
