import { CONNECTION_SECRETS, type ConnectionDefinition, type ConnectionSettings } from '#common/model/connection.ts';
import type { IsSet, SentSecrets } from '#common/contract/connection-records.ts';
import type { SecretField, SecretVault, StoredConnection } from '../contracts.ts';

/** Secrets of a connection by field; null: none. */
export type SecretValues = Partial<Record<SecretField, string | null>>;

/** The secret fields that a connection of this kind has. */
export function secretFields(settings: object): SecretField[] {
  return CONNECTION_SECRETS.filter((field) => Object.hasOwn(settings, field));
}

/** The definition with these values in its secret fields, null for the others. */
export function withSecrets(definition: ConnectionDefinition, values: SecretValues): ConnectionDefinition {
  const { settings } = definition;
  const secrets = Object.fromEntries(secretFields(settings).map((field) => [field, values[field] ?? null]));
  // Replaces only existing fields, with values of the required form.
  return { ...definition, settings: { ...settings, ...secrets } };
}

/** The unencrypted secrets of a stored connection. A secret that the vault does not have is omitted. */
export function clearSecrets({ secrets }: StoredConnection, vault: Pick<SecretVault, 'read'>): SecretValues {
  return Object.fromEntries(Object.entries(secrets).map(([field, ref]) => [field, vault.read(ref)]));
}

export function refsOf({ secrets }: StoredConnection): string[] {
  return Object.values(secrets);
}

export function isSet(value: unknown): value is IsSet {
  return typeof value === 'object' && value !== null && 'set' in value;
}

export interface SecretPlan {
  /** References that are kept. */
  kept: Partial<Record<SecretField, string>>;
  /** Values to be stored. */
  fresh: Partial<Record<SecretField, string>>;
  /** Fields that should be kept but are cleared, because the connection has another target now. */
  cleared: SecretField[];
  /** Fields that should be kept, but for which no value is stored. */
  missing: SecretField[];
}

/**
 * Decides which secrets of a connection are kept when it is saved as `next` with the sent values. A stored secret is
 * sent only to its intended target: another kind, host or port, or weaker protection in transit, clears it.
 */
export function planSecrets(
  next: ConnectionSettings,
  sent: SentSecrets,
  before: StoredConnection | null,
  vault: Pick<SecretVault, 'has'>,
): SecretPlan {
  const plan: SecretPlan = { kept: {}, fresh: {}, cleared: [], missing: [] };
  const same = before !== null && sameServer(before.definition.settings, next);
  const held = (field: SecretField): string | null => {
    const ref = before?.secrets[field];
    return ref !== undefined && vault.has(ref) ? ref : null;
  };
  for (const field of secretFields(next)) {
    const value = sent[field];
    const ref = held(field);
    if (typeof value === 'string' && value !== '') plan.fresh[field] = value;
    else if (!isSet(value)) continue;
    else if (ref === null) plan.missing.push(field);
    else if (same) plan.kept[field] = ref;
    else plan.cleared.push(field);
  }
  const lost = CONNECTION_SECRETS.filter((field) => !Object.hasOwn(next, field) && held(field) !== null);
  return { ...plan, cleared: [...plan.cleared, ...lost] };
}

/** The same for a definition from a file, which has no secrets: each stored value is kept if the target is the same. */
export function planFileSecrets(
  next: ConnectionSettings,
  before: StoredConnection | null,
  vault: Pick<SecretVault, 'has'>,
): SecretPlan {
  const held = secretFields(next).filter((field) => vault.has(before?.secrets[field] ?? ''));
  return planSecrets(next, Object.fromEntries(held.map((field) => [field, { set: true as const }])), before, vault);
}

const PROTECTION = ['off', 'encrypt', 'verify'];
const SECURITY = ['None', 'Sign', 'SignAndEncrypt'];

/** True if secrets for one may be sent to the other: the same server, and no weaker protection in transit. */
function sameServer(before: ConnectionSettings, after: ConnectionSettings): boolean {
  if (before.kind !== after.kind || before.host !== after.host || before.port !== after.port) return false;
  return strength(after) >= strength(before);
}

function strength(settings: ConnectionSettings): number {
  if ('tls' in settings) return PROTECTION.indexOf(settings.tls);
  return 'securityMode' in settings ? SECURITY.indexOf(settings.securityMode) : 0;
}
