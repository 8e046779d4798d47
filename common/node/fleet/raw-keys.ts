import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** Ed25519 and X25519 keys as 32 raw bytes in base64url: `x` is public, `d` private (RFC 8037). */
export const rawPair = z.strictObject({ x: z.string(), d: z.string() });
export type RawPair = z.infer<typeof rawPair>;
export type Curve = 'Ed25519' | 'X25519';

export function makePair(crv: Curve): RawPair {
  const { privateKey } = crv === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return rawPair.parse(withoutNames(privateKey.export({ format: 'jwk' })));
}

/** `seed`: 32 bytes. */
export function pairOfSeed(seed: Uint8Array): RawPair {
  const der = Buffer.concat([ED25519_PKCS8, seed]);
  return rawPair.parse(
    withoutNames(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })),
  );
}

/** The bytes before the seed in PKCS #8 (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function withoutNames({ x, d }: { x?: string; d?: string }): { x: string | undefined; d: string | undefined } {
  return { x, d };
}

export function privateKeyOf(crv: Curve, { x, d }: RawPair): KeyObject {
  return createPrivateKey({ key: { kty: 'OKP', crv, x, d }, format: 'jwk' });
}

/** Throws for bytes that are no key. */
export function publicKeyOf(crv: Curve, x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv, x }, format: 'jwk' });
}

/** Hexadecimal, 8 bytes: names a public key in an envelope. */
export function kidOf(x: string): string {
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 16);
}
