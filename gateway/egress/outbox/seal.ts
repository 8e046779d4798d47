import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encryption of the outbox's contents (docs/spec/egress.md#store-and-forward): AES-256-GCM, form `nonce (12) | tag (16)
 * | ciphertext`, with the name of the value as associated data, so that no sealed value can replace another. The key is
 * derived from the host's key and the file's salt, so that random nonces never collide with those of another file.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const QUEUE_BYTES = 16;
export const SALT_BYTES = 16;

export interface Seal {
  seal(name: string, clear: Uint8Array): Buffer;
  /** Throws if it was encrypted with another key or under another name, or was changed. */
  open(name: string, sealed: Uint8Array): Buffer;
  /** A digest of an ordering key for the file: equal for equal keys, without revealing them. Empty for no key. */
  queue(orderingKey: string | null): Buffer;
}

/** `key` and `salt`: 32 and SALT_BYTES bytes. */
export function createSeal(key: Uint8Array, salt: Uint8Array): Seal {
  // Key objects: from a buffer, one would be created for each event.
  const derived = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, purpose, 32)));
  const fileKey = derived('sluice outbox seal');
  const queueKey = derived('sluice outbox ordering keys');
  return {
    seal(name, clear) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', fileKey, nonce).setAAD(Buffer.from(name));
      const body = cipher.update(clear);
      cipher.final();
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(name, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(name))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const clear = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      decipher.final();
      return clear;
    },
    queue(orderingKey) {
      if (orderingKey === null) return Buffer.alloc(0);
      return createHmac('sha256', queueKey).update(orderingKey).digest().subarray(0, QUEUE_BYTES);
    },
  };
}
