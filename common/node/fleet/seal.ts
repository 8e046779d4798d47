import { createCipheriv, createDecipheriv, diffieHellman, hkdfSync, randomBytes } from 'node:crypto';
import { makePair, privateKeyOf, publicKeyOf, type RawPair } from './raw-keys.ts';

/**
 * Bytes that only one machine can read: an X25519 key made for this message, HKDF-SHA-256 over both public keys,
 * AES-256-GCM. Form: public key (32), nonce (12), tag (16), encrypted bytes; base64url.
 */
const INFO = 'sluice-fleet-seal/1';

export function sealTo(recipient: string, bytes: Uint8Array): string {
  const own = makePair('X25519');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sharedKey(own, recipient, own.x, recipient), nonce);
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([Buffer.from(own.x, 'base64url'), nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Throws if the bytes were altered or sealed to another key. */
export function openSealed(own: RawPair, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 60) throw new Error('the sealed bytes are too short');
  const sender = bytes.toString('base64url', 0, 32);
  const cipher = createDecipheriv('aes-256-gcm', sharedKey(own, sender, sender, own.x), bytes.subarray(32, 44));
  cipher.setAuthTag(bytes.subarray(44, 60));
  return Buffer.concat([cipher.update(bytes.subarray(60)), cipher.final()]);
}

function sharedKey(own: RawPair, other: string, sender: string, recipient: string): Buffer {
  const secret = diffieHellman({ privateKey: privateKeyOf('X25519', own), publicKey: publicKeyOf('X25519', other) });
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `${INFO} ${sender} ${recipient}`, 32));
}
