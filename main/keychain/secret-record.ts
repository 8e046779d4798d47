import { createHmac } from 'node:crypto';
import { hashesEqual } from '#common/node/key-hash.ts';

/**
 * A secret store's entry for one vault: the DB secret and the last written generation. As text `sluice1.<secret:
 * base64url>.<generation>.<check: base64url>`; the check, an HMAC with the secret itself as the key, detects a damaged
 * or changed record.
 */
export const SECRET_BYTES = 32;

export interface SecretRecord {
  secret: Buffer;
  /** Null: the store has lost it, so that no vault can count as the newest. */
  generation: number | null;
}

const RECORD_FORM = /^sluice1\.([A-Za-z0-9_-]{43})\.(\d{1,16})\.([A-Za-z0-9_-]{22})$/;
const GENERATION_FORM = /^sluice1\.(\d{1,16})\.([A-Za-z0-9_-]{22})$/;

export function formatRecord(vaultId: string, secret: Buffer, generation: number): string {
  return `sluice1.${secret.toString('base64url')}.${generation}.${check(vaultId, secret, generation)}`;
}

/** Null for everything that `formatRecord` did not create for this vault. */
export function parseRecord(vaultId: string, text: string): { secret: Buffer; generation: number } | null {
  const [, secretText, generationText, found] = RECORD_FORM.exec(text.trim()) ?? [];
  if (secretText === undefined) return null;
  const secret = Buffer.from(secretText, 'base64url');
  const generation = Number(generationText);
  return matches(found, check(vaultId, secret, generation)) ? { secret, generation } : null;
}

/** Only the generation, for stores that cannot write the secret: `sluice1.<generation>.<check>`. */
export function formatGeneration(vaultId: string, secret: Buffer, generation: number): string {
  return `sluice1.${generation}.${check(vaultId, secret, generation)}`;
}

export function parseGeneration(vaultId: string, secret: Buffer, text: string): number | null {
  const [, generationText, found] = GENERATION_FORM.exec(text.trim()) ?? [];
  if (generationText === undefined) return null;
  const generation = Number(generationText);
  return matches(found, check(vaultId, secret, generation)) ? generation : null;
}

function check(vaultId: string, secret: Buffer, generation: number): string {
  const mac = createHmac('sha256', secret).update(`sluice secret record ${vaultId} ${generation}`).digest();
  return mac.subarray(0, 16).toString('base64url');
}

function matches(found: string | undefined, expected: string): boolean {
  return hashesEqual(Buffer.from(found ?? ''), Buffer.from(expected));
}
